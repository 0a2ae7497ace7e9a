import { sql } from 'kysely'
import { type Address, keyOf, readAddress } from '../../rules/addresses.ts'
import { addressKindOf, type ChannelKind } from '../../rules/channels.ts'
import type { Db, Trx } from '../database.ts'
import { insertAddresses, lockAddresses } from '../people/cards.ts'
import { findAllOwners } from '../people/matching.ts'
import { insertPerson } from '../people/people.ts'
import type { Inbound } from './inbound.ts'
import { findReferred } from './thread.ts'

// Whom a message that came in is from.

type Sender = Pick<Inbound, 'workspace' | 'connection' | 'from'>

/** Whom a message is from: everybody it stops letters to, and of them the one whose own address it came from, if any. */
export type From = { people: string[]; sender: string | undefined }

/**
 * Locks whom the message is from: the sender by their address, and the person whose conversation or letter it answers. One
 * whom nobody knows gets a card, unless they answer in a conversation: that may be another address of its person, or a colleague's.
 * Of a report the sender is nobody: it is from whom it is `about`.
 */
export async function lockPeople(
  trx: Trx,
  inbound: Inbound,
  kind: ChannelKind,
  about: string | undefined,
  written: string[],
  now: Date,
): Promise<From> {
  const { workspace, from, references } = inbound
  const address = readAddress(addressKindOf[kind], from.address)
  // A handle that is no address of its kind, such as a messenger's number of a user, is known by what it wrote before.
  const handle = { kind: addressKindOf[kind], value: from.address.toLowerCase() }
  await lockAddresses(trx, workspace, [address ?? handle])
  const referred = await findReferred(trx, workspace, inbound.connection, references)
  const writer = await findWriter(trx, inbound, address)
  const known = [about ?? writer, referred?.person, ...written].flatMap((id) => id ?? [])
  if (known.length === 0) {
    const made = await makePerson(trx, inbound, address, now)
    return { people: [made], sender: made }
  }
  await sql`select id from people where id = any(${known}) order by id for update`.execute(trx)
  // By mail anybody writes under any handle into a conversation; through a bridge its provider says whose a handle is.
  const isTheirs = about === undefined && (address !== undefined || kind !== 'email')
  return { people: [...new Set(known)], sender: isTheirs ? writer : undefined }
}

/** Who has the address. Of several who share a number it is the one who wrote from it last, else the one with the eldest card. */
async function findWriter(trx: Trx, inbound: Inbound, address: Address | undefined) {
  if (!address) return findByHandle(trx, inbound)
  const owners = await findAllOwners(trx, inbound.workspace, [address])
  const people = owners.get(keyOf(address)) ?? []
  const last = people.length > 1 ? await findByHandle(trx, inbound) : undefined
  return last !== undefined && people.includes(last) ? last : people[0]
}

/** A card for a sender whom nobody knows; `address` is theirs, where it is one. */
export async function makePerson(
  trx: Trx,
  { workspace, from }: { workspace: string; from: { name: string } },
  address: Address | undefined,
  now: Date,
) {
  const card = await insertPerson(trx, workspace, { name: from.name }, now)
  if (address) await insertAddresses(trx, workspace, [{ ...address, person: card.id }])
  return card.id
}

/** Who has written by a handle that is no address. */
export async function findByHandle(db: Db, { workspace, connection, from }: Sender) {
  const row = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .select('conversations.person')
    .where('messages.workspace', '=', workspace)
    .where('messages.connection', '=', connection)
    .where('direction', '=', 'inbound')
    .where(sql<boolean>`lower(sender_handle) = ${from.address.toLowerCase()}`)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.person
}
