import { sql } from 'kysely'
import { gathered } from '../../process/limits/gather.ts'
import type { ChannelKind } from '../../rules/channels.ts'
import { compiledOnce } from '../compiled.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { conversationWords, withWords } from './search-words.ts'

const conversationsOf = compiledOnce((db, workspace: string, ids: string[]) =>
  conversationRows(db)
    .select([
      sql<boolean>`exists (select from notes n where n.conversation = conversations.id offset 0)`.as(
        'hasNotes',
      ),
      sql<boolean>`exists (select from tasks t where t.conversation = conversations.id offset 0)`.as(
        'hasTasks',
      ),
    ])
    .where('conversations.workspace', '=', workspace)
    .where('conversations.id', '=', sql<string>`any(${ids}::text[])`),
)

/** A conversation, and whether it has notes and tasks: most have none, and nothing more is read of those. */
export const findConversation = gathered(async (db: Db, workspace, ids: string[]) => {
  const rows = await conversationsOf(db, workspace, ids)
  return ids.map((id) => rows.find((row) => row.id === id))
})

/** What a list and a single read show. */
const shown = [
  'conversations.id',
  'conversations.person',
  'conversations.connection',
  'conversations.kind',
  'conversations.subject',
  'conversations.state',
  'conversations.lastMessageAt',
  'conversations.waitingSince',
  'conversations.waitingFor',
  'conversations.importance',
  'conversations.intent',
  'conversations.owner',
  'conversations.snoozeUntil',
  'conversations.why',
  'conversations.reason',
  'conversations.met',
  'conversations.updatedAt',
] as const

export type ConversationRow = Awaited<
  ReturnType<ReturnType<typeof conversationRows>['execute']>
>[number]

/** Conversations with their labels. */
export const conversationRows = (db: Db) =>
  db
    .selectFrom('conversations')
    .select(shown)
    .select(
      // Most have no label, which is seen sooner than an empty list is made. For "exists", Postgres may read all labels at once.
      sql<{ id: string; name: string }[]>`case when (
        select true from conversation_labels cl where cl.conversation = conversations.id limit 1) then (
        select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
        from conversation_labels cl join labels l on l.id = cl.label
        where cl.conversation = conversations.id) else '[]' end`.as('labels'),
    )

export async function openConversation(
  trx: Trx,
  conversation: {
    workspace: string
    person: string
    connection: string
    kind: ChannelKind
    subject: string
    at: Date
    automated: boolean
  },
): Promise<string> {
  // Callers hand over more than this.
  const { workspace, person, connection, kind, subject, at, automated } = conversation
  const id = newId('cnv')
  const waitingFor = automated ? ('client' as const) : ('us' as const)
  const insert = trx.insertInto('conversations').values({
    id,
    workspace,
    person,
    connection,
    kind,
    subject,
    lastMessageAt: at,
    waitingSince: at,
    waitingFor,
  })
  await withWords(conversationWords({ id, workspace, subject, at }), insert).execute(trx)
  return id
}

/** A part of a statement that has sent something of ours as `moved`: the conversation now waits for the client. */
export const waitingForClient = (conversation: string, now: Date) => sql`
  update conversations set last_message_at = ${now}, waiting_for = 'client', waiting_since = ${now}
  where id = ${conversation} and exists (select from moved)`
