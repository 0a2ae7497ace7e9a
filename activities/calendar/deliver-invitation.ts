import { lockConnection } from '../../db/accounts/connections.ts'
import { findSuppression } from '../../db/accounts/suppressions.ts'
import * as invitations from '../../db/calendar/invitations.ts'
import { findMeeting, type MeetingRow, shareBooked } from '../../db/calendar/meetings.ts'
import { isReferredTo } from '../../db/conversations/message-sending.ts'
import type { Trx } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { messageIdOf, nextTry } from '../../rules/outgoing.ts'
import { dayIn, nextDayIn } from '../../rules/pace.ts'
import type { InvitationInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { byOperator } from '../common/operator.ts'
import { outcomeOf, tellOutcome } from '../common/outcomes.ts'
import { trouble } from '../common/trouble.ts'
import type { Deps } from '../deps.ts'
import { handOver } from '../outgoing/handover.ts'
import { untilAbandoned } from '../outgoing/lease.ts'
import { iMipOf, letterOf } from './invitation.ts'

type InvitationRow = invitations.InvitationRow

/** What the workflow does next. Instants are ISO 8601, delays milliseconds from the moment of the answer. */
export type InvitationStep =
  | { do: 'deliver' }
  | { do: 'end'; outcome?: Outcome }
  | { do: 'park'; letter?: InHand }
  | { do: 'wait'; for: 'next_try' | 'request'; until: string | null; delayMs: number }

// A mail that is being handed over is settled within seconds, or found abandoned.
const requestPollMs = 5000
// An account invites as many guests a day as its limit allows letters, and in any case those of one meeting.
const leastGuests = 20

export const deliverInvitationActivities = (deps: Deps) => {
  const { db, clock } = deps
  const load = (id: string) => invitations.findInvitation(db, id)

  return {
    /** Reads the row and says what is next. Safe to retry: it only reads, or ends what nobody needs. */
    async invitationStep({ invitation: id }: InvitationInput): Promise<InvitationStep> {
      const invitation = await load(id)
      const now = clock.now()
      if (invitation?.state === 'sending')
        return invitation.reason === 'unconfirmed'
          ? { do: 'park', letter: { connection: invitation.connection } }
          : { do: 'deliver' }
      if (invitation?.state !== 'queued') return { do: 'end', outcome: outcomeOf(invitation) }
      if (invitation.method === 'cancel') {
        const request = await invitations.findRequest(db, invitation)
        if (request?.state === 'sending' && request.reason === null)
          return { do: 'wait', for: 'request', until: null, delayMs: requestPollMs }
      }
      const { nextTryAt } = invitation
      if (!nextTryAt || nextTryAt <= now) return { do: 'deliver' }
      const delayMs = nextTryAt.getTime() - now.getTime()
      return { do: 'wait', for: 'next_try', until: nextTryAt.toISOString(), delayMs }
    },

    /**
     * One attempt to deliver. Safe to retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    async deliverInvitation({ invitation: id }: InvitationInput): Promise<void> {
      const invitation = await load(id)
      if (!invitation || (invitation.state === 'sending' && invitation.reason !== null)) return
      await deliver(invitation)
      tellOutcome(deps, 'invitation', invitation, await load(id))
    },

    /** Safe to retry: only one that is still queued is cancelled. */
    async cancelInvitation({ invitation }: InvitationInput): Promise<void> {
      const before = await load(invitation)
      await invitations.cancelInvitation(db, invitation)
      tellOutcome(deps, 'invitation', before, await load(invitation))
    },

    /** What a person found out about an unconfirmed one. Safe to retry: it acts on an unconfirmed one only. */
    async resolveInvitation(
      input: InvitationInput & { outcome: 'sent' | 'again'; update?: string | undefined },
    ): Promise<void> {
      const before = await load(input.invitation)
      const by = await byOperator(deps, input.update)
      await db.transaction().execute(async (trx) => {
        const row = await invitations.lockInvitation(trx, input.invitation)
        if (!row) return
        const now = clock.now()
        if (!(await invitations.resolveInvitation(trx, row, input.outcome, now))) return
        await recordAudit(trx, {
          ...by,
          workspace: row.workspace,
          at: now,
          action: 'invitation.resolved',
          resource: row.id,
          after: { outcome: input.outcome },
        })
      })
      tellOutcome(deps, 'invitation', before, await load(input.invitation))
    },

    /** Safe to retry: the next try is now. */
    async retryInvitationNow({ invitation }: InvitationInput): Promise<void> {
      await invitations.retryInvitationNow(db, invitation)
    },
  }

  async function deliver(invitation: InvitationRow) {
    if (invitation.state === 'sending') return reconcile(invitation)
    // Before the account is opened too: one that cannot be must not be tried for ever on behalf of a meeting that is over.
    if (!(await db.transaction().execute((trx) => mayGo(trx, invitation)))) return
    const meeting = await findMeeting(db, invitation.meeting)
    if (meeting) await attempt(invitation, meeting)
  }

  async function attempt(invitation: InvitationRow, meeting: MeetingRow) {
    const connection = meeting.connection ?? (await organizerOf(meeting))
    const request =
      invitation.method === 'cancel' ? await invitations.findRequest(db, invitation) : undefined
    // Before the account is opened: many may wait for the same day.
    if (!(await db.transaction().execute((trx) => isWithinDay(trx, invitation, connection)))) return
    let messageId = invitation.messageId ?? ''
    await handOver(deps, {
      row: { table: 'invitations', id: invitation.id },
      connection,
      to: invitation.address,
      letter: ({ account, memberName }) => {
        messageId ||= messageIdOf(invitation.id, account)
        const organizer = { name: memberName, address: account }
        const invited = { ...meeting, sequence: invitation.sequence }
        const now = clock.now()
        return {
          ...letterOf(invitation.method, meeting, organizer),
          messageId,
          inReplyTo: request?.messageId ?? null,
          references: request?.messageId ? [request.messageId] : [],
          automated: true,
          calendar: {
            method: invitation.method,
            content: iMipOf(invitation.method, invited, organizer, now),
          },
          date: now,
        }
      },
      async claim(trx, marker) {
        if (!(await mayGo(trx, invitation))) return false
        if (!(await isWithinDay(trx, invitation, connection))) return false
        const now = clock.now()
        const day = dayIn(invitation.timezone, now)
        const claim = { connection, attempt: marker, messageId, now, day }
        return invitations.claimInvitation(trx, invitation.id, claim)
      },
      async settle(trx, marker, handover) {
        const now = clock.now()
        // Read anew: it may have been found unconfirmed meanwhile, and its workflow parked.
        const current = (await invitations.lockInvitation(trx, invitation.id)) as InvitationRow
        const under = { invitation: current, attempt: marker, now }
        if (handover.kind === 'accepted') await invitations.invitationSent(trx, under)
        else if (handover.kind === 'refused')
          await invitations.invitationFailed(trx, { ...under, reason: 'refused' })
        else if (handover.kind === 'unknown') await invitations.invitationUnconfirmed(trx, under)
        else {
          const nextTryAt = nextTry(current, now)
          if (nextTryAt) await invitations.invitationDeferred(trx, { ...under, nextTryAt })
          else await invitations.invitationFailed(trx, { ...under, reason: 'undeliverable' })
        }
      },
      held: async () => {},
    })
  }

  /**
   * Everything that may forbid it, with the meeting kept as it is until the transaction ends. A cancellation goes only to
   * whom the invitation reached, or may have reached.
   */
  async function mayGo(trx: Trx, invitation: InvitationRow): Promise<boolean> {
    const booked = await shareBooked(trx, invitation.meeting)
    const now = clock.now()
    const request =
      invitation.method === 'cancel' ? await invitations.findRequest(trx, invitation) : undefined
    const reached = request?.state === 'sent' || request?.state === 'sending'
    if (invitation.method === 'cancel' ? !reached : !booked) {
      await invitations.cancelInvitation(trx, invitation.id)
      return false
    }
    // Being handed over at this moment: what becomes of it is waited for.
    if (request?.state === 'sending' && request.reason === null) return false
    const reason =
      invitation.endsAt <= now
        ? 'too_late'
        : (await findSuppression(trx, invitation.workspace, invitation.address))
          ? 'suppressed'
          : undefined
    if (!reason) return true
    await invitations.invitationForbidden(trx, { invitation, now }, reason)
    return false
  }

  /**
   * Whether the account may invite one more guest today, with the account locked until the transaction ends. One that may not
   * waits for the next day of its workspace. Cancellations go in any case: as many as invitations went.
   */
  async function isWithinDay(trx: Trx, invitation: InvitationRow, connection: string) {
    const { limitDay } = await lockConnection(trx, connection)
    if (invitation.method === 'cancel') return true
    const now = clock.now()
    const day = dayIn(invitation.timezone, now)
    const { workspace } = invitation
    const invited = await invitations.countInvited(trx, { workspace, connection, day })
    if (invited < Math.max(limitDay, leastGuests)) return true
    const nextTryAt = nextDayIn(invitation.timezone, now)
    await invitations.invitationWaits(trx, { invitation, now, day, nextTryAt })
    return false
  }

  /** @throws trouble while the workspace has no account to invite from: an operator may add one. */
  async function organizerOf({ id, workspace, member }: MeetingRow): Promise<string> {
    const found = await invitations.findOrganizer(db, workspace, member)
    if (!found)
      throw trouble('no_sender', 'The workspace has no e-mail account; it is tried again.')
    await invitations.keepOrganizer(db, id, found.id)
    return (await findMeeting(db, id))?.connection ?? found.id
  }

  // Another attempt has claimed it. Once that is gone only evidence makes it sent; absence of evidence proves nothing.
  async function reconcile(invitation: InvitationRow) {
    await untilAbandoned(db, { table: 'invitations', id: invitation.id })
    const { messageId, workspace } = invitation
    const arrived = messageId && (await isReferredTo(db, workspace, messageId))
    await db.transaction().execute(async (trx) => {
      const marker = { invitation, attempt: invitation.attempt, now: clock.now() }
      if (arrived) await invitations.invitationSent(trx, marker)
      else await invitations.invitationUnconfirmed(trx, marker)
    })
  }
}
