import {
  createCalendarObject,
  type DAVCalendarObject,
  deleteCalendarObject,
  fetchCalendarObjects,
  getBasicAuthHeaders,
} from 'tsdav'
import type { Occurrence } from '../../db/meeting-mirror.ts'
import type { RemoteCalendar, Window } from './calendar.ts'
import { occurrencesIn } from './events.ts'
import { CalendarTrouble } from './trouble.ts'

// CalDAV (RFC 4791). Events of ours lie under a name made of their UID, so that putting one there twice is refused by
// If-None-Match, and one can be found without a search.

/** `url` is the address of the calendar collection itself; `zone` is taken for times that name none. */
export type CalDavAccess = {
  url: string
  user?: string
  password?: string | undefined
  zone: string
  timeoutMs: number
}

// Events of other servers may be anything: what is larger than any event is is passed over.
const largestEvent = 512 * 1024
// Somebody else may change the event between our look and our delete.
const removeTries = 3

export function openCalDav(access: CalDavAccess): RemoteCalendar {
  const { user, password = '', zone, timeoutMs } = access
  const collection = access.url.endsWith('/') ? access.url : `${access.url}/`
  const calendar = { url: collection }
  const headers: Record<string, string> = user
    ? { ...getBasicAuthHeaders({ username: user, password }) }
    : {}
  const bounded = () => ({ headers, fetchOptions: { signal: AbortSignal.timeout(timeoutMs) } })
  const nameOf = (uid: string) => `${encodeURIComponent(uid)}.ics`

  return {
    async create(uid, content) {
      const put = { calendar, filename: nameOf(uid), iCalString: content, ...bounded() }
      const { status } = await reached(createCalendarObject(put))
      // 412: it is there; the UID is ours alone, so an earlier attempt of ours has put it there.
      if ((status >= 200 && status < 300) || status === 412) return 'created'
      if (isRefusal(status)) return 'refused'
      throw new CalendarTrouble(`caldav_${status}`)
    },

    async remove(uid) {
      for (let tries = 1; ; tries++) {
        const found = await read(uid)
        if (!found) return
        const { status } = await reached(
          deleteCalendarObject({ calendarObject: found, ...bounded() }),
        )
        if ((status >= 200 && status < 300) || isGone(status)) return
        if (status !== 412 || tries === removeTries) throw new CalendarTrouble(`caldav_${status}`)
      }
    },

    async list(window) {
      const { from, to } = window
      const objects = await reached(
        fetchCalendarObjects({
          calendar,
          timeRange: { start: from.toISOString(), end: to.toISOString() },
          urlFilter: (url) => url !== collection,
          ...bounded(),
        }),
      )
      return objects
        .flatMap(({ data }) => occurrencesOf(data, window))
        .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
    },

    async find(uid, window) {
      const found = await read(uid)
      return found && occurrencesOf(found.data, window)
    },
  }

  async function read(uid: string): Promise<DAVCalendarObject | undefined> {
    const url = new URL(nameOf(uid), collection).href
    const { signal } = bounded().fetchOptions
    const answer = await reached(fetch(url, { headers, signal }))
    const data = await reached(answer.text())
    if (isGone(answer.status)) return undefined
    if (!answer.ok) throw new CalendarTrouble(`caldav_${answer.status}`)
    const etag = answer.headers.get('etag')
    return { url, data, ...(etag && { etag }) }
  }

  function occurrencesOf(data: unknown, window: Window): Occurrence[] {
    if (typeof data !== 'string' || data.length > largestEvent) return []
    return occurrencesIn(data, window, zone)
  }
}

const isGone = (status: number) => status === 404 || status === 410

// What the server says of the event itself (RFC 4791 §5.3.2.1). 401, 404 of the whole calendar, 429 and the like are about
// us or about now, and may be mended.
const isRefusal = (status: number) => [400, 403, 409, 413, 415, 422].includes(status)

async function reached<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    // The library tells the status of a failed search in a sentence only.
    const status = /^Collection query failed: (\d{3})/.exec((error as Error).message)?.[1]
    throw new CalendarTrouble(status ? `caldav_${status}` : 'caldav_unreachable')
  }
}
