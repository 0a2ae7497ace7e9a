import { type SqlBool, sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import type { Db, Trx } from '../database.ts'
import { type Changes, isChange } from '../events/changes.ts'
import { newId } from '../ids.ts'
import type { ConversationState } from './tables.ts'

export type ConversationFilter = {
  state?: ConversationState | undefined
  /** A member id, or null for conversations nobody owns. */
  owner?: string | null | undefined
  /**
   * A label by id or, ignoring case, by name; or a product by id or name, which finds conversations whose person carries its
   * tag.
   */
  label?: string | undefined
  kind?: string | undefined
  person?: string | undefined
  /** Words to look for in the subject and in the person's name. */
  q?: string | undefined
  changes?: Changes | undefined
}

/**
 * Newest first; of changes by updatedAt, id. `after` is the (lastMessageAt, id), or (updatedAt, id), of the last row of the page
 * before. Up to `limit` rows.
 */
export function listConversations(
  db: Db,
  workspace: string,
  filter: ConversationFilter,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) {
  const { state, owner, kind, person, label, q, changes } = filter
  let listed = conversationRows(db).where('conversations.workspace', '=', workspace).limit(limit)
  if (state) listed = listed.where('state', '=', state)
  if (owner === null) listed = listed.where('owner', 'is', null)
  else if (owner !== undefined) listed = listed.where('owner', '=', owner)
  // A kind that does not exist finds nothing.
  if (kind !== undefined) listed = listed.where(sql<SqlBool>`conversations.kind = ${kind}`)
  if (person !== undefined) listed = listed.where('person', '=', person)
  if (label !== undefined)
    listed = listed.where(sql<SqlBool>`(exists (
        select from conversation_labels cl join labels l on l.id = cl.label
        where cl.conversation = conversations.id
          and (l.id = ${label} or lower(l.name) = lower(${label})))
        or exists (
        select from person_tags t join products p on p.id = t.label
        where t.person = conversations.person and t.removed_at is null
          and (p.id = ${label} or p.name = ${label})))`)
  if (q !== undefined)
    listed = listed.where(sql<SqlBool>`(subject ilike ${likeOf(q)} or exists (
        select from people p where p.id = conversations.person and p.name ilike ${likeOf(q)}))`)
  if (changes)
    return listed
      .where(isChange('conversations', changes, after))
      .orderBy('conversations.updatedAt')
      .orderBy('conversations.id')
      .execute()
  if (after)
    listed = listed.where(
      sql<SqlBool>`(last_message_at, conversations.id) < (${after[0]}::timestamptz, ${after[1]})`,
    )
  return listed.orderBy('lastMessageAt', 'desc').orderBy('conversations.id', 'desc').execute()
}

export const findConversation = (db: Db, workspace: string, id: string) =>
  conversationRows(db)
    .where('conversations.workspace', '=', workspace)
    .where('conversations.id', '=', id)
    .executeTakeFirst()

export type ConversationRow = NonNullable<Awaited<ReturnType<typeof findConversation>>>

const conversationRows = (db: Db) =>
  db
    .selectFrom('conversations')
    .selectAll('conversations')
    .select(
      sql<{ id: string; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
        from conversation_labels cl join labels l on l.id = cl.label
        where cl.conversation = conversations.id), '[]')`.as('labels'),
    )

const likeOf = (words: string | undefined) => `%${(words ?? '').replace(/[\\%_]/g, '\\$&')}%`

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
  await trx
    .insertInto('conversations')
    .values({
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
    .execute()
  return id
}

/** Something of ours was sent in the conversation: it now waits for the client. */
export const waitForClient = (trx: Trx, id: string, now: Date) =>
  trx
    .updateTable('conversations')
    .set({ lastMessageAt: now, waitingFor: 'client', waitingSince: now })
    .where('id', '=', id)
    .execute()
