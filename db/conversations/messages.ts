import { type SqlBool, sql } from 'kysely'
import { readAddress } from '../../rules/addresses.ts'
import { addressKindOf, type ChannelKind } from '../../rules/channels.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import type { Db, Trx } from '../database.ts'

/** Newest first by (at, id); a message that has not gone yet is listed at its sendAt or at the moment of the call. */
export const listMessages = (
  db: Db,
  conversation: string,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) =>
  messageRows(db)
    .where('conversation', '=', conversation)
    .$if(after !== undefined, (q) =>
      q.where(sql<SqlBool>`(at, messages.id) < (${after?.[0]}::timestamptz, ${after?.[1]})`),
    )
    .orderBy('at', 'desc')
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute()

export const findMessage = (db: Db, workspace: string, id: string) =>
  messageRows(db)
    .where('workspace', '=', workspace)
    .where('messages.id', '=', id)
    .executeTakeFirst()

export type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>

const messageRows = (db: Db) =>
  db
    .selectFrom('messages')
    .selectAll('messages')
    .select(
      sql<number>`(select count(*)::int from files where files.message = messages.id)`.as('files'),
    )

/**
 * What decides who receives a message if the call does not say. Anybody who knows a Message-ID can join a conversation, so
 * without an explicit recipient only addresses of its person are answered.
 */
export async function listContacts(
  db: Db,
  conversation: { id: string; person: string; kind: ChannelKind },
) {
  const kind = addressKindOf[conversation.kind]
  const person = await db
    .selectFrom('addresses')
    .select(['given', 'value'])
    .where('person', '=', conversation.person)
    .where('kind', '=', kind)
    .orderBy('position')
    .execute()
  const said = db
    .selectFrom('messages')
    .select(['direction', 'senderHandle', 'toAddress', 'automated', 'suspect'])
    .where('conversation', '=', conversation.id)
    .where('state', 'not in', ['failed', 'cancelled'])
  const spoken = await said.orderBy('at', 'desc').orderBy('seq', 'desc').limit(200).execute()
  const handleOf = (message: (typeof spoken)[number]) =>
    message.direction === 'inbound' ? message.senderHandle : message.toAddress
  const handles = spoken.map(handleOf).filter((handle) => handle !== '')
  const formOf = (handle: string) => readAddress(kind, handle)?.value ?? handle.toLowerCase()
  const own = new Set(person.map(({ value }) => value))
  // A person without an address of this kind is known by the handle that began the conversation. A handle that is not an
  // address, which messengers use, stays theirs whatever their card is given later.
  const first = await said
    .where('suspect', '=', false)
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (first && (person.length === 0 || !readAddress(kind, handleOf(first))))
    own.add(formOf(handleOf(first)))
  const isOwn = (message: (typeof spoken)[number]) => own.has(formOf(handleOf(message)))
  // A mail server that sends a report is not answered, and neither is a sender that the account's server disowns. A person's
  // automatic reply comes from one of their addresses.
  const answerable = spoken.filter(
    (message) =>
      handleOf(message) !== '' &&
      !message.suspect &&
      (message.direction === 'outbound' || !message.automated || isOwn(message)),
  )
  const known = answerable.filter(isOwn)
  const last = known.find((message) => message.direction === 'inbound') ?? known[0]
  const latest = answerable[0]
  return {
    /** The last inbound sender, if that is the person; otherwise the address of theirs that we last wrote to. */
    last: last && handleOf(last),
    /** The latest message is from somebody else, or to somebody else. */
    foreign: latest !== undefined && !isOwn(latest),
    person: person.map((address) => address.given),
    all: [...new Set([...person.map((address) => address.given), ...handles])],
  }
}

/** The Message-ID that a reply of ours answers, which is the newest of the conversation, and those before it. */
export async function findThread(db: Db, conversation: string) {
  const rows = await db
    .selectFrom('messages')
    .select(['messageId', 'subject'])
    .where('conversation', '=', conversation)
    .where('messageId', 'is not', null)
    .where('state', 'in', ['received', 'sent'])
    .where('suspect', '=', false)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(10)
    .execute()
  const ids = rows.map((row) => row.messageId as string)
  return {
    inReplyTo: ids[0] ?? null,
    references: ids.reverse(),
    subject: rows.at(0)?.subject ?? null,
  }
}

export type NewMessage = {
  id: string
  workspace: string
  conversation: string
  senderName: string
  senderHandle: string
  toAddress: string
  subject: string
  text: string
  sendAt: Date | null
  now: Date
  connection: string
  operation: string
  /** Written by an agent and not by a member. */
  automated?: boolean
  agent?: string
}

export async function insertQueuedMessage(trx: Trx, { now, ...message }: NewMessage) {
  // A moment just past means now: the message goes after those that were queued meanwhile.
  const dueAt = message.sendAt && message.sendAt > now ? message.sendAt : now
  const messageId = messageIdOf(message.id, message.senderHandle)
  await trx
    .insertInto('messages')
    .values({ ...message, direction: 'outbound', state: 'queued', at: dueAt, dueAt, messageId })
    .execute()
}

/** Cancels a message that is still queued; false if it is not queued any more. */
export async function cancelQueuedMessage(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('messages')
    .set({ state: 'cancelled', reason: null, nextTryAt: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The bridge's id of the newest inbound message of a conversation; null if there is none. */
export async function findLastReceived(db: Db, conversation: string): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('externalId')
    .where('conversation', '=', conversation)
    .where('direction', '=', 'inbound')
    .where('externalId', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.externalId ?? null
}

/** Cancels what is still queued in a conversation; answers the ids of the workflows that wait to send it. */
export async function cancelQueuedMessages(trx: Trx, conversation: string): Promise<string[]> {
  const rows = await trx
    .updateTable('messages')
    .set({ state: 'cancelled', reason: 'spam', nextTryAt: null })
    .where('conversation', '=', conversation)
    .where('state', '=', 'queued')
    .returning('operation')
    .execute()
  return rows.flatMap(({ operation }) => operation ?? [])
}
