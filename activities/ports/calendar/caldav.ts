import {
  createCalendarObject,
  type DAVCalendarObject,
  deleteCalendarObject,
  getBasicAuthHeaders,
  updateCalendarObject,
} from 'tsdav'
import type { ExternalCalendar } from '../../../db/calendar/calendars.ts'
import { SealError, type SecretKey, unseal } from '../../../db/secrets.ts'
import { isInClear } from '../../../process/network/loopback.ts'
import { readBounded } from '../http/answer.ts'
import type { Answered } from './answers.ts'
import { listEventsAside, occurrencesAside } from './aside.ts'
import { CalendarTrouble, type MakeEvent, type RemoteCalendar } from './calendar.ts'

// CalDAV (RFC 4791). Our events are stored under a name made from their UID, so that If-None-Match refuses a second copy and an
// event can be found without a search. One that is there is changed only as it was read (If-Match).

/** `url` is the address of the calendar collection itself; `zone` is used for times that name none. */
export type CalDavAccess = {
  workspace: string
  url: string
  user?: string
  password?: string | undefined
  zone: string
  timeoutMs: number
}

// Half a year of a busy calendar, with what people paste into events, is a tenth of this.
const largestAnswer = 16 * 1024 * 1024
const largestRefusal = 64 * 1024
// Somebody else may change the event between our read and our change.
const mostTries = 3

function openCalDav(access: CalDavAccess): RemoteCalendar {
  const { workspace, user, password = '', zone, timeoutMs } = access
  const collection = access.url.endsWith('/') ? access.url : `${access.url}/`
  const calendar = { url: collection }
  const headers: Record<string, string> = user
    ? { ...getBasicAuthHeaders({ username: user, password }) }
    : {}
  // The library does not follow these answers itself. A redirect would lead us, or our password, elsewhere.
  const bounded = () => ({
    headers,
    fetchOptions: { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' as const },
  })
  const nameOf = (uid: string) => `${encodeURIComponent(uid)}.ics`

  return {
    async put(uid, make) {
      const status = await change(uid, make)
      if (isTaken(status)) return 'done'
      if (isRefusal(status)) return 'refused'
      throw new CalendarTrouble(`caldav_${status}`)
    },

    async remove(uid) {
      const status = await change(uid, () => null)
      if (!isTaken(status) && !isGone(status)) throw new CalendarTrouble(`caldav_${status}`)
    },

    async list(window) {
      const answers: Answered[] = []
      // One request for the search, and one for what it found.
      for (let asked = 0; asked <= 2; asked++) {
        const list = { url: collection, window, zone, answers }
        const listed = await listEventsAside(workspace, list)
        if ('occurrences' in listed) return listed.occurrences
        if ('refused' in listed)
          throw new CalendarTrouble(
            listed.refused === null ? 'caldav_unreachable' : `caldav_${listed.refused}`,
          )
        answers.push(await report(listed.ask))
      }
      throw new CalendarTrouble('caldav_unreachable')
    },

    async find(uid, window) {
      const found = await read(uid)
      return found && occurrencesAside(workspace, { data: found.data, window, zone })
    },
  }

  /** Puts what is made of an event in its place, once nobody else has changed it in between; the last status of the server. */
  async function change(uid: string, make: MakeEvent): Promise<number> {
    for (let tries = 1; ; tries++) {
      const found = await read(uid)
      const current = found ? String(found.data) : null
      const content = await make(current)
      if (content === current) return unchanged
      const { status } = await reached(write(uid, found, content))
      if (status !== 412 || tries === mostTries) return status
    }
  }

  function write(uid: string, found: DAVCalendarObject | undefined, content: string | null) {
    if (!found)
      return createCalendarObject({
        calendar,
        filename: nameOf(uid),
        iCalString: content ?? '',
        ...bounded(),
      })
    return content === null
      ? deleteCalendarObject({ calendarObject: found, ...bounded() })
      : updateCalendarObject({ calendarObject: { ...found, data: content }, ...bounded() })
  }

  async function report(body: string): Promise<Answered> {
    const type = 'text/xml;charset=UTF-8'
    const { response, body: answer } = await request(collection, {
      method: 'REPORT',
      headers: { ...headers, 'content-type': type, depth: '1' },
      body,
    })
    const { status } = response
    return { status, type: response.headers.get('content-type') ?? '', body: answer }
  }

  async function read(uid: string): Promise<DAVCalendarObject | undefined> {
    const url = new URL(nameOf(uid), collection).href
    const { response, body } = await request(url, { headers })
    if (isGone(response.status)) return undefined
    if (!response.ok) throw new CalendarTrouble(`caldav_${response.status}`)
    const etag = response.headers.get('etag')
    return { url, data: body.toString('utf8'), ...(etag && { etag }) }
  }

  async function request(url: string, init: RequestInit) {
    const { fetchOptions } = bounded()
    const response = await reached(fetch(url, { ...init, ...fetchOptions }))
    const limit = response.ok ? largestAnswer : largestRefusal
    const body = await readBounded(response, limit).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw new CalendarTrouble('caldav_unreachable')
      // A refusal is recognised by its status, however long its page.
      if (!response.ok) return Buffer.alloc(0)
      throw new CalendarTrouble('caldav_too_large')
    })
    return { response, body }
  }
}

const unchanged = 204
const isTaken = (status: number) => status >= 200 && status < 300
const isGone = (status: number) => status === 404 || status === 410

// Statuses with which the server refuses the event itself (RFC 4791 §5.3.2.1). 401, 404 for the whole calendar, 429 and the
// like are about our access or about the moment, and may be fixed.
const isRefusal = (status: number) => [400, 403, 409, 413, 415, 422].includes(status)

async function reached<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch {
    throw new CalendarTrouble('caldav_unreachable')
  }
}

/** Opens a calendar on another server; nothing is sent yet. `timeoutMs` limits each request. */
export function openCalendar(
  secretKey: SecretKey,
  calendar: ExternalCalendar,
  timeoutMs = 10_000,
): RemoteCalendar {
  const { workspace, caldav, timezone } = calendar
  const password = passwordOf(secretKey, calendar)
  // Rows of earlier versions may differ from what the operator's file allows now.
  if (password && caldav.tls !== 'none' && isInClear(caldav.url))
    throw new CalendarTrouble('caldav_tls')
  return openCalDav({ ...caldav, workspace, password, zone: timezone, timeoutMs })
}

function passwordOf(secretKey: SecretKey, { id, secrets }: ExternalCalendar): string | undefined {
  if (!secrets) return undefined
  try {
    return unseal<{ caldav?: string }>(secretKey, secrets, { in: 'calendars.secrets', id }).caldav
  } catch (error) {
    // The password was sealed with another SECRET_KEY.
    throw error instanceof SealError ? new CalendarTrouble('password_unreadable') : error
  }
}
