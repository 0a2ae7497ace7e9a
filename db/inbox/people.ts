import { sql } from 'kysely'
import { type Address, comparedForm, readAddress } from '../../rules/addresses.ts'
import { addressKindOf, type ChannelKind } from '../../rules/channels.ts'
import { cardWith } from '../../rules/people/which-card.ts'
import { suppressPeople } from '../accounts/suppressions.ts'
import type { Db, Trx } from '../database.ts'
import { insertAddresses, lockAddresses } from '../people/cards.ts'
import { findErased } from '../people/erased.ts'
import { findAllOwners } from '../people/matching.ts'
import { findAlike, insertPerson } from '../people/people.ts'
import type { SecretKey } from '../secrets.ts'
import type { Inbound } from './inbound.ts'
import { findReferred } from './thread.ts'

// The people that an inbound message is from.

type Sender = Pick<Inbound, 'workspace' | 'connection' | 'from'>

/** The people whose letters a message stops and, among them, the one whose own address it came from, if any. */
export type From = {
  people: string[]
  sender: string | undefined
  /** Those who have the mailbox that it came from, under whatever spelling. */
  alike: string[]
  /** It answers a letter of ours to several people, and is the sender's alone, whoever's conversation the letter is in. */
  isOwnAnswer: boolean
}

/**
 * Locks the people a message is from: the sender by their address, and the person whose conversation or letter it answers. An
 * unknown sender gets a card, unless they answer in a conversation: that may be another address of its person, or a
 * colleague's. A report's own sender does not count: the report is from the person that it is `about`.
 */
export async function lockPeople(
  trx: Trx,
  inbound: Inbound,
  kind: ChannelKind,
  about: string | undefined,
  written: string[],
  now: Date,
  secretKey: SecretKey | undefined,
): Promise<From> {
  const { workspace, from, references } = inbound
  const address = readAddress(addressKindOf[kind], from.address)
  // A handle that is not an address of its kind, such as a messenger's user number, is recognised by earlier messages from it.
  const handle = { kind: addressKindOf[kind], value: from.address.toLowerCase() }
  await lockAddresses(trx, workspace, [address ?? handle])
  const referred = await findReferred(trx, workspace, inbound.connection, references)
  const writer = await findWriter(trx, inbound, address)
  const isOwnAnswer =
    about === undefined &&
    writer !== undefined &&
    referred !== undefined &&
    referred.person !== writer &&
    (await wentTo(trx, inbound))
  const alike =
    about === undefined && address?.kind === 'email'
      ? await findAlike(trx, workspace, address.value)
      : []
  const answered = isOwnAnswer ? undefined : referred?.person
  const known = [about ?? writer, answered, ...written].flatMap((id) => id ?? [])
  if (known.length === 0) {
    const made = await makePerson(trx, inbound, address, now, true)
    if (address) await keepStopped(trx, secretKey, workspace, made, address, now)
    await lockAll(trx, alike)
    return { people: [made, ...alike], sender: made, alike, isOwnAnswer }
  }
  known.push(...alike)
  const rows = await lockAll(trx, known)
  // In mail, anybody can write into a conversation under any handle; through a bridge, its provider says whose a handle is.
  const isTheirs = about === undefined && (address !== undefined || kind !== 'email')
  const sender = isTheirs ? writer : undefined
  if (sender !== undefined && rows.some(({ id, name }) => id === sender && name === ''))
    await nameSender(trx, inbound, sender, now)
  return { people: [...new Set(known)], sender, alike, isOwnAnswer }
}

/**
 * Somebody who was erased has written again: they may be answered, and campaigns leave them alone as they do those who have
 * unsubscribed.
 */
async function keepStopped(
  trx: Trx,
  secretKey: SecretKey | undefined,
  workspace: string,
  person: string,
  address: Address,
  now: Date,
) {
  const erased = await findErased(trx, secretKey, workspace, [address])
  if (erased.size > 0)
    await suppressPeople(trx, { workspace, people: [person], reason: 'unsubscribe', now })
}

async function lockAll(trx: Trx, people: string[]) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from people where id = any(${people}) order by id for update`.execute(trx)
  return rows
}

/** Whether one of the letters of ours that it refers to went to its sender beside others. */
async function wentTo(db: Db, { workspace, references, from }: Inbound): Promise<boolean> {
  const { rows } = await sql`
    select from messages
    where workspace = ${workspace} and message_id = any(${references}::text[]) and direction = 'outbound'
      and exists (select from unnest(array[to_address] || coalesce(to_addresses, '{}') || cc || bcc) as recipient
        where mailbox_of(recipient) = mailbox_of(${comparedForm(from.address)}))
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * A card that was made from an address alone gets the name under which its person first writes. A name that was erased later
 * does not come back.
 */
async function nameSender(trx: Trx, inbound: Inbound, sender: string, now: Date) {
  const { workspace, from, suspect } = inbound
  // Some programs give the address for a name.
  if (suspect || from.name === '' || from.name.includes('@')) return
  const handle = from.address.toLowerCase()
  await trx
    .updateTable('people')
    .set({ name: from.name, updatedAt: now })
    .where('workspace', '=', workspace)
    .where('id', '=', sender)
    .where(
      sql<boolean>`not exists (select from messages where messages.workspace = ${workspace} and direction = 'inbound'
        and lower(sender_handle) = ${handle} and not suspect and sender_name <> '' and strpos(sender_name, '@') = 0)`,
    )
    .execute()
}

/**
 * The person with this address. If several share a number, it is the one who wrote from it last, otherwise the one with the
 * oldest card.
 */
async function findWriter(trx: Trx, inbound: Inbound, address: Address | undefined) {
  if (!address) return findByHandle(trx, inbound)
  const owners = await findAllOwners(trx, inbound.workspace, [address])
  const { card, strangers } = cardWith(address, owners)
  if (strangers.length === 0) return card
  const last = await findByHandle(trx, inbound)
  return strangers.some(({ person }) => person === last) ? last : card
}

/**
 * Makes a card for somebody unknown; `address` is given if theirs is an address of its kind. `isSender`: their mail alone is the reason
 * for it.
 */
export async function makePerson(
  trx: Trx,
  { workspace, from }: { workspace: string; from: { name: string } },
  address: Address | undefined,
  now: Date,
  isSender: boolean,
) {
  const card = await insertPerson(trx, workspace, { name: from.name }, now, isSender)
  if (address) await insertAddresses(trx, workspace, [{ ...address, person: card.id }])
  return card.id
}

/** The person who has written from a handle that is not an address. */
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
