import { sql } from 'kysely'
import type { Address } from '../../rules/addresses.ts'
import type { Orders } from '../../rules/people/import-batch.ts'
import { addOwner, type Emails, type Owners } from '../../rules/people/which-card.ts'
import type { Db } from '../database.ts'

// Looks up the cards behind addresses; rules/people/which-card.ts says which of them a person is.

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
