import { sql } from 'kysely'
import { type Address, keyOf } from '../../rules/addresses.ts'
import type { CardFields, Orders } from '../../rules/people/import-batch.ts'
import { freshOf, type KnownCards, type Owners } from '../../rules/people/which-card.ts'
import type { PersonFields } from '../../rules/people-file/rows.ts'
import { suppressPeople } from '../accounts/suppressions.ts'
import type { Trx } from '../database.ts'
import { findAllOwners, findEmails } from './matching.ts'
import { findByExternalIds, insertPerson, type PersonRow, updatePerson } from './people.ts'

// Cards are found and made by their addresses. A transaction that makes or completes a card holds the locks of its addresses
// until it ends, so that two at once result in one card; an import holds the workspace's lock, which excludes all others.

/**
 * Locks addresses against every other writer of cards, always in the same order, so that two writers never deadlock; and ids of
 * the client's own, each of which leads to one card too.
 */
export async function lockAddresses(
  trx: Trx,
  workspace: string,
  addresses: Pick<Address, 'kind' | 'value'>[],
  externalIds: string[] = [],
) {
  const ids = externalIds.map((value) => ({ kind: 'externalId', value }))
  const keys = [...addresses, ...ids].map((named) => `${workspace} ${keyOf(named)}`)
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`cards ${workspace}`}, 0))`.execute(
    trx,
  )
  await sql`select pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended(key, 1) as lock from unnest(${keys}::text[]) as key order by 1) as locks`.execute(
    trx,
  )
}

/** Locks the addresses that a card has. */
export async function lockAddressesOf(trx: Trx, workspace: string, person: string) {
  const addresses = await trx
    .selectFrom('addresses')
    .select(['kind', 'value'])
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute()
  await lockAddresses(trx, workspace, addresses)
}

/** Locks all addresses of a workspace, known or not. */
export async function lockAllAddresses(trx: Trx, workspace: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cards ${workspace}`}, 0))`.execute(trx)
}

/**
 * Adds addresses to cards, after the present ones; the cards in `made` are new and have none. The caller has locked them and
 * checked that these cards may have them.
 */
export async function insertAddresses(
  trx: Trx,
  workspace: string,
  addresses: (Address & { person: string })[],
  made: ReadonlySet<string> = new Set(),
) {
  if (addresses.length === 0) return
  const column = (name: keyof Address | 'person') => addresses.map((address) => address[name])
  await sql`
    insert into addresses (workspace, kind, value, given, person, position)
    select ${workspace}, kind, value, given, person,
      case when made then 0 else
        coalesce((select max(position) + 1 from addresses a where a.person = fresh.person and a.kind = fresh.kind), 0) end
        + row_number() over (partition by person, kind order by n) - 1
    from unnest(${column('kind')}::text[], ${column('value')}::text[], ${column('given')}::text[],
      ${column('person')}::text[], ${addresses.map(({ person }) => made.has(person))}::boolean[])
      with ordinality as fresh (kind, value, given, person, made, n)`.execute(trx)
}

/** Those members of `given` that fill an empty one of the card; nothing is ever overwritten. */
function fillsOf(card: PersonFields, given: Partial<PersonFields>): Partial<PersonFields> {
  const names = Object.keys(given) as (keyof PersonFields)[]
  return Object.fromEntries(
    names.filter((name) => card[name] === '' && given[name]).map((name) => [name, given[name]]),
  )
}

/** The given fields of a person. */
export type Given = { fields: Partial<PersonFields>; addresses: Address[] }

/** What else leads to cards beside addresses: ids of the client's own, and ids of people. */
type Ids = { externalIds?: string[]; people?: string[] }

/**
 * The cards that addresses and ids lead to, as they are once locked: who has each address, the e-mail addresses of all these
 * people, whose each id of the client's own is, and the cards.
 */
export type FoundCards = KnownCards & {
  ids: Map<string, string>
  cards: Map<string, PersonRow>
}

/** Locks addresses and ids of the client's own, and the cards that they and the ids of people lead to. */
export async function lockCards(
  trx: Trx,
  workspace: string,
  addresses: Address[],
  ids: Ids = {},
): Promise<FoundCards> {
  await lockAddresses(trx, workspace, addresses, ids.externalIds)
  return lockFound(trx, workspace, addresses, ids)
}

/** The same for hundreds of people: one lock for all addresses of the workspace, because Postgres has room for some thousand. */
export async function lockManyCards(
  trx: Trx,
  workspace: string,
  addresses: Address[],
  ids: Ids,
): Promise<FoundCards> {
  await lockAllAddresses(trx, workspace)
  return lockFound(trx, workspace, addresses, ids)
}

async function lockFound(
  trx: Trx,
  workspace: string,
  addresses: Address[],
  { externalIds = [], people = [] }: Ids,
): Promise<FoundCards> {
  const owners = await findAllOwners(trx, workspace, addresses)
  const ids = await findByExternalIds(trx, workspace, externalIds)
  const found = [...[...owners.values()].flat(), ...ids.values(), ...people]
  const rows =
    found.length === 0
      ? []
      : await trx
          .selectFrom('people')
          .selectAll()
          .where('workspace', '=', workspace)
          .where(sql<boolean>`id = any(${found}::text[])`)
          .where('erasedAt', 'is', null)
          .orderBy('id')
          .forUpdate()
          .execute()
  const cards = new Map(rows.map((row) => [row.id, row]))
  return { owners, ids, cards, emails: await findEmails(trx, cards.keys()) }
}

/** Makes a card; answers it and what was given. */
export async function insertCard(
  trx: Trx,
  workspace: string,
  { fields, addresses }: { fields: Partial<CardFields>; addresses: Address[] },
  now: Date,
) {
  const row = await insertPerson(trx, workspace, fields, now)
  await insertAddresses(
    trx,
    workspace,
    addresses.map((address) => ({ ...address, person: row.id })),
  )
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
  return { id: row.id, row, added: { ...given, ...givenOf(addresses) } }
}

const lists = { email: 'emails', phone: 'phones', linkedin: 'linkedin' }

/** Addresses as members of a person: the only one of a kind, or the list of them. */
export const givenOf = (addresses: Address[]): Record<string, string | string[]> =>
  Object.fromEntries(
    [...Map.groupBy(addresses, ({ kind }) => kind)].map(([kind, some]) => {
      const [first, ...more] = some.map(({ given }) => given)
      return first !== undefined && more.length === 0
        ? [kind, first]
        : [lists[kind], [first, ...more]]
    }),
  )

/**
 * Completes a card: fills empty members and adds addresses (skipping those it already has). `owners` is findAllOwners of the
 * addresses, none of which may belong to somebody else who does not share it. Answers the card and, if anything was added,
 * what.
 */
export async function completePerson(
  trx: Trx,
  card: PersonRow,
  given: Given,
  owners: Owners,
  now: Date,
) {
  const filled = fillsOf(card, given.fields)
  const fresh = await addAddresses(trx, card, given.addresses, owners)
  if (Object.keys(filled).length === 0 && fresh.length === 0) return { card, added: undefined }
  const added = { ...filled, ...givenOf(fresh) }
  return { card: await updatePerson(trx, card.id, filled, now), added }
}

/** Adds those of the addresses that the card does not have, and answers them. */
export async function addAddresses(
  trx: Trx,
  card: PersonRow,
  addresses: Address[],
  owners: Owners,
): Promise<Address[]> {
  const fresh = freshOf(card.id, addresses, owners)
  await insertAddresses(
    trx,
    card.workspace,
    fresh.map((address) => ({ ...address, person: card.id })),
  )
  return fresh
}

/** Gives the addresses of cards this order within their kind. */
export async function orderAddresses(trx: Trx, workspace: string, cards: Orders): Promise<void> {
  const wanted = [...cards].flatMap(([person, addresses]) =>
    [...Map.groupBy(addresses, ({ kind }) => kind)].flatMap(([kind, some]) =>
      some.map(({ value }, position) => ({ person, kind, value, position })),
    ),
  )
  if (wanted.length === 0) return
  const column = (name: 'person' | 'kind' | 'value') => wanted.map((address) => address[name])
  await sql`
    update addresses a set position = wanted.position
    from unnest(${column('person')}::text[], ${column('kind')}::text[], ${column('value')}::text[],
      ${wanted.map(({ position }) => position)}::int[]) as wanted (person, kind, value, position)
    where a.workspace = ${workspace} and a.kind = wanted.kind and a.person = wanted.person and a.value = wanted.value
      and a.position <> wanted.position`.execute(trx)
}

/** Puts these addresses of a card before its others of their kind, in this order; answers whether that moved any. */
export async function putFirst(trx: Trx, person: string, addresses: Address[]): Promise<boolean> {
  const { rows } = await sql`
    update addresses a set position = wanted.position
    from (
      select kind, value, row_number() over (partition by kind
        order by array_position(${addresses.map(keyOf)}::text[], kind || ' ' || value), position, value) - 1 as position
      from addresses where person = ${person} and kind = any(${addresses.map(({ kind }) => kind)}::text[])) wanted
    where a.person = ${person} and a.kind = wanted.kind and a.value = wanted.value and a.position <> wanted.position
    returning a.value`.execute(trx)
  return rows.length > 0
}

// A client replaces the addresses of a card. What the person has asked for under an old address holds under the new ones.

/** What a person asks for, whichever address they use. A bounce, or an operator's entry, is about the address alone. */
const wishes = ['unsubscribe', 'complaint'] as const

/**
 * Gives a locked card exactly these addresses of a kind, in this order, in place of `present`. The caller has locked all of
 * them and checked that none of the new ones is somebody else's.
 */
export async function replaceAddresses(
  trx: Trx,
  card: PersonRow,
  kind: Address['kind'],
  wanted: Address[],
  present: Address[],
  now: Date,
) {
  const { id: person, workspace } = card
  const kept = new Set(wanted.map(keyOf))
  const known = new Set(present.map(keyOf))
  const gone = present.filter((one) => one.kind === kind && !kept.has(keyOf(one)))
  const asked = kind === 'email' ? await listWishes(trx, workspace, gone) : []
  if (gone.length > 0)
    await trx
      .deleteFrom('addresses')
      .where('workspace', '=', workspace)
      .where('person', '=', person)
      .where('kind', '=', kind)
      .where(
        'value',
        'in',
        gone.map(({ value }) => value),
      )
      .execute()
  const fresh = wanted.filter((one) => !known.has(keyOf(one)))
  await insertAddresses(
    trx,
    workspace,
    fresh.map((address) => ({ ...address, person })),
  )
  if (wanted.length > 0) await putFirst(trx, person, wanted)
  for (const reason of asked)
    await suppressPeople(trx, { workspace, people: [person], reason, now })
}

async function listWishes(trx: Trx, workspace: string, emails: Address[]) {
  if (emails.length === 0) return []
  const rows = await trx
    .selectFrom('suppressions')
    .select('reason')
    .distinct()
    .where('workspace', '=', workspace)
    .where(
      'address',
      'in',
      emails.map(({ value }) => value),
    )
    .where('reason', 'in', wishes)
    .execute()
  return rows.map(({ reason }) => reason)
}
