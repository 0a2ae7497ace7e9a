import { findConnection } from '../../db/accounts/connections.ts'
import { declineProposal, tellMoved } from '../../db/calendar/invitations.ts'
import * as meetings from '../../db/calendar/meetings.ts'
import type { Trx } from '../../db/database.ts'
import { endOperation } from '../../db/operations/operations.ts'
import type { MeetingInput, ProposalInput } from '../../workflows/inputs.ts'
import { refused } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'

// What follows once a meeting stands at another time, or stays in spite of a proposal.

export const moveMeetingActivities = ({ db, clock }: Deps) => {
  return {
    /**
     * Tells the guests of a move and answers the call. Safe to retry: a guest has one mail for each version of the meeting, and
     * ending twice changes nothing.
     */
    async finishMove({ operation, meeting: id }: MeetingInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const meeting = await meetings.lockMeeting(trx, id)
        if (!meeting) return
        // One that was cancelled meanwhile has told them that.
        if (meeting.state === 'booked') await tellMoved(trx, mailOf(meeting))
        await answer(trx, operation, meeting)
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
        const mail = { ...mailOf(meeting), proposal, address: declined.by }
        const account = meeting.connection && (await findConnection(trx, meeting.connection))
        const isOwn = account && account.account.toLowerCase() === declined.by
        if (meeting.state === 'booked' && !isOwn) await declineProposal(trx, mail)
        await answer(trx, operation, meeting)
      })
    },
  }

  function mailOf({ id, workspace, sequence }: meetings.MeetingRow) {
    return { meeting: id, workspace, sequence, now: clock.now() }
  }

  function answer(trx: Trx, operation: string, meeting: meetings.MeetingRow) {
    const result = meetings.presentMeeting(meeting, meeting.timezone)
    return endOperation(trx, operation, { state: 'done', result, status: 200 }, clock.now())
  }
}

const notMoved = (operation: string, id: string) =>
  refused(operation, {
    code: 'invalid_state',
    detail: 'The calendar does not accept the meeting at this time; nobody was told of a move.',
    instance: `/api/v1/calendar/meetings/${id}/move`,
    members: { state: 'booked' },
  })
