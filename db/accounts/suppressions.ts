import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readAddress } from '../../rules/addresses.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvents } from '../events/events.ts'
import { newId } from '../ids.ts'
import type { Suppressions } from './tables.ts'

// The addresses that must not be written to. Unsubscribing stops campaigns only; the other reasons refuse replies too.

type Reason = Suppressions['reason']

/** An address as an operator gives it, in the form it is kept in; undefined if it is not an address. */
export function readSuppressed(given: string): string | undefined {
  // A bare word would pass for a profile; only a whole profile address is one here.
  const other = given.includes('/') ? 'linkedin' : 'phone'
  return (readAddress('email', given) ?? readAddress(other, given))?.given.toLowerCase()
}

/** The form in which an address of any kind is kept and found here. */
const suppressedForm = (address: string): string =>
  readSuppressed(address) ?? address.trim().toLowerCase()

/**
 * Whether an entry of `suppressions` is about an address, in the form in which addresses are compared. What somebody has asked for
 * holds for their mailbox, under whatever spelling of its address; a bounce is about one address.
 */
export const isAbout = (address: RawBuilder<unknown>, entry = 'suppressions') => {
  const of = (column: string) => sql.ref(`${entry}.${column}`)
  return sql<SqlBool>`mailbox_of(${of('address')}) = mailbox_of(${address})
    and (${of('reason')} <> 'bounce' or ${of('address')} = ${address})`
}

/** For a row of `suppressions`: whose address it is; null if no card has it. */
const owner = sql<string | null>`(
  select a.person from addresses a where a.workspace = suppressions.workspace
    and a.kind = any('{email,phone,linkedin}') and a.value = suppressions.address order by a.person limit 1)`

export const findSuppressionById = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

/** Newest first; `after` is the [at, id] of the last row of the page before. */
export function listSuppressions(
  db: Db,
  workspace: string,
  address: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
) {
  let listed = db
    .selectFrom('suppressions')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (address !== undefined) listed = listed.where('address', '=', suppressedForm(address))
  if (after) listed = listed.where(sql<SqlBool>`(at, id) < (${after[0]}::timestamptz, ${after[1]})`)
  return listed.execute()
}

/**
 * Notes that one address must not be written to; `added` is false if it was suppressed for this reason already. The caller
 * records the event: as that of its audit line, or with suppressionsHappened.
 */
export async function suppressAddress(
  trx: Db,
  suppressed: {
    workspace: string
    address: string
    reason: Reason
    evidence?: string | null
    now: Date
  },
) {
  const { workspace, reason, evidence = null, now } = suppressed
  const address = suppressedForm(suppressed.address)
  const added = await trx
    .insertInto('suppressions')
    .values({ id: newId('sup'), workspace, address, reason, at: now, touch: null, evidence })
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .returning(owner.as('person'))
    .executeTakeFirst()
  if (added) return { row: added, added: true }
  const row = await trx
    .selectFrom('suppressions')
    .selectAll()
    .select(owner.as('person'))
    .where('workspace', '=', workspace)
    .where('address', '=', address)
    .where('reason', '=', reason)
    .executeTakeFirstOrThrow()
  return { row, added: false }
}

/** Records the events of suppressions that nobody has asked for in a call of their own. */
export const suppressionsHappened = (
  trx: Db,
  workspace: string,
  added: { id: string; reason: Reason; person: string | null }[],
  at: Date,
) =>
  recordEvents(
    trx,
    { workspace, kind: 'suppression.added', at },
    added.map(({ id, reason, person }) => ({
      resource: id,
      data: { reason, person, members: ['address', 'reason'] },
    })),
  )

/**
 * Notes that addresses must not be written to, each for its reason, with an event for each that was not suppressed for it before,
 * and answers those.
 */
export async function suppressAddresses(
  trx: Db,
  suppressed: {
    workspace: string
    entries: { address: string; reason: Reason }[]
    touch?: string
    evidence?: string
    now: Date
  },
) {
  const { workspace, touch = null, evidence = null, now } = suppressed
  const entries = suppressed.entries.map((entry) => ({
    ...entry,
    id: newId('sup'),
    address: suppressedForm(entry.address),
  }))
  if (entries.length === 0) return []
  const column = (name: 'id' | 'address' | 'reason') => entries.map((entry) => entry[name])
  const { rows } = await sql<{
    id: string
    address: string
    reason: Reason
    person: string | null
  }>`
    insert into suppressions (id, workspace, address, reason, at, touch, evidence)
    select id, ${workspace}, address, reason, ${now}, ${touch}, ${evidence}
    from unnest(${column('id')}::text[], ${column('address')}::text[], ${column('reason')}::text[])
      as entry (id, address, reason)
    order by address, reason
    on conflict do nothing
    returning id, address, reason, ${owner} as person`.execute(trx)
  await suppressionsHappened(trx, workspace, rows, now)
  return rows
}

/**
 * Notes that no e-mail address of some people may be written to, with an event for each; answers those of whom an address was
 * added.
 */
export async function suppressPeople(
  trx: Trx,
  suppressed: {
    workspace: string
    people: string[]
    reason: Reason
    touch?: string
    evidence?: string
    now: Date
  },
): Promise<string[]> {
  const { people, reason, ...told } = suppressed
  const addresses = await trx
    .selectFrom('addresses')
    .select(['person', 'value'])
    .where('workspace', '=', told.workspace)
    .where(sql<SqlBool>`person = any(${people}::text[])`)
    .where('kind', '=', 'email')
    .execute()
  const entries = addresses.map(({ value }) => ({ address: value, reason }))
  const rows = await suppressAddresses(trx, { ...told, entries })
  const added = new Set(rows.map(({ address }) => address))
  const theirs = addresses.filter(({ value }) => added.has(suppressedForm(value)))
  return [...new Set(theirs.map(({ person }) => person))]
}

/** Removes a suppression and answers what it was. The address may be written to again unless another reason forbids it. */
export function liftSuppression(trx: Trx, { workspace, id }: { workspace?: string; id: string }) {
  let lifted = trx
    .deleteFrom('suppressions')
    .where('id', '=', id)
    .returningAll()
    .returning(owner.as('person'))
  if (workspace !== undefined) lifted = lifted.where('workspace', '=', workspace)
  return lifted.executeTakeFirst()
}

/** Why this address must not be written to at all; unsubscribing stops campaigns only. */
export const findSuppression = (
  db: Db,
  workspace: string,
  address: string,
  includeUnsubscribe = false,
) =>
  db
    .selectFrom('suppressions')
    .select('reason')
    .where('workspace', '=', workspace)
    .where(isAbout(sql`${suppressedForm(address)}::text`))
    .$if(!includeUnsubscribe, (q) => q.where('reason', '!=', 'unsubscribe'))
    .executeTakeFirst()

/** Those of the addresses, in lower case, that must not be written to at all. */
export async function findSuppressed(
  db: Db,
  workspace: string,
  addresses: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select given as address from unnest(${addresses}::text[]) given
    where exists (select from suppressions where workspace = ${workspace} and reason <> 'unsubscribe'
      and ${isAbout(sql`given`)})`.execute(db)
  return new Set(rows.map(({ address }) => address))
}
