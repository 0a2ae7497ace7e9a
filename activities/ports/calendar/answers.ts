import { fetchCalendarObjects } from 'tsdav'
import { type Occurrence, occurrencesIn, type Window } from '../../../rules/calendar/events.ts'

// Turns the answers of a calendar server into events, in a child process that cannot reach the server. So it returns the next
// request to send, and is called again with the answer.

export type Answered = { status: number; type: string; body: Buffer }
export type ListEvents = { url: string; window: Window; zone: string; answers: Answered[] }
/** ask: the body of the next REPORT (RFC 4791, 7.8 and 7.9). refused: the status that the server returned instead of events. */
export type Listed = { ask: string } | { refused: number | null } | { occurrences: Occurrence[] }

// Other servers' events may hold anything: an event that is larger than any real one is skipped, and so are those after this
// many.
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
    // The library gives the status of a failed search only in a sentence.
    const status = /^Collection query failed: (\d{3})/.exec((error as Error).message)?.[1]
    return { refused: status ? Number(status) : null }
  }
}

export type EventText = { data: unknown; window: Window; zone: string }

export const occurrencesOf = ({ data, window, zone }: EventText): Occurrence[] =>
  typeof data === 'string' && data.length <= largestEvent ? occurrencesIn(data, window, zone) : []
