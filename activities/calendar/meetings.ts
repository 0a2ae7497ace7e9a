import { findConnection } from '../../db/accounts/connections.ts'
import { listCalendars } from '../../db/calendar/calendars.ts'
import {
  declineProposal,
  findOrganizer,
  inviteGuests,
  tellMoved,
} from '../../db/calendar/invitations.ts'
import * as meetings from '../../db/calendar/meetings.ts'
import type { Db, Trx } from '../../db/database.ts'
import { recordEvent } from '../../db/events/events.ts'
import { endOperation } from '../../db/operations/operations.ts'
import { comparedForm } from '../../rules/addresses.ts'
import type { CheckMeetingInput, MeetingInput, ProposalInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { beating } from '../common/heartbeat.ts'
import { refused } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { movedEventAside } from '../ports/calendar/aside.ts'
import { storedEventOf } from './invitation.ts'
import { refreshCalendars } from './sync-calendars.ts'
import { withCalendar } from './with-calendar.ts'

// What the calls about meetings do outside of Postgres, and what they are answered.

// How many checks of a workspace a process makes at once.
const checking = bounded({ name: 'meeting_checks', ofKey: 8 })

export const meetingActivities = (deps: Deps) => ({
  ...bookingActivities(deps),
  ...movingActivities(deps),

  /**
   * Says what a meeting would conflict with and to whom it would be sent. Safe to retry: it changes nothing. Calendars on
   * other servers are read again if they answer in time; otherwise their last known events count.
   */
  checkMeeting: ({ operation }: CheckMeetingInput) => checkMeeting(deps, operation),
})

const bookingActivities = (deps: Deps) => {
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
          const event = storedEventOf(meeting, await organizerOf(db, meeting), clock.now())
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
          const organizer = await organizerOf(trx, meeting)
          const guests = meeting.guests.filter((address) => address !== organizer?.address)
          await inviteGuests(trx, mailOf(meeting, clock.now()), guests)
        }
        await answer(trx, operation, meeting, clock.now())
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
      if (meeting)
        await db.transaction().execute((trx) => answer(trx, operation, meeting, clock.now()))
    },
  }
}

// What follows once a meeting stands at another time, or stays in spite of a proposal.

const movingActivities = (deps: Deps) => {
  const { db, clock } = deps
  return {
    /**
     * Tells the guests of a move and answers the call. Safe to retry: a guest has one mail for each version of the meeting, and
     * ending twice changes nothing.
     */
    async finishMove({ operation, meeting: id }: MeetingInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const meeting = await meetings.lockMeeting(trx, id)
        if (!meeting) return
        // The cancellation of one that was cancelled meanwhile says so already.
        if (meeting.state === 'booked') await tellMoved(trx, mailOf(meeting, clock.now()))
        await answer(trx, operation, meeting, clock.now())
        await meetings.deleteCheck(trx, operation)
      })
    },

    /**
     * Moves a meeting back that its server does not accept at the new time or that an operator stopped, and refuses its call.
     * Safe to retry: once it is back, or has moved on, nothing changes.
     */
    async refuseMove({ operation, meeting: id }: MeetingInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await meetings.lockMeeting(trx, id)
        const was = (await meetings.findCheck(trx, operation))?.draft.was
        const now = clock.now()
        if (was) await meetings.moveBack(trx, id, was, now)
        await endOperation(trx, operation, notMoved(operation, id), now)
        await meetings.deleteCheck(trx, operation)
      })
    },

    /** Tells a guest that the meeting does not move, and answers the call. Safe to retry: they get one mail for each proposal. */
    async declineProposal({ operation, meeting: id, proposal }: ProposalInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const meeting = await meetings.lockMeeting(trx, id)
        const declined = meeting?.proposals.find((one) => one.id === proposal)
        if (!meeting || !declined) return
        const mail = { ...mailOf(meeting, clock.now()), proposal, address: declined.by }
        const account = meeting.connection && (await findConnection(trx, meeting.connection))
        const isOwn = account && account.account.toLowerCase() === declined.by
        if (meeting.state === 'booked' && !isOwn) await declineProposal(trx, mail)
        await answer(trx, operation, meeting, clock.now())
      })
    },
  }
}

async function checkMeeting(deps: Deps, operation: string): Promise<void> {
  const { db, clock } = deps
  const check = await meetings.findCheck(db, operation)
  if (!check) return
  const { draft, workspace, timezone } = check
  const [asked] = await listCalendars(db, workspace, { id: draft.calendar })
  const time = { startsAt: new Date(draft.startsAt), endsAt: new Date(draft.endsAt) }
  const member = asked?.member ?? ''
  const window = { from: time.startsAt, to: time.endsAt }
  const look = () => refreshCalendars(deps, member, window)
  await beating(() => checking(workspace, look))
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
}

/** The event to store. One of a meeting that was never moved is there by an earlier attempt. */
function changed(meeting: meetings.MeetingRow, current: string | null, next: string) {
  const { workspace, sequence, timezone: zone } = meeting
  if (current === null) return next
  return sequence === 0 ? current : movedEventAside(workspace, { current, next, zone })
}

async function organizerOf(db: Db, { connection }: meetings.MeetingRow) {
  const account = connection ? await findConnection(db, connection) : undefined
  return account && { name: account.memberName, address: account.account.toLowerCase() }
}

const mailOf = ({ id, workspace, sequence, connection }: meetings.MeetingRow, now: Date) => ({
  connection,
  meeting: id,
  workspace,
  sequence,
  now,
})

/** Answers the call with the meeting as it is. */
const answer = (trx: Trx, operation: string, meeting: meetings.MeetingRow, now: Date) =>
  endOperation(
    trx,
    operation,
    { state: 'done', result: meetings.presentMeeting(meeting, meeting.timezone), status: 200 },
    now,
  )

const notTaken = (operation: string) =>
  refused(operation, {
    code: 'invalid_state',
    detail: 'The calendar does not accept this meeting; nobody was invited.',
    instance: '/api/v1/calendar/meetings',
    members: { state: 'cancelled' },
  })

const notMoved = (operation: string, id: string) =>
  refused(operation, {
    code: 'invalid_state',
    detail: 'The calendar does not accept the meeting at this time; nobody was told of a move.',
    instance: `/api/v1/calendar/meetings/${id}/move`,
    members: { state: 'booked' },
  })
