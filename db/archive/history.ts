import { sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import type { Db } from '../database.ts'
import type { RunningArchive } from './archives.ts'

// The past messages of one channel, as far as Postgres holds them.

/** A message as the parse reads it. */
export type HistoryMessage = {
  conversation: string
  person: string
  kind: ChannelKind
  /** In a group, the person of the conversation is only one of several. */
  group: boolean
  direction: 'inbound' | 'outbound'
  /** It was written automatically, or its author is unknown. */
  automated: boolean
  /** The other side's address, as it was written. */
  handle: string
  subject: string
  text: string
}

/**
 * The messages of a channel from the archive's first day, in the workspace's zone, up to the start of the parse. Leaves out
 * what this parse has already read from a mailbox.
 */
const history = (archive: RunningArchive, channel: string) => sql`
  from messages m
  join conversations c on c.id = m.conversation
  cross join lateral (select c.kind = 'messenger' and (
    select count(distinct lower(o.sender_handle)) from messages o
    where o.conversation = c.id and o.direction = 'inbound') > 1) g (is_group)
  where m.connection = ${channel} and m.workspace = ${archive.workspace} and m.state in ('received', 'sent')
    and m.at <= ${archive.startedAt}
    and (${archive.since}::date is null or m.at >= ${archive.since}::date::timestamp at time zone ${archive.timezone})
    and (${archive.groups} or not g.is_group)
    and m.archive is distinct from ${archive.id}`

export async function countHistory(db: Db, archive: RunningArchive, channel: string) {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n ${history(archive, channel)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Of these, the messages that are in no mailbox as far as we can tell: they neither came from one nor were filed there. */
export async function countUnmailed(db: Db, archive: RunningArchive, channel: string) {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n ${history(archive, channel)}
      and m.external_id is null and not m.filed`.execute(db)
  return rows[0]?.n ?? 0
}

/** The next `limit` messages of a channel after the cursor `after` (empty: from the first), oldest first. */
export async function listHistory(
  db: Db,
  archive: RunningArchive,
  channel: string,
  after: string,
  limit: number,
): Promise<{ messages: HistoryMessage[]; next: string | null }> {
  const [at = '-infinity', id = ''] = after === '' ? [] : after.split(' ', 2)
  const { rows } = await sql<HistoryMessage & { id: string; at: Date }>`
    select m.id, m.at, m.conversation, c.person, c.kind, g.is_group as group, m.direction, m.automated or m.suspect as automated, m.subject, m.text,
      case m.direction when 'inbound' then m.sender_handle else m.to_address end as handle
    ${history(archive, channel)} and (m.at, m.id) > (${at}::timestamptz, ${id})
    order by m.at, m.id limit ${limit}`.execute(db)
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { messages: rows, next: last ? `${last.at.toISOString()} ${last.id}` : null }
}
