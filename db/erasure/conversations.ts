import { type Selectable, type SqlBool, sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import {
  erasedMark,
  htmlOf,
  type Said,
  saidBy,
  seenInHtml,
  withoutQuotes,
} from '../../rules/people/erased-words.ts'
import type { Messages } from '../conversations/tables.ts'
import { eraseInFiles, type Page, patternsOf, type Work } from './work.ts'

// What somebody has said and was told. Messages from them, and to them alone, lose words and head; in those of others the mark stands
// for them and for what is quoted of them. One file, because the messages of others are done first: they are compared with what
// the person has said.

type Conversation = { id: string; person: string; kind: ChannelKind; isShared: boolean }

/** Where it goes on within a conversation. */
type Place = { conversation: string; phase: 'others' | 'own'; message: string }

const messagesAtOnce = 20
const conversationsScanned = 50

/** The conversations of their own. */
export async function eraseConversations(work: Work, after: unknown): Promise<Page> {
  const place = after as Place | null
  const going = place?.phase && (await findConversation(work, place.conversation))
  if (going) {
    const next = await eraseMessages(work, going, place)
    return { after: next ?? { conversation: going.id } }
  }
  const row = await work.trx
    .selectFrom('conversations')
    .select('id')
    .where('workspace', '=', work.workspace)
    .where(sql<SqlBool>`person = any(${work.sought.people}::text[])`)
    .where('id', '>', place?.conversation ?? '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && { after: begin(row.id) }
}

const begin = (conversation: string): Place => ({ conversation, phase: 'others', message: '' })

type Scan = { at: string; id: string; place?: Place | undefined }

/** Conversations of others in which one of their addresses occurs, the oldest first: what moves while they are read is read later. */
export async function eraseElsewhere(work: Work, after: unknown): Promise<Page> {
  const scan = (after as Scan | null) ?? { at: '-infinity', id: '' }
  const going = scan.place && (await findConversation(work, scan.place.conversation))
  if (going && scan.place) {
    if (await isSending(work, going.id)) return 'wait'
    return { after: { ...scan, place: await eraseMessages(work, going, scan.place) } }
  }
  const { trx, workspace, sought } = work
  const handles = sought.addresses.map(({ value }) => value)
  const patterns = patternsOf(work)
  if (patterns.length === 0) return undefined
  const isIn = (text: ReturnType<typeof sql>) => sql`lower(${text}) like any(${patterns}::text[])`
  const { rows } = await sql<{ id: string; at: string; hit: boolean }>`
    select c.id, c.last_message_at::text as at, not c.person = any(${sought.people}::text[]) and (
      ${isIn(sql`concat_ws(' ', c.subject, c.why)`)}
      or exists (select from messages m where m.conversation = c.id and (
        lower(m.sender_handle) = any(${handles}::text[])
        or ${isIn(sql`concat_ws(' ', m.to_address, m.to_addresses::text, m.cc::text, m.bcc::text, m.reply_to::text,
          m.via, m.subject, m.text, m.html, m.report::text, m.invitation::text, m.refused::text, m.head::text, m.said)`)}) offset 0)
      or exists (select from notes n where n.conversation = c.id and ${isIn(sql`n.text`)} offset 0)
      or exists (select from tasks t where t.conversation = c.id and ${isIn(sql`concat_ws(' ', t.text, t.told::text, t.did)`)} offset 0)
      or exists (select from messages m join files f on f.message = m.id
        where m.conversation = c.id and ${isIn(sql`f.name`)} offset 0)) as hit
    from (select id, person, subject, why, last_message_at from conversations
      where workspace = ${workspace} and (last_message_at, id) > (${scan.at}::timestamptz, ${scan.id})
      order by last_message_at, id limit ${conversationsScanned}) c
    order by c.last_message_at, c.id`.execute(trx)
  const hit = rows.find((row) => row.hit)
  const last = hit ?? rows.at(-1)
  if (!last) return undefined
  return { after: { at: last.at, id: last.id, ...(hit && { place: begin(hit.id) }) } }
}

const findConversation = async ({ trx, workspace, sought }: Work, id: string) => {
  const row = await trx
    .selectFrom('conversations')
    .select(['id', 'person', 'kind'])
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, isShared: !sought.people.includes(row.person) || (await hasOthers()) }

  /** Whether somebody else has written in it. What a server reports is about them. */
  async function hasOthers(): Promise<boolean> {
    if (row?.kind !== 'email') return false
    const theirs = sought.addresses.map(({ value }) => value)
    const { rows } = await sql`
      select from messages
      where conversation = ${id} and workspace = ${workspace} and direction = 'inbound' and report is null
        and sender_handle <> '' and lower(sender_handle) <> all(${theirs}::text[]) limit 1`.execute(
      trx,
    )
    return rows.length > 0
  }
}

const isSending = async ({ trx, workspace }: Work, conversation: string) =>
  (await trx
    .selectFrom('messages')
    .select('id')
    .where('conversation', '=', conversation)
    .where('workspace', '=', workspace)
    .where('state', '=', 'sending')
    .where('reason', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

type Message = Selectable<Messages>

/** A page of the messages of a conversation; answers the place after it, undefined behind the last one. */
async function eraseMessages(
  work: Work,
  conversation: Conversation,
  { phase, message }: Place,
): Promise<Place | undefined> {
  const { id } = conversation
  if (phase === 'others' && !conversation.isShared)
    return { conversation: id, phase: 'own', message: '' }
  const rows = await work.trx
    .selectFrom('messages')
    .selectAll()
    .where('conversation', '=', id)
    .where('workspace', '=', work.workspace)
    .where('id', '>', message)
    .orderBy('id')
    .limit(messagesAtOnce)
    .execute()
  const isOwn = ownIn(work, conversation)
  if (phase === 'others')
    await eraseInOthers(
      work,
      id,
      rows.filter((row) => !isOwn(row)),
      isOwn,
    )
  else await eraseOwn(work, rows.filter(isOwn))
  const last = rows.at(-1)
  if (last && rows.length === messagesAtOnce) return { conversation: id, phase, message: last.id }
  if (phase === 'others') return { conversation: id, phase: 'own', message: '' }
  await eraseBeside(work, conversation)
  return undefined
}

/** Which messages are theirs: from them, and to them alone; in a conversation that is theirs alone, all. */
function ownIn({ eraser, sought }: Work, { person, kind, isShared }: Conversation) {
  if (!isShared) return () => true
  // A handle of a messenger is nobody's address: whoever writes there is the person of the conversation.
  const isChat = kind !== 'email' && sought.people.includes(person)
  return (row: Message): boolean => {
    if (row.direction === 'inbound') return isChat || eraser.isTheirs(row.senderHandle)
    const recipients = [row.toAddress, ...(row.toAddresses ?? []), ...row.cc, ...row.bcc]
    return recipients.every((one) => eraser.isTheirs(one))
  }
}

async function eraseOwn({ trx, workspace }: Work, rows: Message[]) {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  const known = rows.flatMap(({ messageId }) => messageId ?? [])
  await trx
    .updateTable('messages')
    .set({ subject: '', text: '', html: null, toAddress: '', toAddresses: null, cc: [], bcc: [] })
    .set({
      replyTo: null,
      via: null,
      folder: null,
      messageId: null,
      externalId: null,
      inReplyTo: null,
    })
    .set({
      refersTo: null,
      head: null,
      refused: null,
      said: null,
      invitation: null,
      calendar: null,
    })
    .set({ report: sql`report || '{"recipient": null}'::jsonb`, filed: true })
    .set({ senderName: sql`case direction when 'inbound' then '' else sender_name end` })
    .set({ senderHandle: sql`case direction when 'inbound' then '' else sender_handle end` })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute()
  await trx
    .updateTable('files')
    .set({ name: '', content: Buffer.alloc(0), size: 0, cid: null })
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`message = any(${ids}::text[])`)
    .execute()
  await trx
    .deleteFrom('sentEvidence')
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`message_id = any(${known}::text[])`)
    .execute()
  await trx
    .deleteFrom('letterIds')
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`message_id = any(${known}::text[])`)
    .execute()
}

