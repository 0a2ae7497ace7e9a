import { findConnection } from '../../db/accounts/connections.ts'
import { listCalendars } from '../../db/calendar/calendars.ts'
import { findOrganizer, inviteGuests } from '../../db/calendar/invitations.ts'
import * as meetings from '../../db/calendar/meetings.ts'
import type { Db, Trx } from '../../db/database.ts'
import { recordEvent } from '../../db/events/events.ts'
import { endOperation } from '../../db/operations/operations.ts'
import { comparedForm } from '../../rules/addresses.ts'
import type { CheckMeetingInput, MeetingInput } from '../../workflows/inputs.ts'
import { inFlightOf } from '../common/bounded.ts'
import { beating } from '../common/heartbeat.ts'
import { refused } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { movedEventAside } from '../ports/calendar/aside.ts'
import { storedEventOf } from './invitation.ts'
import { refreshCalendars } from './sync-calendars.ts'
import { withCalendar } from './with-calendar.ts'

// How many checks of a workspace a process makes at once.
const checks = { most: 8 }

export const meetingActivities = (deps: Deps) => {
  const { db, clock } = deps

  return {
    /**
     * Puts a booked or moved meeting's event on its calendar's server, and removes it again if the meeting was cancelled meanwhile.
     * Safe to retry: the event is stored under the name of its UID, where there is no second one.
     */
    async putEvent({ operation, meeting: id }: MeetingInput): Promise<'done' | 'refused'> {
      const meeting = await meetings.findMeeting(db, id)
      if (!meeting || meeting.remote === 'none') return 'done'
      return withCalendar(deps, operation, meeting.calendar, async (calendar) => {
        if (meeting.state === 'booked') {
          const event = storedEventOf(meeting, await organizerOf(meeting), clock.now())
          deps.crash('before-event')
          const put = await calendar.put(meeting.uid, (current) => changed(meeting, current, event))
          if (put === 'refused') return 'refused'
          deps.crash('after-event')
          if (await meetings.markThere(db, id, clock.now())) return 'done'
        }
        await calendar.remove(meeting.uid)
        await meetings.markGone(db, id, clock.now())
        return 'done'
      })
    },

    /** Invites the guests and answers the call. Safe to retry: a guest has one invitation, and ending twice changes nothing. */
    async finishBooking({ operation, meeting: id }: MeetingInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const meeting = await meetings.lockMeeting(trx, id)
        if (!meeting) return
        if (meeting.state === 'booked') {
          const organizer = await organizerOf(meeting, trx)
          const guests = meeting.guests.filter((address) => address !== organizer?.address)
          const now = clock.now()
          await inviteGuests(trx, { ...mailOf(meeting), sequence: meeting.sequence, now }, guests)
        }
        await answer(trx, operation, meeting)
      })
    },

    /**
     * Cancels a meeting that its server does not accept or that an operator stopped, and refuses its call. Safe to retry:
     * ending twice changes nothing.
     */
    async refuseBooking({ operation, meeting: id }: MeetingInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const meeting = await meetings.lockMeeting(trx, id)
        const now = clock.now()
        if (meeting?.state === 'booked') {
          await meetings.markCancelled(trx, id)
          await recordEvent(trx, {
            workspace: meeting.workspace,
            at: now,
            kind: 'meeting.cancelled',
            resource: id,
            data: { state: 'cancelled' },
          })
        }
        await endOperation(trx, operation, notTaken(operation), now)
      })
    },

    /** Removes a cancelled meeting's event from its calendar's server. Safe to retry: an event that is gone stays gone. */
    async removeEvent({ operation, meeting: id }: MeetingInput): Promise<void> {
      const meeting = await meetings.findMeeting(db, id)
      if (!meeting || meeting.remote === 'none' || meeting.remote === 'gone') return
      await withCalendar(deps, operation, meeting.calendar, async (calendar) => {
        await calendar.remove(meeting.uid)
        deps.crash('after-removal')
        await meetings.markGone(db, id, clock.now())
      })
    },

    /** Answers a cancel. Safe to retry: ending twice changes nothing. */
    async finishCancel({ operation, meeting: id }: MeetingInput): Promise<void> {
      const meeting = await meetings.findMeeting(db, id)
      if (meeting) await db.transaction().execute((trx) => answer(trx, operation, meeting))
    },

    /**
     * Says what a meeting would conflict with and to whom it would be sent. Safe to retry: it changes nothing. Calendars on
     * other servers are read again if they answer in time; otherwise their last known events count.
     */
    async checkMeeting({ operation }: CheckMeetingInput): Promise<void> {
      const check = await meetings.findCheck(db, operation)
      if (!check) return
      const { draft, workspace, timezone } = check
      const [asked] = await listCalendars(db, workspace, { id: draft.calendar })
      const time = { startsAt: new Date(draft.startsAt), endsAt: new Date(draft.endsAt) }
      const member = asked?.member ?? ''
      const window = { from: time.startsAt, to: time.endsAt }
      const look = () => refreshCalendars(deps, member, window)
      await beating(() => inFlightOf(`meeting checks ${workspace}`, checks, look))
      const calendars = (await listCalendars(db, workspace, { member })).map(({ id }) => id)
      const { meeting } = draft
      const found = { ...time, ...(meeting !== undefined && { meeting }) }
      const conflicts = await meetings.listConflicts(db, workspace, calendars, found)
      const organizer = await findOrganizer(db, workspace, member)
      const own = organizer && comparedForm(organizer.account)
      const result = {
        check: true,
        meeting: meetings.presentDraft(draft, timezone),
        conflicts: conflicts.map((row) => meetings.presentMeeting(row, timezone)),
        writesTo: draft.guests.filter((address) => address !== own),
      }
      await db.transaction().execute(async (trx) => {
        await endOperation(trx, operation, { state: 'done', result, status: 200 }, clock.now())
        await meetings.deleteCheck(trx, operation)
      })
    },
  }

  /** The event to store. One of a meeting that was never moved is there by an earlier attempt. */
  function changed(meeting: meetings.MeetingRow, current: string | null, next: string) {
    const { workspace, sequence, timezone: zone } = meeting
    if (current === null) return next
    return sequence === 0 ? current : movedEventAside(workspace, { current, next, zone })
  }

  async function organizerOf({ connection }: meetings.MeetingRow, trx: Db = db) {
    const account = connection ? await findConnection(trx, connection) : undefined
    return account && { name: account.memberName, address: account.account.toLowerCase() }
  }

  function answer(trx: Trx, operation: string, meeting: meetings.MeetingRow) {
    const result = meetings.presentMeeting(meeting, meeting.timezone)
    return endOperation(trx, operation, { state: 'done', result, status: 200 }, clock.now())
  }
}

const mailOf = ({ id, workspace }: meetings.MeetingRow) => ({ meeting: id, workspace })

const notTaken = (operation: string) =>
  refused(operation, {
    code: 'invalid_state',
    detail: 'The calendar does not accept this meeting; nobody was invited.',
    instance: '/api/v1/calendar/meetings',
    members: { state: 'cancelled' },
  })
