import { sql } from 'kysely'
import { type Address, keyOf } from '../../rules/addresses.ts'
import type { Db } from '../database.ts'

// Finds the cards that addresses lead to. An e-mail or profile address belongs to one person. A phone number may be that of an
// office: cards with two different e-mail addresses are not joined by it, but are people who share it.

/** keyOf(address) → the ids of everybody who has it, the oldest card first. */
export type Owners = Map<string, string[]>
/** Person → the e-mail addresses of the card, in its order. */
export type Emails = Map<string, Set<string>>

/** Everybody who has one of these addresses; an address that nobody has is absent. */
export async function findAllOwners(
  db: Db,
  workspace: string,
  addresses: Pick<Address, 'kind' | 'value'>[],
): Promise<Owners> {
  const owners: Owners = new Map()
  // One query for each kind, because a join with a list of pairs reads all addresses of the workspace.
  for (const [kind, some] of Map.groupBy(addresses, (address) => address.kind)) {
    const values = some.map((address) => address.value)
    const rows = await db
      .selectFrom('addresses')
      .select(['kind', 'value', 'person'])
      .where('workspace', '=', workspace)
      .where('kind', '=', kind)
      .where(sql<boolean>`value = any(${values}::text[])`)
      .orderBy('person')
      .execute()
    for (const row of rows) addOwner(owners, row, row.person)
  }
  return owners
}

export function addOwner(owners: Owners, address: Pick<Address, 'kind' | 'value'>, person: string) {
  const key = keyOf(address)
  const known = owners.get(key)
  if (!known) owners.set(key, [person])
  else if (!known.includes(person)) known.push(person)
}

/** The e-mail addresses of these people; a person without any is absent. */
export async function findEmails(db: Db, people: Iterable<string>): Promise<Emails> {
  const rows = await db
    .selectFrom('addresses')
    .select(['person', 'value'])
    .where(sql<boolean>`person = any(${[...people]}::text[])`)
    .where('kind', '=', 'email')
    .orderBy('position')
    .orderBy('value')
    .execute()
  const emails: Emails = new Map()
  for (const { person, value } of rows)
    emails.set(person, (emails.get(person) ?? new Set()).add(value))
  return emails
}

/** Person → the addresses of the card; those of a kind are in its order. */
export type Orders = Map<string, Pick<Address, 'kind' | 'value'>[]>

/** The addresses of these people; a person without any is absent. */
export async function findOrders(db: Db, people: Iterable<string>): Promise<Orders> {
  const rows = await db
    .selectFrom('addresses')
    .select(['person', 'kind', 'value'])
    .where(sql<boolean>`person = any(${[...people]}::text[])`)
    .orderBy('position')
    .orderBy('value')
    .execute()
  return Map.groupBy(rows, ({ person }) => person)
}

/** The e-mail addresses among them. */
export const valuesOf = (addresses: Pick<Address, 'kind' | 'value'>[]) =>
  addresses.flatMap(({ kind, value }) => (kind === 'email' ? [value] : []))

/**
 * Whose an address is, given the addresses that it came with: a number that is only shared leads to nobody, and an address that
 * several people have leads to the one who has another of the given addresses.
 */
export function ownersOf(
  address: Address,
  addresses: Address[],
  owners: Owners,
  emails: Emails,
): string[] {
  const known = owners.get(keyOf(address)) ?? []
  if (address.kind !== 'phone') return known
  const others = addresses.filter(({ kind }) => kind !== 'phone')
  const sure = new Set(others.flatMap((other) => owners.get(keyOf(other)) ?? []))
  const theirs = known.filter((person) => sure.has(person))
  if (theirs.length > 0) return theirs
  const given = valuesOf(addresses)
  return known.filter((person) => {
    const of = emails.get(person)
    return given.length === 0 || !of || given.some((email) => of.has(email))
  })
}

/** The cards that addresses lead to, in the order of the addresses. */
export const cardsOf = (addresses: Address[], owners: Owners, emails: Emails): string[] => [
  ...new Set(addresses.flatMap((address) => ownersOf(address, addresses, owners, emails))),
]

/** The addresses that the card does not have yet. */
export const freshOf = (card: string, addresses: Address[], owners: Owners): Address[] =>
  addresses.filter((address) => !owners.get(keyOf(address))?.includes(card))
