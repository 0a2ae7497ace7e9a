import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../database.ts'

// What is past the retention of messages and files. A message loses its subject, text, HTML, head and files and what servers said of
// it; it keeps its row with ids, Message-IDs, instants, states, and who wrote to whom: by these a later answer still finds its
// conversation, and its mailbox may be read again without bringing it a second time. Conversations stay for the same reason. Once
// nothing of one is left to read, its subject, the reason of its snooze and the words of its tasks go too.
//
// A message is left alone while something may still be done with it: it is queued, being sent or unconfirmed; or in its conversation
// another message or a task is; or a letter of a campaign is open to its person after one that was sent in it.

/** What is past its time, for a page: from before `before`, at `now`. */
export type Past = {
  workspace: string
  before: Date
  now: Date
  /** The moment as operations have it, whose instants are real ones. */
  acceptedBefore: Date
}

/** Where a page goes on. Undefined: there is nothing left. */
export type After = string[] | undefined
export type Forgotten = { rows: number; after: After }
/** Some have a megabyte of HTML. */
const messagesAtOnce = 100
const filesAtOnce = 20

const isOpen = (conversation: RawBuilder<unknown>, workspace: string) => sql<boolean>`(
  exists (select from messages o where o.conversation = ${conversation} and o.state in ('queued', 'sending'))
  or exists (select from tasks o where o.conversation = ${conversation} and o.state = 'queued')
  or exists (select from conversations c
    join touches o on o.person = c.person and o.state in ('queued', 'review', 'sending')
    join touches s on s.person = c.person and s.campaign = o.campaign and s.conversation = c.id
    where c.id = ${conversation} and c.workspace = ${workspace} and o.workspace = ${workspace} and s.workspace = ${workspace}))`

type Found = { id: string; at: string }

/** A page of the messages from before an instant, the oldest first; those in the index of words, and the suspect others. */
const sources = {
  known: ({ workspace, before }: Past, [at = '-infinity', id = '']: string[], limit: number) =>
    sql<Found>`
      select ref as id, at::text as at from search_words
      where workspace = ${workspace} and kind = 'message' and at < ${before} and (at, ref) > (${at}::timestamptz, ${id})
      order by at, ref limit ${limit}`,
  withFiles: ({ workspace, before }: Past, [at = '-infinity', id = '']: string[], limit: number) =>
    sql<Found>`
      select ref as id, at::text as at from search_words
      where workspace = ${workspace} and files > 0 and at < ${before} and (at, ref) > (${at}::timestamptz, ${id})
      order by at, ref limit ${limit}`,
  suspect: ({ workspace, before }: Past, [at = '-infinity', id = '']: string[], limit: number) =>
    sql<Found>`
      select id, at::text as at from messages
      where workspace = ${workspace} and suspect and removed_at is null and at < ${before}
        and (at, id) > (${at}::timestamptz, ${id})
      order by at, id limit ${limit}`,
}

const goesOn = (rows: Found[], limit: number): After => {
  const last = rows.at(-1)
  return last && rows.length === limit ? [last.at, last.id] : undefined
}

/** A message with the letter of a campaign that it is; what somebody else has locked is left for the next run. */
type Locked = { id: string; conversation: string; touch: string | null; operation: string | null }

async function lockPast(trx: Trx, { workspace, before }: Past, ids: string[]): Promise<Locked[]> {
  // Touches before messages, as whoever settles a letter has them.
  const { rows: touches } = await sql<{ id: string }>`
    select t.id from touches t join messages m on m.touch = t.id
    where m.workspace = ${workspace} and m.id = any(${ids}::text[]) and t.workspace = ${workspace}
      and t.state in ('sent', 'failed')
    order by t.id for update of t skip locked`.execute(trx)
  const { rows } = await sql<Locked>`
    select m.id, m.conversation, m.touch, m.operation from messages m
    where m.workspace = ${workspace} and m.id = any(${ids}::text[]) and m.at < ${before}
      and m.state not in ('queued', 'sending')
      and (m.touch is null or m.touch = any(${touches.map(({ id }) => id)}::text[]))
      and not ${isOpen(sql`m.conversation`, workspace)}
    order by m.id for update of m skip locked`.execute(trx)
  return rows
}

