import { type SqlBool, sql } from 'kysely'
import { returnUnit, takeUnit } from '../accounts/connections.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { lease } from '../outgoing/leases.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { wakeNext } from './message-turns.ts'

// The life of one outgoing message as guarded statements: queued → sending → sent, failed or queued again.

/** With a connection, only where it goes through that one. */
export const findOutgoing = (db: Db, id: string, connection?: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .innerJoin('workspaces', 'workspaces.id', 'messages.workspace')
    .selectAll('messages')
    .select([
      'conversations.person',
      'conversations.owner',
      'conversations.kind',
      'workspaces.timezone',
      // Only of an address that is somebody's: a message may go to any.
      sql<string | null>`(select p.name from addresses a join people p on p.id = a.person
        where a.workspace = messages.workspace and a.kind = 'email'
          and a.value = lower(messages.to_address))`.as('toName'),
    ])
    .where('messages.id', '=', id)
    .$if(connection !== undefined, (q) => q.where('messages.connection', '=', connection as string))
    .executeTakeFirst()

export type OutgoingRow = NonNullable<Awaited<ReturnType<typeof findOutgoing>>>

/** Writes the marker of an attempt; false when the message is no longer queued. The Message-ID stays for ever. */
export async function claimMessage(
  trx: Trx,
  message: OutgoingRow,
  claim: { attempt: string; messageId: string; now: Date; day: string },
): Promise<boolean> {
  const row = await trx
    .updateTable('messages')
    .set((eb) => ({
      state: 'sending',
      reason: null,
      attempt: claim.attempt,
      tries: eb('tries', '+', 1),
      messageId: eb.fn.coalesce('messageId', eb.val(claim.messageId)),
      claimedAt: claim.now,
      claimedDay: claim.day,
      leasedUntil: lease,
      firstClaimedAt: eb.fn.coalesce('firstClaimedAt', eb.val(claim.now)),
    }))
    .where('id', '=', message.id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  if (row) await takeUnit(trx, message.connection as string, claim.day)
  return row !== undefined
}

/** What a settlement may write over: the marker of this attempt, or for `null` one that is unconfirmed or abandoned. */
export type Marker = { message: OutgoingRow; attempt: string | null; now: Date }

const underMarker = (trx: Trx, { message, attempt }: Marker) =>
  trx
    .updateTable('messages')
    .where('id', '=', message.id)
    .where('state', '=', 'sending')
    .$if(attempt !== null, (q) => q.where('attempt', '=', attempt as string))

export async function messageSent(trx: Trx, marker: Marker & { externalId?: string | undefined }) {
  const { message, now } = marker
  const lateMs = now.getTime() - (message.dueAt ?? now).getTime()
  const row = await underMarker(trx, marker)
    .set({
      state: 'sent',
      reason: null,
      attempt: null,
      ...(marker.externalId && { externalId: marker.externalId }),
      sentAt: now,
      at: now,
      lateBySeconds: Math.max(0, Math.floor(lateMs / 1000)),
    })
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await trx
    .updateTable('conversations')
    .set({ lastMessageAt: now, waitingFor: 'client', waitingSince: now })
    .where('id', '=', message.conversation)
    .execute()
  await happened(trx, message, now, 'message.sent', 'sent')
  await wake(trx, message, now)
}

/** Not accepted and never will be: its unit goes back, its owner is told. */
export async function messageFailed(
  trx: Trx,
  marker: Marker & { reason: string; code?: string | null },
) {
  const { message, now, reason, code = null } = marker
  const row = await underMarker(trx, marker)
    .set({ state: 'failed', reason, code, attempt: null })
    .returning(['connection', 'claimedDay'])
    .executeTakeFirst()
  if (!row) return
  await returnUnit(trx, row.connection as string, row.claimedDay as string)
  await tell(trx, message, now, 'message.failed', 'A message could not be delivered.')
  await happened(trx, message, now, 'message.failed', 'failed', reason)
  await wake(trx, message, now)
}

/** It was taken, and came back all the same: its unit stays used, its owner is told. */
export async function messageReturned(trx: Trx, message: OutgoingRow, reason: string, now: Date) {
  const row = await trx
    .updateTable('messages')
    .set({ state: 'failed', reason })
    .where('id', '=', message.id)
    .where('state', '=', 'sent')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await tell(trx, message, now, 'message.failed', 'A message that was sent could not be delivered.')
  await happened(trx, message, now, 'message.failed', 'failed', reason)
}

/** Queued or not, it must not go: refused at its claim. */
export async function messageForbidden(trx: Trx, message: OutgoingRow, reason: string, now: Date) {
  await trx
    .updateTable('messages')
    .set({ state: 'failed', reason })
    .where('id', '=', message.id)
    .where('state', '=', 'queued')
    .execute()
  await tell(trx, message, now, 'message.failed', 'A message was not sent.')
  await happened(trx, message, now, 'message.failed', 'failed', reason)
  await wake(trx, message, now)
}

/** Put off by the server, or (null) to be sent anew: queued again; unit and marker go back. */
export async function messageDeferred(trx: Trx, marker: Marker & { nextTryAt: Date | null }) {
  const { nextTryAt } = marker
  const row = await underMarker(trx, marker)
    .set({
      state: 'queued',
      reason: null,
      attempt: null,
      nextTryAt,
      ...(nextTryAt === null && { firstClaimedAt: null }),
    })
    .returning(['connection', 'claimedDay'])
    .executeTakeFirst()
  if (!row) return
  await returnUnit(trx, row.connection as string, row.claimedDay as string)
  await wakeNext(trx, marker.message, marker.now)
}

/** Nobody knows whether it was taken: it stays `sending`, its unit stays used, and its owner is told. */
export async function messageUnconfirmed(trx: Trx, marker: Marker) {
  const row = await underMarker(trx, marker)
    .set({ reason: 'unconfirmed' })
    .where('reason', 'is', null)
    .returning(['id', 'messageId', 'senderHandle as account'])
    .executeTakeFirst()
  if (!row) return
  const text = unconfirmedWords('a message', row)
  await tell(trx, marker.message, marker.now, 'message.unconfirmed', text)
  await happened(trx, marker.message, marker.now, 'message.unconfirmed', 'sending', 'unconfirmed')
  await wake(trx, marker.message, marker.now)
}

/** A person has looked: sent, or again with the same Message-ID. False when there is nothing to resolve. */
export async function resolveMessage(
  trx: Trx,
  message: OutgoingRow,
  outcome: 'sent' | 'again',
  now: Date,
) {
  if (message.state !== 'sending' || message.reason !== 'unconfirmed') return false
  const marker = { message, attempt: null, now }
  if (outcome === 'sent') await messageSent(trx, marker)
  else await messageDeferred(trx, { ...marker, nextTryAt: null })
  return true
}

/** Messages of an account that nobody has confirmed. */
export const listUnconfirmed = async (db: Db, connection: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('connection', '=', connection)
    .where('state', '=', 'sending')
    .where('reason', '=', 'unconfirmed')
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}

/** The next try is now. */
export const retryMessageNow = (db: Db, id: string) =>
  db
    .updateTable('messages')
    .set({ nextTryAt: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

/** Evidence that a letter went: something came in that refers to its Message-ID, or it lies in a Sent folder. */
export async function isReferredTo(db: Db, workspace: string, messageId: string): Promise<boolean> {
  const referring = db
    .selectFrom('messages')
    .select('workspace')
    .where('workspace', '=', workspace)
    .where('direction', '=', 'inbound')
    .where('inReplyTo', '=', messageId)
    .where('suspect', '=', false)
    .where((eb) => eb.or([eb('report', 'is', null), sql<SqlBool>`(report ->> 'proven')::boolean`]))
  const filed = db
    .selectFrom('sentEvidence')
    .select('workspace')
    .where('workspace', '=', workspace)
    .where('messageId', '=', messageId)
  return (await referring.unionAll(filed).limit(1).executeTakeFirst()) !== undefined
}

// Its own workflow, which may be parked, and those whose turn it is now.
async function wake(trx: Trx, message: OutgoingRow, now: Date) {
  if (message.reason === 'unconfirmed' && message.operation)
    await enqueueSignal(trx, message.operation, 'changed')
  await wakeNext(trx, message, now)
}

function happened(
  trx: Trx,
  { id, workspace, conversation, person, connection }: OutgoingRow,
  at: Date,
  kind: 'message.sent' | 'message.failed' | 'message.unconfirmed',
  state: string,
  reason: string | null = null,
) {
  const data = { conversation, person, connection, state, reason }
  return recordEvent(trx, { workspace, kind, at, resource: id, data })
}

async function tell(trx: Trx, message: OutgoingRow, at: Date, kind: string, text: string) {
  const { workspace, conversation, owner } = message
  const member =
    owner ??
    (
      await trx
        .selectFrom('connections')
        .select('member')
        .where('id', '=', message.connection)
        .executeTakeFirst()
    )?.member
  if (member) await notify(trx, { workspace, member, at, kind, text, conversation })
}

/** Locks a message's row until the transaction ends and reads it. */
export async function lockOutgoing(trx: Trx, id: string): Promise<OutgoingRow | undefined> {
  await sql`select id from messages where id = ${id} for update`.execute(trx)
  return findOutgoing(trx, id)
}
