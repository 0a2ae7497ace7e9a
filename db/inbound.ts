import { sql } from 'kysely'
import { type Address, readAddress } from './addresses.ts'
import { insertAddresses, lockAddresses } from './cards.ts'
import {
  type LockedConversation,
  lockConversation,
  wakeConversation,
} from './conversation-moves.ts'
import type { Db, Trx } from './database.ts'
import { recordEvent } from './events.ts'
import { newId } from './ids.ts'
import { holdLetters, stopLetters, suppressAddress, suppressPerson } from './inbound-effects.ts'
import { markReceived, marksOf } from './inbound-marks.ts'
import {
  findContinued,
  findReferred,
  lockUnconfirmed,
  openConversation,
  proveSent,
} from './inbound-thread.ts'
import { enqueueSignal } from './outbox.ts'
import { findOwners, insertPerson } from './people.ts'
import { routeConversation } from './routing.ts'
import type { AddressKind, ChannelKind } from './schema.ts'
import { notify } from './sending.ts'
import { failTouches } from './touches.ts'

// The one way in for a message, whatever brings it: a mailbox or a bridge.

export type Inbound = {
  workspace: string
  connection: string
  /** With the connection it makes the message one: its Message-ID with the brackets, or the bridge's id. */
  externalId: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  /** Business time: when it came in, not later than now. Campaigns compare it with when their letters were sent. */
  at: Date
  /** What it refers to, by the same kind of ids; the nearest last. */
  references: string[]
  files: { name: string; type: string; content: Buffer }[]
  /** Nobody wrote it: no letter is stopped by it, nothing wakes or waits, nobody is told. */
  automated: boolean
  /** The sender is away until then: their letters wait. */
  outOfOfficeUntil?: Date | undefined
  /** An address of ours could not be delivered to, for good. */
  bounced?: string | undefined
  /** The sender wants no more campaign letters, or complained about what they got. */
  unsubscribes?: boolean | undefined
  complains?: boolean | undefined
}

/** fresh is false for a message that is here already: nothing was done then. */
export type Received = { conversation: string; message: string; fresh: boolean }

/**
 * Stores a message that came in, once, in its conversation, with everything it brings about: its sender is found or made, what
 * it proves is taken for sent, their remaining campaign letters stop, its conversation wakes or reopens, gets an owner by the
 * routing rules, and the owner is told. Call it in a transaction of its own and run that again on isConflict or isOvertaken.
 * Locks in the order of every claim: campaign FOR SHARE, person FOR UPDATE.
 */
export async function receiveMessage(trx: Trx, given: Inbound, now: Date): Promise<Received> {
  const inbound = cleaned(given, now)
  const early = await findReceived(trx, inbound)
  if (early) return early
  const { workspace, connection, automated } = inbound
  const account = await trx
    .selectFrom('connections')
    .select('kind')
    .where('workspace', '=', workspace)
    .where('id', '=', connection)
    .executeTakeFirstOrThrow()

  const unconfirmed = await lockUnconfirmed(trx, workspace, inbound.references)
  const people = await lockPeople(trx, inbound, account.kind, unconfirmed.people, now)
  // Two that bring the same message: the second waited for the first.
  const known = await findReceived(trx, inbound)
  if (known) return known
  await proveSent(trx, unconfirmed, inbound)

  const referred = await findReferred(trx, workspace, connection, inbound.references)
  // An answer comes after what it answers, whatever the clocks of others say.
  if (referred && referred.at >= inbound.at)
    inbound.at = new Date(Math.min(referred.at.getTime() + 1, now.getTime()))
  const [person = ''] = people
  const id =
    referred?.conversation ??
    (await findContinued(trx, { person, connection, kind: account.kind, subject: inbound.subject }))
  const conversation =
    id ?? (await openConversation(trx, { ...inbound, person, kind: account.kind }))
  const message = await insertReceived(trx, inbound, conversation, referred?.messageId ?? null)
  const row = (await lockConversation(trx, workspace, conversation)) as LockedConversation

  if (!automated) await stopLetters(trx, people, inbound.at, now)
  if (inbound.outOfOfficeUntil) await holdLetters(trx, people, inbound.outOfOfficeUntil, now)
  if (inbound.bounced)
    await suppressAddress(trx, { workspace, address: inbound.bounced, reason: 'bounce', now })
  const marks = marksOf(inbound)
  if (marks) await markReceived(trx, workspace, conversation, marks)
  if (inbound.unsubscribes || marks?.intent === 'unsubscribe')
    await refuse(trx, inbound, person, 'unsubscribe', now)
  if (inbound.complains) await refuse(trx, inbound, person, 'complaint', now)

  await moveOn(trx, row, inbound, now)
  if (!automated) await tell(trx, row, inbound, now)
  await recordEvent(trx, {
    ...{ workspace, kind: 'message.received', at: now, resource: message },
    data: { conversation, person: row.person, connection, automated },
  })
  return { conversation, message, fresh: true }
}

const longestText = 1_000_000
const longestSubject = 1000

// Postgres takes no NUL and no half of a pair.
const plain = (text: string, longest: number) =>
  text.slice(0, longest).replaceAll('\0', '').toWellFormed()

const cleaned = (given: Inbound, now: Date): Inbound => ({
  ...given,
  externalId: plain(given.externalId, 1000),
  from: {
    name: plain(given.from.name, 300).trim(),
    address: plain(given.from.address, 320).trim(),
  },
  to: plain(given.to, 320),
  subject: plain(given.subject, longestSubject).trim(),
  text: plain(given.text, longestText),
  at: given.at > now ? now : given.at,
  references: [...new Set(given.references.map((id) => plain(id, 1000)))].slice(-100),
})

