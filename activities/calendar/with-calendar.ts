import { findExternalCalendar, noteCalendarProblem } from '../../db/calendar/calendars.ts'
import { heldWhyNow } from '../../db/holds.ts'
import { operationRuns, operationWaits } from '../../db/operations/operations.ts'
import { openBreaker } from '../../process/limits/breaker.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { openCalendar } from '../ports/calendar/caldav.ts'
import { CalendarTrouble, type RemoteCalendar } from '../ports/calendar/calendar.ts'

// How many requests to one calendar, and to all calendars of a workspace, a process makes at once.
const ofCalendar = bounded({ name: 'calendars', ofKey: 4, waiting: 8 })
const ofWorkspace = bounded({ name: 'workspace_calendars', ofKey: 16, waiting: 0 })

// One server has the calendars of many.
const ofServer = openBreaker({
  isFailure: (error) =>
    error instanceof CalendarTrouble && /^caldav_(?:unreachable|tls|5\d\d)$/.test(error.code),
  resting: (delayMs, error) =>
    new CalendarTrouble(
      error instanceof CalendarTrouble ? error.code : 'caldav_unreachable',
      delayMs,
    ),
})

// Nothing wakes what waits for a calendar.
const heldPollMs = 60_000

/**
 * Uses a calendar on another server. The operation, if somebody waits for one, shows that it waits for the calendar.
 * @throws trouble with a safe code while it cannot be used; the activity is retried.
 */
export async function withCalendar<T>(
  { db, secretKey }: Deps,
  operation: string | null,
  id: string,
  work: (calendar: RemoteCalendar) => Promise<T>,
): Promise<T> {
  try {
    const calendar = await findExternalCalendar(db, id)
    if (!calendar) throw new CalendarTrouble('calendar_missing')
    const use = async () => {
      // Asked once it is its turn, which may take a while.
      const why = await heldWhyNow(db, calendar.workspace)
      if (why === null) {
        const server = URL.parse(calendar.caldav.url)?.host ?? id
        return ofServer.ask(server, () => work(openCalendar(secretKey, calendar)))
      }
      if (operation !== null) await operationWaits(db, operation, 'held', null, why)
      throw trouble('held', `The workspace of the calendar ${id} is held.`, {
        nextRetryDelay: heldPollMs,
      })
    }
    const useInTurn = () => ofWorkspace(calendar.workspace, use)
    const done = await beating(() => ofCalendar(id, useInTurn))
    await noteCalendarProblem(db, id, null)
    if (operation !== null) await operationRuns(db, operation)
    return done
  } catch (error) {
    if (!(error instanceof CalendarTrouble)) throw error
    await noteCalendarProblem(db, id, error.code)
    if (operation !== null) await operationWaits(db, operation, 'calendar')
    throw trouble(
      error.code,
      `The calendar ${id} cannot be used (${error.code}); the activity is retried.`,
      { ...(error.delayMs !== undefined && { nextRetryDelay: error.delayMs }) },
    )
  }
}
