import { guestWords } from '../../rules/failure-words.ts'
import { findConnection } from '../accounts/connections.ts'
import type { Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import {
  type Kind,
  type Marker,
  markDeferred,
  markFailed,
  markForbidden,
  markSent,
  markUnconfirmed,
  type Refusal,
} from '../outgoing/life.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { findInvitation, type InvitationRow, lockInvitation } from './invitations.ts'

// The life of a mail to a guest. The calendar's member is notified of problems.

type Of = Marker<InvitationRow>
/** What a report says about a mail that came back. */
type Told = Pick<Refusal, 'code' | 'said'>

async function failed(trx: Trx, marker: Of, refusal: Refusal) {
  if (await markFailed(trx, 'invitations', marker, refusal.reason))
    await tell(trx, marker.letter, marker.now, guestWords(marker.letter, refusal))
}

async function unconfirmed(trx: Trx, marker: Of) {
  const row = await markUnconfirmed(trx, 'invitations', marker)
  if (!row) return
  const account = await findConnection(trx, row.connection)
  const named = { ...row, account: account?.account ?? '' }
  await tell(
    trx,
    marker.letter,
    marker.now,
    unconfirmedWords('a mail to a guest of a meeting', named),
  )
}

export const invitationKind: Kind<InvitationRow> = {
  table: 'invitations',
  resource: 'invitation',
  name: 'invitation',
  find: findInvitation,
  lock: (trx, { id }) => lockInvitation(trx, id),
  sent: (trx, marker) => markSent(trx, 'invitations', marker),
  failed,
  deferred: (trx, marker, nextTryAt) => markDeferred(trx, 'invitations', marker, nextTryAt),
  unconfirmed,
}

/** The mail was accepted but bounced later: its unit stays used, and the calendar's member is notified. */
export async function failInvitation(
  trx: Trx,
  { workspace, id, now, ...told }: { workspace: string; id: string; now: Date } & Told,
) {
  const row = await trx
    .updateTable('invitations')
    .set({ state: 'failed', reason: 'bounced', attempt: null })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('state', 'in', ['sent', 'sending'])
    .returning('id')
    .executeTakeFirst()
  const invitation = row && (await findInvitation(trx, id))
  if (!invitation) return
  // The invitation's workflow may be waiting for this.
  await enqueueSignal(trx, id, 'changed', [], { workspace })
  await tell(trx, invitation, now, guestWords(invitation, { reason: 'bounced', ...told }))
}

/** A queued mail must not go: it was refused before its claim or by it. */
export async function invitationForbidden(
  trx: Trx,
  invitation: InvitationRow,
  reason: string,
  now: Date,
) {
  if (await markForbidden(trx, { table: 'invitations', id: invitation.id }, reason))
    await tell(trx, invitation, now, guestWords(invitation, { reason }))
}

function tell(trx: Trx, { workspace, member }: InvitationRow, at: Date, text: string) {
  return notify(trx, { workspace, member, at, kind: 'meeting.invitation', text })
}
