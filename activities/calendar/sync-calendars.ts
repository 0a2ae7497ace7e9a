import { setTimeout as sleep } from 'node:timers/promises'
import * as calendars from '../../db/calendar/calendars.ts'
import {
  cancelDeleted,
  listOurEvents,
  mirrorEvents,
  moveMeeting,
} from '../../db/calendar/meeting-mirror.ts'
import { withoutErased } from '../../db/calendar/without-erased.ts'
import { isUnavailable } from '../../db/database.ts'
import { heldWhyNow } from '../../db/holds.ts'
import type { Occurrence, Window } from '../../rules/calendar/events.ts'
import { beating } from '../common/heartbeat.ts'
import { inLanes } from '../common/lanes.ts'
import type { Deps } from '../deps.ts'
import { openCalendar } from '../ports/calendar/caldav.ts'
import { CalendarTrouble, type RemoteCalendar } from '../ports/calendar/calendar.ts'

type ExternalCalendar = calendars.ExternalCalendar

const day = 24 * 60 * 60 * 1000
// Events that recur without end are expanded this far.
const backMs = 30 * day
const aheadMs = 180 * day
// How many calendars are read at once, so that one server that does not answer holds up few others, and for how long. The activity
// has ten minutes, and the next run comes after five.
const lanes = { atOnce: 8, forMs: 4 * 60_000 }
const most = 2_000
// A check waits for its answer. For a calendar that does not answer by then, its last known events are used.
const checkTimeoutMs = 4000
const checkWaitMs = 10_000

export const syncCalendarsActivities = (deps: Deps) => ({
  /**
   * Updates our copies of the calendars on other servers, for some minutes: those first that were tried longest ago. What is left
   * is the first of the next run. Safe to retry: it reads them again, and those that it has tried come last.
   */
  async syncCalendars(): Promise<void> {
    const { db, clock } = deps
    await beating(async () => {
      const now = clock.now()
      const from = new Date(now.getTime() - backMs)
      const window = { from, to: new Date(now.getTime() + aheadMs) }
      const due = await calendars.listCalendarsToRead(db, now, most)
      await inLanes(due, lanes, async (calendar) => {
        await calendars.noteCalendarTried(db, calendar.id, clock.now())
        await syncAlone(deps, calendar, window)
      })
    })
  },
})

/** A problem with one calendar does not keep the others from being read. */
async function syncAlone(deps: Deps, calendar: ExternalCalendar, window: Window) {
  try {
    await sync(deps, calendar, window)
  } catch (error) {
    if (isUnavailable(error)) throw error
    deps.log.error({ calendar: calendar.id, err: error }, 'the calendar cannot be read')
  }
}

/** Updates our copies of a member's calendars on other servers, as far as those answer within seconds. */
export async function refreshCalendars(deps: Deps, member: string, window: Window): Promise<void> {
  const external = await calendars.listExternalCalendars(deps.db, member)
  const enough = sleep(checkWaitMs, undefined, { ref: false })
  const looks = external.map((calendar) => sync(deps, calendar, window, checkTimeoutMs))
  await beating(() => Promise.race([Promise.all(looks), enough]))
}

async function sync(deps: Deps, calendar: ExternalCalendar, window: Window, timeoutMs?: number) {
  try {
    const remote = openCalendar(deps.secretKey, calendar, timeoutMs)
    await syncWith(deps, calendar, remote, window)
    await calendars.calendarSynced(deps.db, calendar.id, deps.clock.now())
  } catch (error) {
    // It is retried in some minutes; an operator sees the cause at the calendar.
    if (!(error instanceof CalendarTrouble)) throw error
    await calendars.noteCalendarProblem(deps.db, calendar.id, error.code)
  }
}

/**
 * Copies events that were made elsewhere, and deletes the copies of events that are gone there. Our meetings follow their
 * event: if it was moved there, the meeting moves; if it was deleted, the meeting is cancelled. An event of a meeting that we
 * cancelled is removed there, unless the workspace is held.
 */
async function syncWith(
  { db, clock, secretKey }: Deps,
  calendar: ExternalCalendar,
  remote: RemoteCalendar,
  window: Window,
) {
  const listedAt = clock.now()
  const seen = await remote.list(window)
  const uids = [...new Set(seen.map(({ uid }) => uid))]
  const ours = await listOurEvents(db, calendar, window, uids)
  const known = new Map(ours.map((meeting) => [meeting.uid, meeting]))
  const foreign = seen.filter(({ uid }) => !known.has(uid))
  await db.transaction().execute(async (trx) => {
    const events = await withoutErased(trx, secretKey, calendar.workspace, foreign)
    await mirrorEvents(trx, calendar, window, events, listedAt)
  })

  const found = new Map<string, Occurrence>(seen.map((event) => [event.uid, event]))
  for (const meeting of ours) {
    const event = found.get(meeting.uid)
    if (meeting.state === 'cancelled') {
      if (event && (await heldWhyNow(db, calendar.workspace)) === null)
        await remote.remove(meeting.uid)
      continue
    }
    // What was written there after the server was asked is no news.
    const isThere = meeting.remote === 'there' && meeting.remoteAt !== null
    if (!isThere || Number(meeting.remoteAt) >= listedAt.getTime()) continue
    if (event) await moveMeeting(db, meeting, event)
    else {
      // No longer in the window: moved out of it, or deleted.
      const around = {
        from: new Date(meeting.startsAt.getTime() - 400 * day),
        to: new Date(meeting.startsAt.getTime() + 800 * day),
      }
      const moved = (await remote.find(meeting.uid, around))?.[0]
      if (moved) await moveMeeting(db, meeting, moved)
      else await cancelDeleted(db, meeting.id, clock.now())
    }
  }
}
