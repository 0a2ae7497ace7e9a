import {
  type ConnectionRow,
  findConnection,
  lockConnection,
} from '../../db/accounts/connections.ts'
import { restOf } from '../../db/accounts/rests.ts'
import { findSuppression } from '../../db/accounts/suppressions.ts'
import { invitationForbidden, invitationKind } from '../../db/calendar/invitation-life.ts'
import * as invitations from '../../db/calendar/invitations.ts'
import { findMeeting, type MeetingRow, shareBooked } from '../../db/calendar/meetings.ts'
import type { Db, Trx } from '../../db/database.ts'
import { isHeldNow } from '../../db/holds.ts'
import { claim, isUnconfirmed, retryNow } from '../../db/outgoing/life.ts'
import { dayIn, nextDayIn } from '../../rules/hours.ts'
import { connectionRemoved, messageIdOf } from '../../rules/outgoing.ts'
import type { Asked, InvitationInput } from '../../workflows/inputs.ts'
import type { Outcome } from '../../workflows/outcome.ts'
import type { InHand } from '../../workflows/signals.ts'
import { trouble } from '../common/failures.ts'
import { outcomeOf, tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { type Claimant, handOver, type Unsigned } from '../outgoing/handover.ts'
import { heldPollMs } from '../outgoing/held.ts'
import { waitFor } from '../outgoing/resting.ts'
import { type Resolution, reconcile, resolve } from '../outgoing/settle.ts'
import { iMipOf, iTipMethods, letterOf } from './invitation.ts'

type InvitationRow = invitations.InvitationRow

/** What the workflow does next. Instants are ISO 8601; delays are milliseconds from the moment of the answer. */
export type InvitationStep =
  | { do: 'deliver' }
  | { do: 'end'; outcome?: Outcome }
  | { do: 'park'; letter?: InHand }
  | { do: 'wait'; for: 'next_try' | 'request' | 'held'; until: string | null; delayMs: number }

/** The account that it goes through while it waits, once that is known. */
type Through = { connection?: string }

// A mail that is being handed over is settled within seconds, or found abandoned.
const requestPollMs = 5000
// Nothing wakes a mail about a meeting when its account works again.
const restPollMs = 10 * 60_000
// The account's daily limit of letters also limits how many guests it invites a day, but it may always invite those of one
// meeting.
const leastGuests = 20

export const deliverInvitationActivities = (deps: Deps) => {
  const { db, letters = db, clock } = deps
  const load = (id: string, within: Db = db) => invitations.findInvitation(within, id)

  return {
    /** Reads the row and says what is next. Safe to retry: it only reads. */
    async invitationStep({ invitation: id }: InvitationInput): Promise<InvitationStep & Through> {
      const invitation = await load(id)
      const step = await stepOf(invitation)
      const connection = invitation?.connection ?? invitation?.organizer
      return step.do !== 'deliver' && step.do !== 'end' && connection
        ? { ...step, connection }
        : step
    },

    /**
     * One attempt to deliver. Safe to retry: an attempt that finds another attempt's marker never sends, it reconciles.
     */
    async deliverInvitation({ invitation: id, asked }: InvitationInput & Asked): Promise<void> {
      const invitation = await load(id)
      if (!invitation || (invitation.state === 'sending' && invitation.reason !== null)) return
      await deliver(invitation, asked)
      tellOutcome(deps, 'invitation', invitation, await load(id))
    },

    /** Safe to retry: only one that is still queued is cancelled. */
    async cancelInvitation({ invitation }: InvitationInput): Promise<void> {
      const before = await load(invitation)
      await invitations.cancelInvitation(db, invitation)
      tellOutcome(deps, 'invitation', before, await load(invitation))
    },

    /** Writes down what a person found out about an unconfirmed invitation. Safe to retry: only an unconfirmed one is changed. */
    resolveInvitation({ invitation, ...found }: InvitationInput & Resolution): Promise<void> {
      return resolve(deps, invitationKind, invitation, found)
    },

    /** Makes the next try due now. Safe to retry: making it due twice changes nothing. */
    async retryInvitationNow({ invitation }: InvitationInput): Promise<void> {
      await retryNow(db, { table: 'invitations', id: invitation })
    },
  }

  async function stepOf(invitation: InvitationRow | undefined): Promise<InvitationStep> {
    const now = clock.now()
    if (invitation?.state === 'sending')
      return isUnconfirmed(invitation)
        ? { do: 'park', letter: { connection: invitation.connection } }
        : { do: 'deliver' }
    if (invitation?.state !== 'queued') return { do: 'end', outcome: outcomeOf(invitation) }
    if (invitation.heldWhy !== null)
      return { do: 'wait', for: 'held', until: null, delayMs: heldPollMs }
    if (invitation.method !== 'request') {
      const request = await invitations.findRequest(db, invitation)
      if (request?.state === 'sending' && request.reason === null)
        return { do: 'wait', for: 'request', until: null, delayMs: requestPollMs }
    }
    const rest = invitation.connection && (await restOf(db, invitation.connection, 'smtp'))
    if (rest && rest.probeAt > now)
      return {
        ...{ do: 'wait', for: 'next_try', until: rest.probeAt.toISOString() },
        delayMs: Math.min(waitFor(rest, now), restPollMs),
      }
    const { nextTryAt } = invitation
    if (!nextTryAt || nextTryAt <= now) return { do: 'deliver' }
    const delayMs = nextTryAt.getTime() - now.getTime()
    return { do: 'wait', for: 'next_try', until: nextTryAt.toISOString(), delayMs }
  }

  async function deliver(invitation: InvitationRow, asked: Asked['asked']) {
    if (invitation.state === 'sending') return reconcile(deps, invitationKind, invitation)
    // Checked before the account is opened too: an account that cannot be opened must not be tried forever for a meeting that
    // is over.
    if (!(await db.transaction().execute((trx) => mayGo(trx, invitation)))) return
    const meeting = await findMeeting(db, invitation.meeting)
    if (meeting) await attempt(invitation, meeting, asked)
  }

  async function attempt(
    invitation: InvitationRow,
    meeting: MeetingRow,
    asked: Asked['asked'],
  ): Promise<void> {
    const connection = meeting.connection ?? (await organizerOf(meeting))
    // Checked before the account is opened, because many invitations may wait for the same day.
    if (!(await db.transaction().execute((trx) => mayGoThrough(trx, invitation, connection))))
      return
    await handOver(deps, {
      kind: invitationKind,
      id: invitation.id,
      account: await findConnection(db, connection),
      asked,
      claim: (by) => letters.transaction().execute((trx) => claimed(trx, invitation, by)),
      letter: (one, { account }) => letterThrough(one, account),
    })
  }

  /** Checks everything that may forbid the invitation, and reads what it says while its meeting is locked. */
  async function claimed(trx: Trx, { id, meeting: of }: InvitationRow, by: Claimant) {
    const invitation = await load(id, trx)
    if (!invitation || !(await mayGo(trx, invitation))) return undefined
    if (!(await mayGoThrough(trx, invitation, by.account.id))) return undefined
    const meeting = await findMeeting(trx, of)
    if (!meeting) return undefined
    const request = await requestOf(trx, invitation)
    if (await isHeldNow(trx, invitation.workspace, by.account.id)) return undefined
    const now = clock.now()
    const messageId = invitation.messageId ?? messageIdOf(id, by.account.account)
    const day = dayIn(invitation.timezone, now)
    const marker = { connection: by.account.id, attempt: by.attempt, messageId, now, day }
    if (!(await claim(trx, { table: 'invitations', id }, marker))) return undefined
    return { ...invitation, messageId, meetingRow: meeting, answers: request?.messageId ?? null }
  }

  type Claimed = NonNullable<Awaited<ReturnType<typeof claimed>>>

  function letterThrough(
    { meetingRow: meeting, answers, ...invitation }: Claimed,
    { account, memberName }: ConnectionRow,
  ): Unsigned {
    const organizer = { name: memberName, address: account }
    const invited = { ...meeting, sequence: invitation.sequence }
    const proposal = meeting.proposals.find(({ id }) => id === invitation.proposal)
    const now = clock.now()
    return {
      ...letterOf(invitation.method, meeting, organizer, proposal),
      to: invitation.address,
      messageId: invitation.messageId,
      inReplyTo: answers,
      references: answers === null ? [] : [answers],
      automated: true,
      calendar: {
        method: iTipMethods[invitation.method],
        content: iMipOf(invitation.method, invited, organizer, now),
      },
      date: now,
    }
  }

  /**
   * Checks everything that may forbid the invitation, with the meeting locked until the transaction ends. A cancellation goes
   * only to guests whom the invitation has reached, or may have reached.
   */
  async function mayGo(trx: Trx, invitation: InvitationRow): Promise<boolean> {
    const booked = await shareBooked(trx, invitation.meeting)
    const now = clock.now()
    const request = await requestOf(trx, invitation)
    const reached = request?.state === 'sent' || request?.state === 'sending'
    if (invitation.method === 'cancel' ? !reached : !booked) {
      await invitations.cancelInvitation(trx, invitation.id)
      return false
    }
    // The invitation is being handed over at this moment; the cancellation waits for the outcome.
    if (request?.state === 'sending' && request.reason === null) return false
    const reason =
      invitation.endsAt <= now
        ? 'too_late'
        : (await findSuppression(trx, invitation.workspace, invitation.address))
          ? 'suppressed'
          : undefined
    if (!reason) return true
    await invitationForbidden(trx, invitation, reason, now)
    return false
  }

  /**
   * Whether the account is still there and may invite one more guest today, with the account locked until the transaction ends. An invitation
   * beyond the limit waits for the next day in its workspace's zone. Other mails are not limited: they go to guests who were
   * invited.
   */
  async function mayGoThrough(trx: Trx, invitation: InvitationRow, connection: string) {
    const { limitDay, removedAt } = await lockConnection(trx, connection)
    if (removedAt) {
      await invitationForbidden(trx, invitation, connectionRemoved, clock.now())
      return false
    }
    if (invitation.method !== 'request') return true
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
      throw trouble(
        'no_sender',
        'The workspace has no e-mail account to send from; the invitation is retried.',
      )
    await invitations.keepOrganizer(db, id, found.id)
    return (await findMeeting(db, id))?.connection ?? found.id
  }
}

/** The invitation that a mail follows. */
const requestOf = async (db: Db, invitation: InvitationRow) =>
  invitation.method === 'request' ? undefined : invitations.findRequest(db, invitation)