const mostSaid = 300

async function eraseInOthers(
  work: Work,
  conversation: string,
  rows: Message[],
  isOwn: (row: Message) => boolean,
) {
  if (rows.length === 0) return
  const { trx, workspace } = work
  const newest = await trx
    .selectFrom('messages')
    .selectAll()
    .where('conversation', '=', conversation)
    .where('workspace', '=', workspace)
    .where('direction', '=', 'inbound')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostSaid)
    .execute()
  const own = newest.filter(isOwn)
  const said = saidBy(own.map(({ text }) => text))
  const ids = new Set(own.flatMap(({ messageId }) => messageId ?? []))
  for (const row of rows) {
    const kept = inOthers(work, row, said, ids)
    if (Object.keys(kept).length > 0)
      await trx
        .updateTable('messages')
        .set(kept)
        .where('workspace', '=', workspace)
        .where('id', '=', row.id)
        .execute()
  }
  const files = await trx
    .selectFrom('files')
    .select(['id', 'name', 'type', 'size'])
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`message = any(${rows.map(({ id }) => id)}::text[])`)
    .execute()
  await eraseInFiles(work, files)
}

/** The columns of somebody else's message that change. */
function inOthers({ eraser }: Work, row: Message, said: Said, ids: ReadonlySet<string>) {
  const text = eraser.text(withoutQuotes(row.text, said, eraser.has))
  const isInHtml = row.html !== null && (eraser.has(row.html) || eraser.has(seenInHtml(row.html)))
  const html = row.html !== null && (text !== row.text || isInHtml) ? htmlOf(text) : row.html
  // What is still to go goes to the others.
  const listed = (addresses: string[]) =>
    row.state === 'queued'
      ? addresses.filter((one) => !eraser.isTheirs(one))
      : addresses.map((one) => (eraser.isTheirs(one) ? erasedMark : eraser.text(one)))
  const json = (value: unknown) => (value === null ? null : JSON.stringify(eraser.json(value)))
  const known = (id: string | null) => (id !== null && ids.has(id) ? null : id)
  const wanted = {
    ...{ text, html, subject: eraser.text(row.subject) },
    senderName: row.direction === 'inbound' ? eraser.text(row.senderName) : row.senderName,
    toAddress: eraser.isTheirs(row.toAddress) ? erasedMark : row.toAddress,
    toAddresses: row.toAddresses && listed(row.toAddresses),
    ...{ cc: listed(row.cc), bcc: listed(row.bcc) },
    via: row.via && eraser.text(row.via),
    said: row.said && eraser.text(row.said),
    inReplyTo: known(row.inReplyTo),
    refersTo: row.refersTo?.filter((id) => !ids.has(id)) ?? null,
  }
  const documents = {
    replyTo: json(row.replyTo),
    report: json(row.report),
    invitation: json(row.invitation),
    calendar: json(row.calendar),
    refused: json(row.refused),
    head: json(row.head),
  }
  const isOther = (name: string, value: unknown, was: unknown) =>
    name in documents
      ? value !== (was === null ? null : JSON.stringify(was))
      : JSON.stringify(value) !== JSON.stringify(was)
  return Object.fromEntries(
    Object.entries({ ...wanted, ...documents }).filter(([name, value]) =>
      isOther(name, value, row[name as keyof Message]),
    ),
  )
}