const pagesOf =
  (source: keyof typeof sources, limit: number, remove: typeof removeFiles) =>
  async (trx: Trx, past: Past, after: string[]): Promise<Forgotten> => {
    const { rows } = await sources[source](past, after, limit).execute(trx)
    const locked = await lockPast(
      trx,
      past,
      rows.map(({ id }) => id),
    )
    const gone = locked.length === 0 ? 0 : await remove(trx, past, locked)
    return { rows: gone, after: goesOn(rows, limit) }
  }

/** Removes the files of messages, and counts them in their messages; answers how many went. */
async function removeFiles(trx: Trx, { workspace }: Past, messages: Locked[]): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with gone as (
      delete from files where workspace = ${workspace} and message = any(${messages.map(({ id }) => id)}::text[])
      returning message),
    counted as (select message, count(*)::int as gone from gone group by message),
    noted as (
      update messages m set files_removed = m.files_removed + c.gone from counted c
      where m.workspace = ${workspace} and m.id = c.message returning c.gone)
    select coalesce(sum(gone), 0)::int as gone from noted`.execute(trx)
  return rows[0]?.gone ?? 0
}

/** Removes what messages say. Answers how many went. */
export async function removeWords(trx: Trx, past: Past, messages: Locked[]): Promise<number> {
  const { workspace, now } = past
  const ids = messages.map(({ id }) => id)
  const touches = messages.flatMap(({ touch }) => touch ?? [])
  // Their names leave the index of words with the words.
  await removeFiles(trx, past, messages)
  // The head of a letter says when it was written, by which a copy that comes back is known.
  await sql`
    update messages m set subject = '', text = '', html = null, head = null, said = null, invitation = null, calendar = null,
      dated = coalesce(m.dated, (m.head ->> 'date')::timestamptz,
        (select (t.head ->> 'date')::timestamptz from touches t where t.id = m.touch and t.workspace = ${workspace})),
      filed = true, removed_at = ${now}
    where m.workspace = ${workspace} and m.id = any(${ids}::text[])`.execute(trx)
  await unsay(trx, past, touches)
  await unindex(trx, workspace, 'message', ids)
  const quiet = await emptyConversations(trx, past, [
    ...new Set(messages.map(({ conversation }) => conversation)),
  ])
  const operations = messages.flatMap(({ operation }) => operation ?? [])
  await eraseAnswersOf(trx, past, { about: [...ids, ...touches], operations, conversations: quiet })
  return ids.length
}

/** Removes what letters of campaigns say. */
async function unsay(trx: Trx, { workspace, now }: Past, touches: string[]) {
  if (touches.length === 0) return
  const theirs = sql`workspace = ${workspace} and id = any(${touches}::text[])`
  // A trigger keeps words that somebody wrote for their person.
  await sql`update touches set own_words = false where ${theirs} and own_words`.execute(trx)
  await sql`
    update touches set subject = null, text = null, html = null, missing = null, said = null, head = null,
      removed_at = ${now} where ${theirs}`.execute(trx)
}

const unindex = (
  trx: Trx,
  workspace: string,
  kind: 'message' | 'conversation' | 'note',
  ids: string[],
) =>
  sql`delete from search_words where workspace = ${workspace} and kind = ${kind} and ref = any(${ids}::text[])`.execute(
    trx,
  )

/** Removes what stands beside the messages of conversations that have nothing left to read; answers which these are. */
async function emptyConversations(
  trx: Trx,
  { workspace, before }: Past,
  conversations: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; operations: string[] }>`
    update conversations c set subject = '', why = null
    where c.workspace = ${workspace} and c.id = any(${conversations}::text[]) and c.last_message_at < ${before}
      and not exists (select from messages m where m.conversation = c.id and m.removed_at is null)
      and not exists (select from tasks t where t.conversation = c.id and t.state = 'queued')
    returning c.id`.execute(trx)
  const quiet = rows.map(({ id }) => id)
  if (quiet.length === 0) return quiet
  await sql`
    update tasks set text = '', told = null, did = null
    where workspace = ${workspace} and conversation = any(${quiet}::text[])`.execute(trx)
  await unindex(trx, workspace, 'conversation', quiet)
  return quiet
}

/**
 * Takes away the answers that are kept for repeats of calls about these, and of earlier calls about conversations: whoever asks for one
 * again is told that it is gone.
 */
async function eraseAnswersOf(
  trx: Trx,
  { workspace, acceptedBefore }: Past,
  {
    about = [],
    operations = [],
    conversations = [],
  }: { about?: string[]; operations?: string[]; conversations?: string[] },
) {
  await sql`
    update operations set
      answer_status = case when answer_body is null then answer_status else 410 end,
      answer_body = case when answer_body is null then null else 'erased' end,
      result = case when ended_at is null then result end
    where workspace = ${workspace} and (id = any(${operations}::text[]) or resource = any(${about}::text[])
      or resource = any(${conversations}::text[]) and accepted_at < ${acceptedBefore})`.execute(trx)
}

export const forgetMessages = {
  known: pagesOf('known', messagesAtOnce, removeWords),
  suspect: pagesOf('suspect', messagesAtOnce, removeWords),
}

export const forgetFiles = {
  known: pagesOf('withFiles', filesAtOnce, removeFiles),
  suspect: pagesOf('suspect', filesAtOnce, removeFiles),
}

/** Letters of campaigns that never went, and so are no messages. */
export async function forgetFailedTouches(
  trx: Trx,
  past: Past,
  [at = '-infinity', id = '']: string[],
): Promise<Forgotten> {
  const { workspace, before } = past
  const { rows } = await sql<Found & { isLocked: boolean }>`
    select t.id, t.due_at::text as at from touches t
    where t.workspace = ${workspace} and t.state = 'failed' and t.removed_at is null and t.message is null
      and t.due_at < ${before} and (t.due_at, t.id) > (${at}::timestamptz, ${id})
    order by t.due_at, t.id limit ${messagesAtOnce}`.execute(trx)
  const { rows: locked } = await sql<{ id: string }>`
    select t.id from touches t
    where t.workspace = ${workspace} and t.id = any(${rows.map((row) => row.id)}::text[]) and t.state = 'failed'
      and not exists (select from touches o where o.person = t.person and o.campaign = t.campaign
        and o.workspace = ${workspace} and o.state in ('queued', 'review', 'sending'))
    order by t.id for update of t skip locked`.execute(trx)
  const ids = locked.map((row) => row.id)
  await unsay(trx, past, ids)
  if (ids.length > 0) await eraseAnswersOf(trx, past, { about: ids })
  return { rows: ids.length, after: goesOn(rows, messagesAtOnce) }
}

/** Notes speak of what was written: they go at the same age. */
export async function forgetNotes(
  trx: Trx,
  past: Past,
  [at = '-infinity', id = '']: string[],
): Promise<Forgotten> {
  const { workspace, before } = past
  const { rows } = await sql<Found & { conversation: string }>`
    select ref as id, at::text as at, conversation from search_words
    where workspace = ${workspace} and kind = 'note' and at < ${before} and (at, ref) > (${at}::timestamptz, ${id})
    order by at, ref limit ${messagesAtOnce}`.execute(trx)
  const ids = rows.map((row) => row.id)
  if (ids.length > 0) {
    const conversations = [...new Set(rows.map(({ conversation }) => conversation))]
    await sql`
      update notes n set text = '' from conversations c
      where c.id = n.conversation and c.workspace = ${workspace} and n.id = any(${ids}::text[])`.execute(
      trx,
    )
    await unindex(trx, workspace, 'note', ids)
    await eraseAnswersOf(trx, past, { conversations })
  }
  return { rows: ids.length, after: goesOn(rows, messagesAtOnce) }
}