/** The message as it is here already; also one that an operator's file or an archive brought, by its Message-ID. */
async function findReceived(
  db: Db,
  { connection, workspace, externalId }: Inbound,
): Promise<Received | undefined> {
  const row = await db
    .selectFrom('messages')
    .select(['id', 'conversation'])
    .where('direction', '=', 'inbound')
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where((eb) => eb.or([eb('externalId', '=', externalId), eb('messageId', '=', externalId)]))
    .limit(1)
    .executeTakeFirst()
  return row && { conversation: row.conversation, message: row.id, fresh: false }
}

const addressKinds: Record<ChannelKind, AddressKind> = {
  email: 'email',
  messenger: 'phone',
  professional_network: 'linkedin',
}

/**
 * Locks whom the message is from: the sender by their address, and the person whose conversation or letter it answers. One
 * whom nobody knows gets a card, unless they answer in a conversation: that may be another address of its person, or a colleague's.
 */
async function lockPeople(
  trx: Trx,
  inbound: Inbound,
  kind: ChannelKind,
  written: string[],
  now: Date,
): Promise<string[]> {
  const { workspace, from, references } = inbound
  const address = readAddress(addressKinds[kind], from.address)
  // A handle that is no address of its kind, such as a messenger's number of a user, is known by what it wrote before.
  const handle = { kind: addressKinds[kind], value: from.address.toLowerCase() }
  await lockAddresses(trx, workspace, [address ?? handle])
  const referred = await findReferred(trx, workspace, inbound.connection, references)
  const sender = address
    ? (await findOwners(trx, workspace, [address])).values().next().value
    : await findByHandle(trx, inbound)
  const known = [sender, referred?.person, ...written].flatMap((id) => id ?? [])
  if (known.length === 0) return [await makePerson(trx, inbound, address, now)]
  await sql`select id from people where id = any(${known}) order by id for update`.execute(trx)
  return [...new Set(known)]
}

async function makePerson(trx: Trx, inbound: Inbound, address: Address | undefined, now: Date) {
  const { workspace, from } = inbound
  const card = await insertPerson(trx, workspace, { name: from.name }, now)
  if (address) await insertAddresses(trx, workspace, [{ ...address, person: card.id }])
  return card.id
}

async function findByHandle(db: Db, { workspace, connection, from }: Inbound) {
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

async function insertReceived(
  trx: Trx,
  inbound: Inbound,
  conversation: string,
  inReplyTo: string | null,
): Promise<string> {
  const { workspace, connection, externalId, from, to, subject, text, at, automated } = inbound
  const id = newId('msg')
  await trx
    .insertInto('messages')
    .values({
      ...{ id, workspace, conversation, connection, subject, text, at, automated },
      ...{ direction: 'inbound', state: 'received', externalId, messageId: externalId },
      ...{ senderName: from.name, senderHandle: from.address, toAddress: to },
      inReplyTo: inReplyTo ?? inbound.references.at(-1) ?? null,
    })
    .execute()
  for (const { name, type, content } of inbound.files)
    await trx
      .insertInto('files')
      .values({
        ...{ id: newId('fil'), workspace, message: id, size: content.length, content },
        name: plain(name, 300) || 'file',
        type: plain(type, 200) || 'application/octet-stream',
      })
      .execute()
  return id
}

/** The conversation with a message more: it waits for us, and what put it aside is over. */
async function moveOn(trx: Trx, row: LockedConversation, inbound: Inbound, now: Date) {
  const { at, automated } = inbound
  const waits = !automated && row.waitingFor === 'client'
  const reopens = !automated && row.state === 'closed'
  await trx
    .updateTable('conversations')
    .set({
      lastMessageAt: new Date(Math.max(at.getTime(), row.lastMessageAt.getTime())),
      ...(waits && { waitingFor: 'us', waitingSince: at }),
      ...(reopens && { state: 'open', reason: null }),
    })
    .where('id', '=', row.id)
    .execute()
  const wakes = !automated && row.state === 'snoozed'
  if (wakes) {
    await wakeConversation(trx, row.id, row.snoozeVersion)
    if (row.snoozeOperation) await enqueueSignal(trx, row.snoozeOperation, 'changed')
  }
  if (wakes || reopens)
    await recordEvent(trx, {
      ...{ workspace: row.workspace, at: now, resource: row.id },
      kind: wakes ? 'conversation.woken' : 'conversation.reopened',
      data: { conversation: row.id, person: row.person, state: 'open' },
    })
}

/** Word to the owner; one that nobody owns gets an owner by the rules, who is told by that. */
async function tell(trx: Trx, row: LockedConversation, inbound: Inbound, now: Date) {
  const { workspace, from } = inbound
  if (row.owner === null) {
    await routeConversation(trx, workspace, row.id, now)
    return
  }
  await notify(trx, {
    ...{ workspace, member: row.owner, at: now, kind: 'message.received' },
    text: `${from.name || from.address} has written.`,
    conversation: row.id,
  })
}

async function refuse(
  trx: Trx,
  { workspace }: Inbound,
  person: string,
  reason: 'unsubscribe' | 'complaint',
  now: Date,
) {
  const kind = reason === 'complaint' ? 'person.complained' : 'person.unsubscribed'
  if ((await suppressPerson(trx, { workspace, person, reason, now })) > 0)
    await recordEvent(trx, { workspace, kind, at: now, resource: person, data: { person } })
  await failTouches(trx, { person }, reason === 'complaint' ? 'suppressed' : 'unsubscribed', now)
}
