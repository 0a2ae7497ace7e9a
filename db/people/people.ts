import { type Selectable, sql } from 'kysely'
import { type Address, addressKinds, readAddress } from '../../rules/addresses.ts'
import type { CardFields } from '../../rules/people/import-batch.ts'
import { cardWith } from '../../rules/people/which-card.ts'
import type { PersonFields } from '../../rules/people-file/rows.ts'
import { plainLine } from '../../rules/text.ts'
import { isAbout } from '../accounts/suppressions.ts'
import type { Suppressions } from '../accounts/tables.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { findAllOwners } from './matching.ts'
import type { People } from './tables.ts'

type Reason = Suppressions['reason']
export type PersonRow = Selectable<People>

export const findPerson = (db: Db, workspace: string, id: string): Promise<PersonRow | undefined> =>
  db
    .selectFrom('people')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()

export const lockPerson = (
  trx: Trx,
  workspace: string,
  id: string,
): Promise<PersonRow | undefined> =>
  trx
    .selectFrom('people')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('erasedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const findByExternalId = (
  db: Db,
  workspace: string,
  externalId: string,
): Promise<PersonRow | undefined> =>
  db
    .selectFrom('people')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('externalId', '=', externalId)
    .executeTakeFirst()

/** Whose these ids of the client's own are: id → person. */
export async function findByExternalIds(
  db: Db,
  workspace: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('people')
    .select(['id', 'externalId'])
    .where('workspace', '=', workspace)
    .where(sql<boolean>`external_id = any(${ids}::text[])`)
    .execute()
  return new Map(rows.map(({ id, externalId }) => [externalId as string, id]))
}

/** The cards that these ids of merged ones lead to: id → person; other ids are absent. */
export async function findMerged(
  db: Db,
  workspace: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('mergedPeople')
    .select(['id', 'person'])
    .where('workspace', '=', workspace)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    // Whoever was erased is gone under all ids.
    .where(
      sql<boolean>`exists (select from people where people.id = merged_people.person and erased_at is null)`,
    )
    .execute()
  return new Map(rows.map(({ id, person }) => [id, person]))
}

/** A person, by their id or by that of a card that became part of theirs. */
export async function findPersonOrMerged(db: Db, workspace: string, id: string) {
  const row = await findPerson(db, workspace, id)
  if (row) return { row, isMerged: false }
  const into = (await findMerged(db, workspace, [id])).get(id)
  const card = into === undefined ? undefined : await findPerson(db, workspace, into)
  return card && { row: card, isMerged: true }
}

/**
 * The addresses of people (at least one), with the reasons for which they must not be written to, and their tags, in two
 * queries however many people; the oldest tags first.
 */
export async function findAddressesAndTags(db: Db, people: string[]) {
  const addresses = await db
    .selectFrom('addresses')
    .select(['person', 'kind', 'given'])
    .select(
      sql<Reason[] | null>`(select array_agg(distinct reason order by reason) from suppressions s
        where s.workspace = addresses.workspace and ${isAbout(sql`lower(addresses.given)`, 's')})`.as(
        'suppressed',
      ),
    )
    .where('person', 'in', people)
    .orderBy('person')
    .orderBy('kind')
    .orderBy('position')
    .orderBy('value')
    .execute()
  const tags = await db
    .selectFrom('personTags')
    .select(['person', 'label', 'side', 'removedAt'])
    .where('person', 'in', people)
    .orderBy('addedAt')
    .orderBy('label')
    .orderBy('side')
    .execute()
  return {
    addressesOf: Map.groupBy(addresses, (row) => row.person),
    tagsOf: Map.groupBy(tags, (row) => row.person),
  }
}

/**
 * Resolves contact keys: a person id, also that of a merged card, or an e-mail, phone or profile address of an existing person. Answers distinct person ids
 * in the order of the keys, and the keys that lead to nobody. The interface leaves open who is meant by a number that several
 * people share: nobody, so that no stranger is written to.
 */
