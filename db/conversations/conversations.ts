import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { type Changes, isChange } from '../events/changes.ts'
import type { ConversationState } from './tables.ts'

export type ConversationFilter = {
  state?: ConversationState | undefined
  /** A member id, or null for conversations nobody owns. */
  owner?: string | null | undefined
  /** A label by id or, case aside, name; or a product by id or name, for those whose person carries its tag. */
  label?: string | undefined
  kind?: string | undefined
  person?: string | undefined
  /** Words looked for in the subject and in the person's name. */
  q?: string | undefined
  changes?: Changes | undefined
}

/**
 * Newest first; of changes by updatedAt, id. `after` is the (lastMessageAt, id), or (updatedAt, id), of the last row of the page
 * before. Up to `limit` rows.
 */
export const listConversations = (
  db: Db,
  workspace: string,
  filter: ConversationFilter,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) =>
  conversationRows(db)
    .where('conversations.workspace', '=', workspace)
    .$if(filter.state !== undefined, (q) =>
      q.where('state', '=', filter.state as ConversationState),
    )
    .$if(filter.owner !== undefined, (q) =>
      q.where('owner', filter.owner === null ? 'is' : '=', filter.owner as string),
    )
    .$if(filter.kind !== undefined, (q) => q.where('conversations.kind', '=', filter.kind as never))
    .$if(filter.person !== undefined, (q) => q.where('person', '=', filter.person as string))
    .$if(filter.label !== undefined, (q) =>
      q.where(sql<SqlBool>`(exists (
        select from conversation_labels cl join labels l on l.id = cl.label
        where cl.conversation = conversations.id
          and (l.id = ${filter.label} or lower(l.name) = lower(${filter.label})))
        or exists (
        select from person_tags t join products p on p.id = t.label
        where t.person = conversations.person and t.removed_at is null
          and (p.id = ${filter.label} or p.name = ${filter.label})))`),
    )
    .$if(filter.q !== undefined, (q) =>
      q.where(sql<SqlBool>`(subject ilike ${likeOf(filter.q)} or exists (
        select from people p where p.id = conversations.person and p.name ilike ${likeOf(filter.q)}))`),
    )
    .$if(filter.changes !== undefined, (q) =>
      q
        .where(isChange('conversations', filter.changes as Changes, after))
        .orderBy('conversations.updatedAt')
        .orderBy('conversations.id'),
    )
    .$if(filter.changes === undefined, (q) =>
      q
        .$if(after !== undefined, (listed) =>
          listed.where(
            sql<SqlBool>`(last_message_at, conversations.id) < (${after?.[0]}::timestamptz, ${after?.[1]})`,
          ),
        )
        .orderBy('lastMessageAt', 'desc')
        .orderBy('conversations.id', 'desc'),
    )
    .limit(limit)
    .execute()

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
