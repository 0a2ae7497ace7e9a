import { sql } from 'kysely'
import { type Address, keyOf, readAddress } from '../../rules/addresses.ts'
import { addressKindOf, type ChannelKind } from '../../rules/channels.ts'
import { cut } from '../../rules/text.ts'
import type { Trx } from '../database.ts'
import { insertPerson, type PersonRow, updatePerson } from './people.ts'

// Splits one card into two, because some of its addresses are somebody else's. The correspondence with these addresses moves
// too.

/** Every address of a card. */
export const listAddresses = (trx: Trx, person: string): Promise<Address[]> =>
  trx
    .selectFrom('addresses')
    .select(['kind', 'value', 'given'])
    .where('person', '=', person)
    .orderBy('kind')
    .orderBy('position')
    .execute()

/**
 * Prevents the segments in which a card is written to from being judged, before the card is locked: judging locks people after
 * their segment.
 */
export const shareSegments = (trx: Trx, person: string) =>
  sql`select id from segments where id in (
      select c.segment from touches t join campaigns c on c.id = t.campaign where t.person = ${person})
    order by id for key share`.execute(trx)

/**
 * Makes a new card from some, but not all, of a locked card's addresses. These move to it: conversations in which nobody wrote
 * from, or was written to at, an address that stays; and a hold of the letters. The letters of campaigns are moved by
 * `splitLetters`.
 */
export async function splitCard(
  trx: Trx,
  card: PersonRow,
  moved: Address[],
  now: Date,
): Promise<PersonRow> {
  const goes = new Set(moved.map(keyOf))
  const stays = new Set(
    (await listAddresses(trx, card.id)).map(keyOf).filter((key) => !goes.has(key)),
  )
  const conversations = await listConversations(trx, card.id, goes, stays)
  const name = await findName(trx, conversations)
  const made = await insertPerson(trx, card.workspace, { name }, now)
  for (const { kind, value } of moved)
    await trx
      .updateTable('addresses')
      .set({ person: made.id })
      .where('person', '=', card.id)
      .where('kind', '=', kind)
      .where('value', '=', value)
      .execute()
  await sql`update conversations set person = ${made.id}
    where person = ${card.id} and id = any(${conversations}::text[])`.execute(trx)
  await updatePerson(trx, card.id, {}, now)
  return trx
    .updateTable('people')
    .set({ heldUntil: card.heldUntil, heldWhy: card.heldWhy })
    .where('id', '=', made.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function listConversations(
  trx: Trx,
  person: string,
  goes: Set<string>,
  stays: Set<string>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: ChannelKind; handle: string }>`
    select distinct c.id, c.kind,
      case m.direction when 'inbound' then m.sender_handle else m.to_address end as handle
    from conversations c join messages m on m.conversation = c.id
    where c.person = ${person}`.execute(trx)
  const keysOf = Map.groupBy(rows, ({ id }) => id)
  return [...keysOf].flatMap(([id, handles]) => {
    const keys = handles.flatMap(({ kind, handle }) => {
      const address = readAddress(addressKindOf[kind], handle)
      return address ? [keyOf(address)] : []
    })
    const isMoved = keys.some((key) => goes.has(key)) && !keys.some((key) => stays.has(key))
    return isMoved ? [id] : []
  })
}

/** The name in the latest inbound message that has one. */
async function findName(trx: Trx, conversations: string[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select sender_name as name from messages
    where conversation = any(${conversations}::text[]) and direction = 'inbound' and sender_name <> ''
    order by at desc limit 1`.execute(trx)
  return cut(rows[0]?.name ?? '', 200)
}
