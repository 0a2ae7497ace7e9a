import { sql } from 'kysely'
import { type Address, comparedForm, keyOf, readAddress } from '../../rules/addresses.ts'
import { addressKindOf } from '../../rules/channels.ts'
import { markConversation, namedProducts, unmarked } from '../../rules/mail/wishes/marks.ts'
import type { Db, Trx } from '../database.ts'
import { operationProgress } from '../operations/operations.ts'
import { insertAddresses, lockAddresses } from '../people/cards.ts'
import { findOwners } from '../people/people.ts'
import type { RunningArchive } from './archives.ts'
import { moveChannel, type OpenChannel } from './channels.ts'
import type { HistoryMessage } from './history.ts'
import type { ArchiveCounts } from './tables.ts'

// One page of the archive, written in one transaction together with the cursor after it. It completes cards, marks
// conversations that have no marks, and tags people who name a product. Each of these only adds what is missing, so a second
// parse finds nothing to do. Nobody is notified or written to.

/** A page as its source returns it. */
export type HistoryPage = {
  /** The cursor after the page; null at the end of the source. */
  next: string | null
  /**
   * In the page's transaction, stores those messages that Postgres lacks; answers the messages to parse, and how many are new.
   */
  keep(trx: Trx): Promise<{ messages: HistoryMessage[]; stored: number }>
}

export type PageResult = 'parsed' | 'parsed before' | 'stopped'

/**
 * Writes the page that begins at the cursor `at`. The row's lock and the cursor prevent two overlapping attempts from writing
 * it twice.
 */
export const parsePage = (
  db: Db,
  archive: RunningArchive,
  at: Pick<OpenChannel, 'channel' | 'cursor'>,
  page: HistoryPage,
  now: Date,
): Promise<PageResult> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('archives')
      .selectAll()
      .where('id', '=', archive.id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.state !== 'running') return 'stopped'
    if (!(await moveChannel(trx, archive.id, at, page.next))) return 'parsed before'
    const { messages, stored } = await page.keep(trx)
    const counts = await parseMessages(trx, archive, messages, now)
    const done = row.done + messages.length
    const total = row.total === null ? null : Math.max(row.total, done)
    const before = row.counts
    const sum = (name: 'addresses' | 'marked' | 'tagged') => (before[name] ?? 0) + counts[name]
    const brought = (before.stored ?? 0) + stored
    await trx
      .updateTable('archives')
      .set({
        done,
        total,
        counts: JSON.stringify({
          addresses: sum('addresses'),
          marked: sum('marked'),
          tagged: sum('tagged'),
          ...(brought > 0 && { stored: brought }),
        }),
      })
      .where('id', '=', archive.id)
      .execute()
    if (row.operation && total !== null) await operationProgress(trx, row.operation, done, total)
    return 'parsed'
  })

async function parseMessages(
  trx: Trx,
  archive: RunningArchive,
  messages: HistoryMessage[],
  now: Date,
): Promise<ArchiveCounts> {
  const completed = await completeCards(trx, archive.workspace, messages)
  const tagged = archive.fresh ? await tagPeople(trx, archive.workspace, messages, now) : []
  const people = [...new Set([...completed, ...tagged])].sort()
  if (people.length > 0)
    await sql`update people set updated_at = ${now} where id in (
      select id from people where id = any(${people}::text[]) order by id for no key update)`.execute(
      trx,
    )
  const marked = archive.tagging ? await markUnmarked(trx, messages) : 0
  return { addresses: completed.length, tagged: tagged.length, marked }
}

/**
 * Adds to a person's card each address they have written from or were written to at, unless it is somebody's already or ours.
 */
async function completeCards(trx: Trx, workspace: string, messages: HistoryMessage[]) {
  const seen = new Map<string, Address & { person: string }>()
  for (const { person, kind, group, direction, automated, handle } of messages) {
    if (group || (automated && direction === 'inbound')) continue
    const address = readAddress(addressKindOf[kind], handle)
    if (address && !seen.has(keyOf(address))) seen.set(keyOf(address), { ...address, person })
  }
  const missing = async (addresses: (Address & { person: string })[]) => {
    const owners = await findOwners(trx, workspace, addresses)
    return addresses.filter((address) => !owners.has(keyOf(address)))
  }
  const unknown = await missing([...seen.values()])
  if (unknown.length === 0) return []
  const ours = await listOurAddresses(trx, workspace)
  const theirs = unknown.filter(({ value }) => !ours.has(value))
  await lockAddresses(trx, workspace, theirs)
  const fresh = await missing(theirs)
  await insertAddresses(trx, workspace, fresh)
  return fresh.map(({ person }) => person)
}

async function listOurAddresses(trx: Trx, workspace: string): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select account as address from connections where workspace = ${workspace}
    union select email from members where workspace = ${workspace}`.execute(trx)
  return new Set(rows.map(({ address }) => comparedForm(address)))
}

/** Tags people who name a product as its buyers; a tag that was removed by hand stays removed. Answers who was tagged. */
async function tagPeople(trx: Trx, workspace: string, messages: HistoryMessage[], now: Date) {
  const products = await trx
    .selectFrom('products')
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .orderBy('id')
    .execute()
  const pairs = new Map<string, { person: string; label: string }>()
  for (const { person, group, direction, automated, text, subject } of messages) {
    if (group || automated || direction === 'outbound') continue
    for (const label of namedProducts(text, subject, products))
      pairs.set(`${person} ${label}`, { person, label })
  }
  if (pairs.size === 0) return []
  const rows = await trx
    .insertInto('personTags')
    .values([...pairs.values()].map((pair) => ({ ...pair, side: 'buyer' as const, addedAt: now })))
    .onConflict((oc) => oc.doNothing())
    .returning('person')
    .execute()
  return rows.map(({ person }) => person)
}

/** Marks those conversations of a page that have no marks, by the last message of their client; answers how many. */
async function markUnmarked(trx: Trx, messages: HistoryMessage[]): Promise<number> {
  const conversations = [...new Set(messages.map(({ conversation }) => conversation))]
  const { rows } = await sql<{ id: string; text: string; subject: string }>`
    select c.id, last.text, last.subject
    from conversations c
    cross join lateral (
      select text, subject from messages m
      where m.conversation = c.id and m.direction = 'inbound' and not m.suspect
      order by m.automated, m.at desc, m.seq desc limit 1) last
    where c.id = any(${conversations}::text[])
      and c.intent = ${unmarked.intent} and c.importance = ${unmarked.importance}
    order by c.id`.execute(trx)
  const marks = rows
    .map(({ id, text, subject }) => ({ id, ...markConversation(text, subject) }))
    .filter(({ intent, importance }) => intent !== 'other' || importance !== 'normal')
  if (marks.length === 0) return 0
  const column = (name: 'id' | 'intent' | 'importance') => marks.map((mark) => mark[name])
  const updated = await sql`
    update conversations set intent = marks.intent, importance = marks.importance
    from unnest(${column('id')}::text[], ${column('intent')}::text[], ${column('importance')}::text[])
      as marks (id, intent, importance)
    where conversations.id = marks.id
      and conversations.intent = ${unmarked.intent} and conversations.importance = ${unmarked.importance}`.execute(
    trx,
  )
  return Number(updated.numAffectedRows ?? 0)
}
