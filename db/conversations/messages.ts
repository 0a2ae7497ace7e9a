import { type SqlBool, sql } from 'kysely'
import { messageIdOf } from '../../rules/outgoing.ts'
import type { Db, Trx } from '../database.ts'
import { insertOf, type NewRows } from '../rows.ts'
import { messageWords, withWords } from './search-words.ts'

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

/** What is shown of a message. Its HTML may be long, and whether it has any is enough. */
const shown = [
  'id',
  'conversation',
  'direction',
  'senderName',
  'senderHandle',
  'toAddress',
  'toAddresses',
  'cc',
  'bcc',
  'subject',
  'text',
  'at',
  'automated',
  'agent',
  'voice',
  'state',
  'reason',
  'code',
  'suspect',
  'report',
  'refused',
  'connection',
  'folder',
  'sendAt',
  'sentAt',
  'messageId',
  'operation',
  'said',
  'again',
  'via',
  'replyTo',
  'invitation',
  'removedAt',
  'filesRemoved',
] as const

/**
 * The message that one answers: as its caller has chosen, otherwise as its mail says, otherwise the last one that had come in
 * when it was written.
 */
const answered = sql<string | null>`coalesce(messages.replies_to,
  (select said.id from messages said
    where said.workspace = messages.workspace and said.message_id = messages.in_reply_to and said.id <> messages.id
    order by said.conversation = messages.conversation desc, said.id limit 1),
  case when messages.direction = 'outbound' and messages.in_reply_to is null and messages.touch is null then (
    select heard.id from messages heard
    where heard.conversation = messages.conversation and heard.direction = 'inbound' and not heard.suspect
      and heard.report is null and heard.at <= messages.at
    order by heard.at desc, heard.id desc limit 1) end)`

const messageRows = (db: Db) =>
  db
    .selectFrom('messages')
    .select(shown.map((column) => `messages.${column}` as const))
    .select([
      sql<number>`(select count(*)::int from files where files.message = messages.id)`.as('files'),
      sql<boolean>`messages.html is not null`.as('hasHtml'),
      answered.as('answers'),
    ])

/**
 * The Message-ID that a reply of ours answers, which is the newest of the conversation, and those before it; without reports of
 * mail servers.
 */
export async function findThread(db: Db, conversation: string) {
  const rows = await db
    .selectFrom('messages')
    .select(['messageId', 'subject'])
    .where('conversation', '=', conversation)
    .where('messageId', 'is not', null)
    .where('state', 'in', ['received', 'sent'])
    .where('suspect', '=', false)
    .where('report', 'is', null)
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

/** What a letter may have beside its text. */
export type Beside = {
  html: string | null
  cc: string[]
  bcc: string[]
  repliesTo: string | null
}

const intoMessages = sql`messages (id, workspace, conversation, direction, state, sender_name, sender_handle, to_address, subject,
  text, at, due_at, send_at, message_id, connection, operation, automated, agent)`

// Most messages are text alone, and their statement stays as short as it is.
const intoWholeMessages = sql`messages (id, workspace, conversation, direction, state, sender_name, sender_handle, to_address,
  subject, text, at, due_at, send_at, message_id, connection, operation, automated, agent, html, cc, bcc, replies_to)`

/** The row of a message of ours that is to go out. */
export function queuedMessageRows(message: NewMessage, beside?: Beside): NewRows {
  if (!beside) return { into: intoMessages, rows: [sql`(${columnsOf(message)})`] }
  const { html, cc, bcc, repliesTo } = beside
  const row = sql`(${columnsOf(message)}, ${html}, ${cc}::text[], ${bcc}::text[], ${repliesTo})`
  return { into: intoWholeMessages, rows: [row] }
}

// A moment just past means now: the message goes after those that were queued meanwhile.
const dueAt = ({ sendAt, now }: NewMessage) => (sendAt && sendAt > now ? sendAt : now)

function columnsOf(message: NewMessage) {
  const due = dueAt(message)
  return sql`${message.id}, ${message.workspace}, ${message.conversation}, 'outbound', 'queued', ${message.senderName},
    ${message.senderHandle}, ${message.toAddress}, ${message.subject}, ${message.text}, ${due}, ${due}, ${message.sendAt},
    ${messageIdOf(message.id, message.senderHandle)}, ${message.connection}, ${message.operation},
    ${message.automated ?? false}, ${message.agent}`
}

/** The words of such a message, which is searched as soon as it is queued. */
export const queuedMessageWords = (message: NewMessage): NewRows =>
  messageWords({ ...message, at: dueAt(message) })

export async function insertQueuedMessage(trx: Trx, message: NewMessage, beside?: Beside) {
  const insert = insertOf(queuedMessageRows(message, beside))
  await withWords(queuedMessageWords(message), insert).execute(trx)
}

/** Notes what a calendar program is to read in a message that is to go out. */
export const noteCalendar = (
  trx: Trx,
  id: string,
  calendar: { method: 'reply'; content: string },
) =>
  trx
    .updateTable('messages')
    .set({ calendar: JSON.stringify(calendar) })
    .where('id', '=', id)
    .execute()

/** Notes as which message a locked one was sent again. */
export const noteAgain = (trx: Trx, id: string, again: string) =>
  trx.updateTable('messages').set({ again }).where('id', '=', id).execute()

/** The subject of a message of the conversation; undefined if it is none. */
export async function findSubject(
  db: Db,
  conversation: string,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('subject')
    .where('conversation', '=', conversation)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.subject
}

/** Cancels a message that is still queued; false if it is not queued any more. */
export async function cancelQueuedMessage(db: Db, id: string, run?: string): Promise<boolean> {
  const row = await db
    .updateTable('messages')
    .set({ state: 'cancelled', reason: null, nextTryAt: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .$if(run !== undefined, (q) =>
      q.where(
        sql<SqlBool>`not exists (select from operations o where o.id = messages.operation and o.owner_run <> ${run})`,
      ),
    )
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

// Messages as pages: their HTML, and the images in it.

/** The HTML of a message, null if it has none; undefined if there is no such message. */
export const findPage = (db: Db, workspace: string, message: string) =>
  db
    .selectFrom('messages')
    .select(['id', 'html'])
    .where('workspace', '=', workspace)
    .where('id', '=', message)
    .executeTakeFirst()

/** The files of a message that its HTML may show, in order. `head` is the beginning of the content. */
export const listShowable = (db: Db, workspace: string, message: string) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'type', 'size', 'cid'])
    .select(sql<Buffer>`substring(content for 16)`.as('head'))
    .where('workspace', '=', workspace)
    .where('message', '=', message)
    .orderBy('seq')
    .limit(200)
    .execute()
