import { type SqlBool, sql } from 'kysely'
import type { Sought } from '../../rules/people/erased-words.ts'
import { failTouches } from '../campaigns/touches.ts'
import { voidPrepared } from '../conversations/prepared.ts'
import type { Trx } from '../database.ts'
import { eraseAddresses } from '../people/erased.ts'
import type { PersonRow } from '../people/people.ts'
import { listAddresses } from '../people/split.ts'
import type { SecretKey } from '../secrets.ts'

// The beginning of an erasure, in the transaction of its call: the card is empty, nothing more goes to its person, and what is to be
// looked for elsewhere is noted for the workflow.

/** Phone numbers that somebody else is reached by, such as that of an office, are not theirs alone: they may come back. */
async function theirsAlone(trx: Trx, workspace: string, { people, addresses }: Sought) {
  const { rows } = await sql<{ value: string }>`
    select distinct value from addresses
    where workspace = ${workspace} and kind = 'phone' and person <> all(${people}::text[])
      and value = any(${addresses.map(({ value }) => value)}::text[])`.execute(trx)
  const shared = new Set(rows.map(({ value }) => value))
  return addresses.filter(({ kind, value }) => kind !== 'phone' || !shared.has(value))
}

/**
 * Erases a locked card, whose addresses are locked too. Answers the workflows that wait to write to its person, which are to be
 * signalled.
 */
export async function beginErasure(
  trx: Trx,
  secretKey: SecretKey | undefined,
  card: PersonRow,
  operation: string,
  now: Date,
): Promise<string[]> {
  const { id, workspace, name, externalId } = card
  const addresses = await listAddresses(trx, id)
  const merged = await trx
    .selectFrom('mergedPeople')
    .select('id')
    .where('workspace', '=', workspace)
    .where('person', '=', id)
    .execute()
  const sought: Sought = {
    people: [id, ...merged.map((row) => row.id)],
    names: name === '' ? [] : [name],
    addresses,
    externalIds: externalId === null ? [] : [externalId],
  }
  const theirs = await theirsAlone(trx, workspace, sought)
  await eraseAddresses(trx, secretKey, workspace, theirs, now)
  const waiting = await cancelWaiting(trx, workspace, sought, now)
  await voidPrepared(trx, workspace)
  await trx
    .insertInto('erasures')
    .values({ operation, workspace, person: id, sought: JSON.stringify(sought) })
    .execute()
  await emptyCards(trx, workspace, sought.people, now)
  return waiting
}

/** Ends what is queued for them; answers the workflows that wait to send it. */
export async function cancelWaiting(
  trx: Trx,
  workspace: string,
  { people, addresses }: Sought,
  now: Date,
): Promise<string[]> {
  await failTouches(trx, { people }, 'skipped', now)
  const theirs = sql`select id from conversations
    where workspace = ${workspace} and person = any(${people}::text[])`
  const { rows: messages } = await sql<{ workflow: string | null }>`
    update messages set state = 'cancelled', reason = null, next_try_at = null
    where conversation in (${theirs}) and state = 'queued' returning operation as workflow`.execute(
    trx,
  )
  const { rows: tasks } = await sql<{ workflow: string | null }>`
    update tasks set state = 'cancelled', reason = null, ended_at = ${now}
    where conversation in (${theirs}) and state = 'queued' returning operation as workflow`.execute(
    trx,
  )
  // Whoever has an invitation is told when the meeting moves.
  const emails = addresses.map(({ value }) => value)
  const { rows: invitations } = await sql<{ workflow: string | null }>`
    delete from invitations
    where workspace = ${workspace} and state <> 'sending' and lower(address) = any(${emails}::text[])
    returning case when state = 'queued' then id end as workflow`.execute(trx)
  return [...messages, ...tasks, ...invitations].flatMap(({ workflow }) => workflow ?? [])
}

/** Leaves nothing of cards but their ids and instants. */
async function emptyCards(trx: Trx, workspace: string, people: string[], now: Date) {
  const ofThem = sql<SqlBool>`person = any(${people}::text[])`
  await trx.deleteFrom('addresses').where('workspace', '=', workspace).where(ofThem).execute()
  await trx.deleteFrom('personTags').where(ofThem).execute()
  await trx.deleteFrom('segmentPeople').where(ofThem).execute()
  await trx
    .updateTable('people')
    .set({ name: '', city: '', jobTitle: '', company: '', externalId: null, fields: '{}' })
    .set({ heldUntil: null, heldWhy: null, doubtedAt: null, doubtToldAt: null })
    .set({ erasedAt: now, updatedAt: now })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`id = any(${people}::text[])`)
    .execute()
}
