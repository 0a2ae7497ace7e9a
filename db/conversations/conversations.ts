import { sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

export const findConversation = (db: Db, workspace: string, id: string) =>
  conversationRows(db)
    .where('conversations.workspace', '=', workspace)
    .where('conversations.id', '=', id)
    .executeTakeFirst()

export type ConversationRow = NonNullable<Awaited<ReturnType<typeof findConversation>>>

/** Conversations with their labels. */
export const conversationRows = (db: Db) =>
  db
    .selectFrom('conversations')
    .selectAll('conversations')
    .select(
      sql<{ id: string; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
        from conversation_labels cl join labels l on l.id = cl.label
        where cl.conversation = conversations.id), '[]')`.as('labels'),
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
