import { type SqlBool, sql } from 'kysely'
import {
  type ConnectionRow,
  findConnection,
  returnUnit,
  takeUnit,
} from '../accounts/connections.ts'
import type { Db, Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { lease } from '../outgoing/leases.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { membership } from './leaving.ts'
import { findTouch, type TouchRow, touchHappened } from './touches.ts'

// The life of one campaign letter as guarded statements: queued → sending → sent, failed or queued again.

const refusals = {
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  suppressed: 'suppressed',
  replied: 'replied',
  gone: 'left_segment',
} as const
type Refusals = Record<keyof typeof refusals, boolean>

/** What forbids another letter to a person, whatever the time: found under the person's lock, so that a reply beats a follow-up. */
export async function findRefusal(
  db: Db,
  touch: TouchRow,
  to: string | null,
): Promise<string | undefined> {
  if (to === null) return 'no_contact'
  const { rows } = await sql<Refusals>`
    with mine as (select value from addresses where person = ${touch.person} and kind = 'email'),
    first as (select min(sent_at) as at from touches
      where campaign = ${touch.campaign} and person = ${touch.person} and state = 'sent')
    select
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason = 'unsubscribe'
        and s.address in (select value from mine)) as unsubscribed,
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason = 'bounce'
        and s.address = ${to.toLowerCase()}) as bounced,
      exists (select from suppressions s where s.workspace = ${touch.workspace} and s.reason in ('complaint', 'operator')
        and s.address = ${to.toLowerCase()}) as suppressed,
      exists (select from first, conversations c join messages m on m.conversation = c.id
        where c.person = ${touch.person} and m.direction = 'inbound' and not m.automated
          and not m.suspect and m.at >= first.at)
      or exists (select from first, mine join messages m on lower(m.sender_handle) = mine.value
        where m.workspace = ${touch.workspace} and m.direction = 'inbound' and not m.automated
          and not m.suspect and m.at >= first.at) as replied,
      exists (select from touches t join campaigns c on c.id = t.campaign
        where t.id = ${touch.id} and c.segment is not null and ${membership} is not true) as gone`.execute(
    db,
  )
  const found = (Object.keys(refusals) as (keyof Refusals)[]).find((name) => rows[0]?.[name])
  return found && refusals[found]
}

/** The address a person's letters go to: the first e-mail of the card, or the one the thread began with. */
export async function findLetterAddress(db: Db, touch: TouchRow): Promise<string | null> {
  const row = await db
    .selectFrom('addresses')
    .select('given')
    .where('person', '=', touch.person)
    .where('kind', '=', 'email')
    .orderBy(sql`value = ${(touch.toAddress ?? '').toLowerCase()}`, 'desc')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.given ?? null
}

/** Another letter of any campaign was claimed for this person on that day of the workspace. */
export async function isWrittenToOn(db: Db, touch: TouchRow, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('touches')
    .select('id')
    .where('person', '=', touch.person)
    .where('claimedDay', '=', day)
    .where('id', '!=', touch.id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the campaign against moves and says whether this epoch may still claim. */
export async function mayClaim(trx: Trx, campaign: string, epoch: number): Promise<boolean> {
  const row = await trx
    .selectFrom('campaigns')
    .select(['state', 'runEpoch'])
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'running' && row.runEpoch === epoch
}

/** Keeps a move of the campaign out until the transaction ends, and answers its state. Lock it before the touch. */
export async function shareCampaign(trx: Trx, campaign: string) {
  const row = await trx
    .selectFrom('campaigns')
    .select('state')
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirstOrThrow()
  return row.state
}

/**
 * Writes the marker of an attempt and takes one unit; false when the letter is no longer queued as it was read: of this person and
 * text, and bound to this account.
 */
export async function claimTouch(
  trx: Trx,
  touch: TouchRow,
  claim: {
    attempt: string
    epoch: number
    connection: string
    messageId: string
    now: Date
    day: string
  },
): Promise<boolean> {
  const { now, day, messageId, ...rest } = claim
  const row = await trx
    .updateTable('touches')
    .set((eb) => ({
      ...rest,
      state: 'sending',
      reason: null,
      heldFrom: null,
      tries: eb('tries', '+', 1),
      messageId: eb.fn.coalesce('messageId', eb.val(messageId)),
      claimedAt: now,
      claimedDay: day,
      leasedUntil: lease,
      firstClaimedAt: eb.fn.coalesce('firstClaimedAt', eb.val(now)),
      nextTryAt: null,
    }))
    .where('id', '=', touch.id)
    .where('state', '=', 'queued')
    .where('person', '=', touch.person)
    .where('writtenAt', 'is not distinct from', touch.writtenAt)
    .where('connection', 'is not distinct from', touch.connection)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await takeUnit(trx, claim.connection, day)
  await trx
    .updateTable('connections')
    .set({ lastClaimAt: now })
    .where('id', '=', claim.connection)
    .execute()
  return true
}

/** The marker of an attempt, or for `null` one that is unconfirmed or abandoned. */
export type Marker = { touch: TouchRow; attempt: string | null; now: Date }

const underMarker = (trx: Trx, { touch, attempt }: Marker) =>
  trx
    .updateTable('touches')
    .where('id', '=', touch.id)
    .where('state', '=', 'sending')
    .$if(attempt !== null, (q) => q.where('attempt', '=', attempt as string))

/** Sent: it joins the person's conversation on that account, or opens one. Answers the conversation. */
export async function touchSent(trx: Trx, marker: Marker): Promise<string | undefined> {
  const { now } = marker
  const row = await underMarker(trx, marker)
    .set({ state: 'sent', reason: null, attempt: null, sentAt: now })
    .returning(['connection', 'messageId', 'person'])
    .executeTakeFirst()
  if (!row) return undefined
  // Their card may have been split meanwhile.
  const touch = { ...marker.touch, person: row.person }
  const connection = row.connection as string
  const conversation = touch.conversation ?? (await openConversation(trx, touch, connection, now))
  const message = newId('msg')
  const sender = (await findConnection(trx, connection)) as ConnectionRow
  await trx
    .insertInto('messages')
    .values({
      id: message,
      workspace: touch.workspace,
      conversation,
      direction: 'outbound',
      senderName: sender.memberName,
      senderHandle: sender.account,
      toAddress: touch.toAddress ?? '',
      subject: touch.subject ?? '',
      text: touch.text ?? '',
      at: now,
      automated: true,
      agent: touch.agent,
      connection,
      state: 'sent',
      dueAt: touch.dueAt,
      sentAt: now,
      messageId: row.messageId,
      touch: touch.id,
    })
    .execute()
  await trx
    .updateTable('conversations')
    .set({ lastMessageAt: now, waitingFor: 'client', waitingSince: now })
    .where('id', '=', conversation)
    .execute()
  await trx
    .updateTable('touches')
    .set({ conversation, message })
    .where('id', '=', touch.id)
    .execute()
  await touchHappened(trx, { ...touch, connection, conversation }, now, 'sent')
  if (touch.reason === 'unconfirmed') await wake(trx, touch)
  return conversation
}

async function openConversation(
  trx: Trx,
  touch: TouchRow,
  connection: string,
  now: Date,
): Promise<string> {
  const joined = await trx
    .selectFrom('conversations')
    .select('id')
    .where('person', '=', touch.person)
    .where('connection', '=', connection)
    .orderBy('lastMessageAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (joined) return joined.id
  const id = newId('cnv')
  await trx
    .insertInto('conversations')
    .values({
      id,
      workspace: touch.workspace,
      person: touch.person,
      connection,
      kind: 'email',
      subject: touch.subject ?? '',
      lastMessageAt: now,
      waitingSince: now,
      waitingFor: 'client',
    })
    .execute()
  return id
}

/** Refused by the server for good: its unit goes back. */
export async function touchFailed(
  trx: Trx,
  marker: Marker & { reason: string; code?: string | null },
) {
  const row = await underMarker(trx, marker)
    .set({ state: 'failed', reason: marker.reason, code: marker.code ?? null, attempt: null })
    .returning(['connection', 'claimedDay'])
    .executeTakeFirst()
  if (!row) return
  await unclaim(trx, marker.touch, row)
  await touchHappened(trx, marker.touch, marker.now, 'failed', marker.reason)
}

/** Put off by the server, or (null) to be sent anew: queued again; unit and marker go back. */
export async function touchDeferred(trx: Trx, marker: Marker & { nextTryAt: Date | null }) {
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
  if (row) await unclaim(trx, marker.touch, row)
}

async function unclaim(
  trx: Trx,
  touch: TouchRow,
  claim: { connection: string | null; claimedDay: string | null },
) {
  await returnUnit(trx, claim.connection as string, claim.claimedDay as string)
  await trx
    .updateTable('touches')
    .set({ claimedDay: null, claimedAt: null })
    .where('id', '=', touch.id)
    .execute()
  if (touch.reason === 'unconfirmed') await wake(trx, touch)
}

/** Nobody knows whether it was taken: it stays `sending`, its unit stays used, and the account's member is told. */
export async function touchUnconfirmed(trx: Trx, marker: Marker) {
  const { touch, now } = marker
  const row = await underMarker(trx, marker)
    .set({ reason: 'unconfirmed' })
    .where('reason', 'is', null)
    .returning(['id', 'connection', 'messageId'])
    .executeTakeFirst()
  if (!row) return
  const account = await trx
    .selectFrom('connections')
    .select(['member', 'account'])
    .where('id', '=', row.connection)
    .executeTakeFirst()
  if (account)
    await notify(trx, {
      workspace: touch.workspace,
      member: account.member,
      at: now,
      kind: 'touch.unconfirmed',
      text: unconfirmedWords('a letter of a campaign', { ...row, ...account }),
      conversation: touch.conversation,
    })
  await touchHappened(trx, touch, now, 'unconfirmed')
  await wake(trx, touch)
}

/** Puts a queued letter off, e.g. to the day after when its person was written to today. */
export const postponeTouch = (trx: Db, id: string, dueAt: Date) =>
  trx
    .updateTable('touches')
    .set({ dueAt, heldFrom: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

export const reviewTouch = (trx: Db, id: string) =>
  trx
    .updateTable('touches')
    .set({ state: 'review' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

/** Locks a touch's row until the transaction ends and reads it. */
export async function lockTouch(trx: Trx, id: string): Promise<TouchRow | undefined> {
  await sql<SqlBool>`select id from touches where id = ${id} for update`.execute(trx)
  return findTouch(trx, id)
}

// A letter that is or was unconfirmed: the runner goes on without it, and the letter's own workflow may be parked. Otherwise
// the end of the letter's workflow is all the runner waits for.
async function wake(trx: Trx, touch: TouchRow) {
  if (touch.runner) await enqueueSignal(trx, touch.runner, 'changed')
  const { workspace } = touch
  if (touch.workflow) await enqueueSignal(trx, touch.workflow, 'changed', [], { workspace })
}
