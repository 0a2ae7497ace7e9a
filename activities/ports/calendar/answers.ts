import { fetchCalendarObjects } from 'tsdav'
import type { Occurrence } from '../../../db/calendar/meeting-mirror.ts'
import { occurrencesIn, type Window } from './events.ts'

// What a calendar server answered, made into events in a child process, which reaches no server. It therefore says what it
// would ask next, and is called again with the answer to that.

export type Answered = { status: number; type: string; body: Buffer }
export type ListEvents = { url: string; window: Window; zone: string; answers: Answered[] }
/** ask: the body of the next REPORT (RFC 4791, 7.8 and 7.9). refused: what the server says instead of events. */
export type Listed = { ask: string } | { refused: number | null } | { occurrences: Occurrence[] }

// Events of other servers may be anything: what is larger than any event is is passed over, and so is what is behind this many.
const largestEvent = 512 * 1024
const mostOfCalendar = 10_000

export async function listEvents({ url, window, zone, answers }: ListEvents): Promise<Listed> {
  let asked: string | undefined
  let used = 0
  const replay = async (_url: unknown, init?: { body?: unknown }) => {
    const answer = answers[used++]
    if (answer)
      return new Response(new Uint8Array(answer.body), {
        status: answer.status,
        headers: { 'content-type': answer.type },
      })
    asked = String(init?.body ?? '')
    throw new Error('to be asked')
  }
  try {
    const objects = await fetchCalendarObjects({
      calendar: { url },
      timeRange: { start: window.from.toISOString(), end: window.to.toISOString() },
      urlFilter: (found) => found !== url,
      fetch: replay as typeof fetch,
    })
    const occurrences: Occurrence[] = []
    for (const { data } of objects)
      if (occurrences.length < mostOfCalendar)
        occurrences.push(...occurrencesOf({ data, window, zone }))
    return {
      occurrences: occurrences.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
    }
  } catch (error) {
    if (asked !== undefined) return { ask: asked }
    // The library tells the status of a failed search in a sentence only.
    const status = /^Collection query failed: (\d{3})/.exec((error as Error).message)?.[1]
    return { refused: status ? Number(status) : null }
  }
}

export type EventText = { data: unknown; window: Window; zone: string }

export const occurrencesOf = ({ data, window, zone }: EventText): Occurrence[] =>
  typeof data === 'string' && data.length <= largestEvent ? occurrencesIn(data, window, zone) : []