/** What stands beside the messages: subject, reason of a snooze, notes and tasks. */
async function eraseBeside({ trx, workspace, eraser }: Work, { id, isShared }: Conversation) {
  const row = await trx
    .selectFrom('conversations')
    .select(['subject', 'why'])
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const words = (text: string) => (isShared ? eraser.text(text) : '')
  const why = row.why === null ? null : words(row.why)
  if (words(row.subject) !== row.subject || why !== row.why)
    await trx
      .updateTable('conversations')
      .set({ subject: words(row.subject), why })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute()
  const notes = await trx
    .selectFrom('notes')
    .select(['id', 'text'])
    .where('conversation', '=', id)
    .execute()
  for (const note of notes.filter(({ text }) => words(text) !== text))
    await trx
      .updateTable('notes')
      .set({ text: words(note.text) })
      .where('conversation', '=', id)
      .where('id', '=', note.id)
      .execute()
  const tasks = await trx
    .selectFrom('tasks')
    .select(['id', 'text', 'told', 'did'])
    .where('workspace', '=', workspace)
    .where('conversation', '=', id)
    .execute()
  for (const task of tasks) {
    const told = isShared && task.told !== null ? JSON.stringify(eraser.json(task.told)) : null
    await trx
      .updateTable('tasks')
      .set({ text: words(task.text), told, did: task.did === null ? null : words(task.did) })
      .where('workspace', '=', workspace)
      .where('id', '=', task.id)
      .execute()
  }
}

const mostNames = 50

/** The names under which they have written. */
export async function gatherNames({ trx, workspace, sought }: Work): Promise<string[]> {
  const handles = sought.addresses.flatMap(({ kind, value }) => (kind === 'email' ? value : []))
  const { rows } = await sql<{ name: string }>`
    select distinct sender_name as name from messages
    where workspace = ${workspace} and direction = 'inbound' and sender_name <> ''
      and lower(sender_handle) = any(${handles}::text[]) limit ${mostNames}`.execute(trx)
  return rows.map(({ name }) => name).filter((name) => !name.includes('@'))
}
