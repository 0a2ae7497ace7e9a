import { type RawBuilder, sql } from 'kysely'
import { type Address, keyOf } from '../../rules/addresses.ts'
import { mergeFields } from '../../rules/own-fields.ts'
import type { CardFields } from '../../rules/people/import-batch.ts'
import type { Trx } from '../database.ts'
import { insertAddresses } from './cards.ts'
import { type Hold, holdIn } from './holds.ts'
import type { PersonRow } from './people.ts'

// Makes one card of several that are one person. What hangs on the others moves to it, and their rows go; their ids stay known.

/**
 * Prevents the segments of these people, and of campaigns that write to them, from being judged, and their campaigns from being
 * moved, before the cards are locked.
 */
export async function shareSegmentsOf(trx: Trx, workspace: string, ids: string[]) {
  const rows = await trx
    .selectFrom('people')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  const people = rows.map(({ id }) => id)
  await sql`select id from segments where workspace = ${workspace} and id in (
      select segment from segment_people where person = any(${people}::text[])
      union all
      select c.segment from touches t join campaigns c on c.id = t.campaign where t.person = any(${people}::text[]))
    order by id for key share`.execute(trx)
  await sql`select id from campaigns
    where workspace = ${workspace} and id in (select campaign from touches where person = any(${people}::text[]))
    order by id for share`.execute(trx)
}

const plain = ['name', 'city', 'jobTitle', 'company', 'externalId'] as const

/** What a card gets from the others, in their order: whatever it does not have itself. */
export function gainedBy(card: PersonRow, others: PersonRow[]): Partial<CardFields> {
  const gained = Object.fromEntries(
    plain.flatMap((name) => {
      const value = card[name] ? undefined : others.map((other) => other[name]).find(Boolean)
      return value ? [[name, value]] : []
    }),
  )
  const fields = others.reduce(
    (all, other) => mergeFields(all, other.fields, 'complete'),
    card.fields,
  )
  const isMore = Object.keys(fields).length > Object.keys(card.fields).length
  return { ...gained, ...(isMore && { fields }) }
}

/** The longest of the holds of some cards. */
export const longestHold = (cards: PersonRow[], now: Date): Hold | undefined =>
  cards
    .flatMap((card) => holdIn(card, now) ?? [])
    .toSorted((a, b) => endOf(b) - endOf(a))
    .at(0)

const endOf = ({ until }: Hold) => until?.getTime() ?? Number.POSITIVE_INFINITY