export async function findPeopleByKeys(
  db: Db,
  workspace: string,
  keys: string[],
): Promise<{ people: string[]; unknown: string[] }> {
  const candidates = keys.map((key) => ({ key, addresses: addressesOf(key) }))
  const { rows: ids } = await sql<{ key: string; id: string }>`
    select id as key, id from people where workspace = ${workspace} and id = any(${keys}::text[])
      and erased_at is null
    union all
    select id, person from merged_people m where workspace = ${workspace} and id = any(${keys}::text[])
      and exists (select from people p where p.id = m.person and p.erased_at is null)`.execute(db)
  const known = new Map(ids.map(({ key, id }) => [key, id]))
  const owners = await findAllOwners(
    db,
    workspace,
    candidates.flatMap(({ addresses }) => addresses),
  )
  const ownerOf = (address: Address) => {
    const { card, strangers } = cardWith(address, owners)
    return strangers.length > 0 ? undefined : card
  }
  const people = new Set<string>()
  const unknown: string[] = []
  for (const { key, addresses } of candidates) {
    const owner = known.get(key) ?? addresses.map(ownerOf).find((id) => id)
    if (owner) people.add(owner)
    else unknown.push(key)
  }
  return { people: [...people], unknown }
}

const addressesOf = (key: string) => addressKinds.flatMap((kind) => readAddress(kind, key) ?? [])

/**
 * The people that addresses belong to: keyOf(address) → person id; unknown addresses are absent. If several people share a
 * number, it is the one with the oldest card: where that matters, call findAllOwners.
 */
export async function findOwners(
  db: Db,
  workspace: string,
  addresses: Pick<Address, 'kind' | 'value'>[],
): Promise<Map<string, string>> {
  const all = await findAllOwners(db, workspace, addresses)
  return new Map([...all].map(([key, people]) => [key, people[0] as string]))
}

const plainFields = ({ externalId, fields, ...plain }: Partial<CardFields>) => ({
  ...(Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [name, plainLine(value)]),
  ) as Partial<PersonFields>),
  ...(externalId !== undefined && { externalId }),
  ...(fields && { fields: JSON.stringify(fields) }),
})

/** Makes a card without addresses; add those with insertAddresses after lockAddresses. `fromMail`: for the sender of a mail. */
export async function insertPerson(
  trx: Trx,
  workspace: string,
  fields: Partial<CardFields>,
  now: Date,
  fromMail = false,
): Promise<PersonRow> {
  return trx
    .insertInto('people')
    .values({
      id: newId('per'),
      workspace,
      name: '',
      city: '',
      jobTitle: '',
      company: '',
      ...plainFields(fields),
      createdAt: now,
      updatedAt: now,
      ...(fromMail && { fromMail }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes the given fields; with `{}`, only that the card has changed. Whoever does so knows its person. */
export const updatePerson = (
  trx: Trx,
  id: string,
  fields: Partial<CardFields>,
  now: Date,
): Promise<PersonRow> =>
  trx
    .updateTable('people')
    .set({ ...plainFields(fields), updatedAt: now, fromMail: false })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Notes of cards that their people are known, although nothing on them has changed. */
export async function keepKnown(trx: Trx, workspace: string, ids: string[]): Promise<void> {
  await trx
    .updateTable('people')
    .set({ fromMail: false })
    .where('workspace', '=', workspace)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('fromMail', '=', true)
    .execute()
}

/**
 * The people who have this mailbox under another spelling of its address (googlemail.com and gmail.com, with and without dots, with
 * a tag), or under this one. What somebody stops under one spelling is stopped for all; nothing else follows from it.
 */
export async function findAlike(db: Db, workspace: string, address: string): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    select distinct person from addresses
    where workspace = ${workspace} and kind = 'email' and mailbox_of(value) = mailbox_of(${address}) limit 20`.execute(
    db,
  )
  return rows.map(({ person }) => person)
}