/** A deal in which some of these people sell and some buy; it would be with one person alone. */
export async function findDealBetween(trx: Trx, workspace: string, people: string[]) {
  const row = await trx
    .selectFrom('deals')
    .select('id')
    .where('workspace', '=', workspace)
    .where('seller', 'in', people)
    .where('buyer', 'in', people)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * The reasons for which a person with these locked cards must not be written to: what they asked for under any address, and an
 * operator's entries where they forbid every e-mail address of one of the cards. A bounce is about its address alone.
 */
export async function listForbidding(trx: Trx, workspace: string, people: string[]) {
  const entry = (address: RawBuilder<unknown>) => sql`from suppressions s
    where s.workspace = ${workspace} and mailbox_of(s.address) = mailbox_of(${address})`
  const { rows } = await sql<{ reason: 'unsubscribe' | 'complaint' | 'operator' }>`
    with theirs as materialized (
      select person, value from addresses
      where workspace = ${workspace} and person = any(${people}::text[]) and kind = 'email')
    select distinct found.reason from theirs
      cross join lateral (select s.reason ${entry(sql`theirs.value`)}) found
    where found.reason in ('unsubscribe', 'complaint')
    union
    select 'operator' from (
      select person from theirs group by person
      having bool_and(exists (select ${entry(sql`theirs.value`)} and s.reason = 'operator'))) forbidden
    order by 1`.execute(trx)
  return rows.map(({ reason }) => reason)
}

/**
 * Moves everything but the letters of campaigns from locked cards to another locked one, behind what that has; then the rows of
 * the others go. Answers the addresses that the card gets.
 */
export async function mergeCards(
  trx: Trx,
  card: PersonRow,
  others: string[],
  now: Date,
): Promise<Address[]> {
  const { id, workspace } = card
  const all = [id, ...others]
  const gained = await mergeAddresses(trx, card, others)
  await sql`update conversations set person = ${id} where person = any(${others}::text[])`.execute(
    trx,
  )
  await sql`
    insert into person_tags (person, label, side, added_at, removed_at)
    select ${id}, label, side, min(added_at), case when bool_and(removed_at is not null) then max(removed_at) end
    from person_tags where person = any(${all}::text[]) group by label, side
    on conflict (person, label, side) do update set added_at = excluded.added_at, removed_at = excluded.removed_at
      where (person_tags.added_at, person_tags.removed_at) is distinct from (excluded.added_at, excluded.removed_at)`.execute(
    trx,
  )
  // Whoever was taken out stays out. The instant is that of the oldest verdict, so that the card is judged again.
  await sql`
    insert into segment_people (segment, person, by_hand, matches, reason, version, at, taken_out)
    select segment, ${id}, bool_or(by_hand) and not bool_or(taken_out), bool_or(matches) and not bool_or(taken_out),
      (array_agg(reason order by matches desc, person = ${id} desc))[1], min(version), min(at), bool_or(taken_out)
    from segment_people where person = any(${all}::text[])
    group by segment
    on conflict (segment, person) do update set by_hand = excluded.by_hand, matches = excluded.matches,
      reason = excluded.reason, version = excluded.version, at = excluded.at, taken_out = excluded.taken_out`.execute(
    trx,
  )
  await sql`update letter_tests set person = ${id}
    where person = any(${others}::text[]) and campaign in (select c.id from campaigns c where c.workspace = ${workspace})`.execute(
    trx,
  )
  await sql`update import_rows set person = ${id}
    where person = any(${others}::text[])
      and operation = any(array(select i.operation from imports i where i.workspace = ${workspace}))`.execute(
    trx,
  )
  for (const side of ['seller', 'buyer'] as const)
    await trx
      .updateTable('deals')
      .set({ [side]: id })
      .where('workspace', '=', workspace)
      .where(side, 'in', others)
      .execute()
  // An id that led to one of the others leads to the card: one step, and never in a circle, since these rows go.
  await trx
    .updateTable('mergedPeople')
    .set({ person: id })
    .where('workspace', '=', workspace)
    .where('person', 'in', others)
    .execute()
  await trx
    .insertInto('mergedPeople')
    .values(others.map((other) => ({ id: other, workspace, person: id, at: now })))
    .execute()
  await trx
    .deleteFrom('people')
    .where('workspace', '=', workspace)
    .where('id', 'in', others)
    .execute()
  return gained
}

/** Moves the addresses; a number that several of the cards have is moved once. */
async function mergeAddresses(trx: Trx, { id, workspace }: PersonRow, others: string[]) {
  const rows = await trx
    .selectFrom('addresses')
    .select(['person', 'kind', 'value', 'given'])
    .where('workspace', '=', workspace)
    .where('person', 'in', [id, ...others])
    .orderBy('kind')
    .orderBy('position')
    .execute()
  const known = new Set(rows.filter(({ person }) => person === id).map(keyOf))
  const gained: Address[] = []
  for (const other of others)
    for (const { person, ...address } of rows) {
      if (person !== other || known.has(keyOf(address))) continue
      known.add(keyOf(address))
      gained.push(address)
    }
  await trx
    .deleteFrom('addresses')
    .where('workspace', '=', workspace)
    .where('person', 'in', others)
    .execute()
  await insertAddresses(
    trx,
    workspace,
    gained.map((address) => ({ ...address, person: id })),
  )
  return gained
}
