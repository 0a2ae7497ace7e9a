import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

export type LabelRow = { id: string; name: string }
export type LabelCount = LabelRow & { kind: 'product' | 'conversation'; conversations: number }

/**
 * Product tags and conversation labels by name. People carry the tag of a product, so its count is of the conversations whose
 * person carries it now.
 */
export async function listLabels(db: Db, workspace: string): Promise<LabelCount[]> {
  const { rows } = await sql<LabelCount>`
    select * from (
      select id, name, 'product' as kind, (
        select count(*)::int from conversations c join (
          select distinct person from person_tags where label = p.id and removed_at is null) t on t.person = c.person
        where c.workspace = ${workspace}) as conversations
      from products p where workspace = ${workspace}
      union all
      select id, name, 'conversation', (
        select count(*)::int from conversation_labels cl where cl.label = l.id)
      from labels l where workspace = ${workspace}) as all_labels
    order by kind desc, lower(name), id`.execute(db)
  return rows
}

/** A conversation label by its id or, ignoring case, by its name; undefined if it does not exist. */
export const findLabel = (db: Db, workspace: string, idOrName: string) =>
  db
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .where((eb) =>
      eb.or([
        eb('id', '=', idOrName),
        eb(eb.fn<string>('lower', ['name']), '=', eb.fn<string>('lower', [eb.val(idOrName)])),
      ]),
    )
    .orderBy((eb) => eb('id', '=', idOrName), 'desc')
    .executeTakeFirst()

/** The label of this name, created if it does not exist. The name keeps its first spelling. */
export async function ensureLabel(trx: Trx, workspace: string, name: string): Promise<LabelRow> {
  await trx
    .insertInto('labels')
    .values({ id: newId('lbl'), workspace, name })
    .onConflict((oc) => oc.doNothing())
    .execute()
  return trx
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .where((eb) =>
      eb(eb.fn<string>('lower', ['name']), '=', eb.fn<string>('lower', [eb.val(name)])),
    )
    .executeTakeFirstOrThrow()
}

/** Puts a label on a conversation; false if it is there already. */
export async function insertConversationLabel(
  trx: Trx,
  conversation: string,
  label: string,
): Promise<boolean> {
  const row = await trx
    .insertInto('conversationLabels')
    .values({ conversation, label })
    .onConflict((oc) => oc.doNothing())
    .returning('label')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a label off a conversation; false if it was not there. The label itself stays. */
export async function removeConversationLabel(
  trx: Trx,
  conversation: string,
  label: string,
): Promise<boolean> {
  const row = await trx
    .deleteFrom('conversationLabels')
    .where('conversation', '=', conversation)
    .where('label', '=', label)
    .returning('label')
    .executeTakeFirst()
  return row !== undefined
}

/** Puts a label on conversations, or takes it off; answers those that this changes. */
export async function labelConversations(
  trx: Trx,
  label: string,
  conversations: string[],
  to: 'add' | 'remove',
): Promise<string[]> {
  const change =
    to === 'add'
      ? sql<{ conversation: string }>`
          insert into conversation_labels (conversation, label)
          select conversation, ${label} from unnest(${conversations}::text[]) as wanted (conversation)
          on conflict do nothing returning conversation`
      : sql<{ conversation: string }>`
          delete from conversation_labels
          where label = ${label} and conversation = any(${conversations}::text[]) returning conversation`
  return (await change.execute(trx)).rows.map(({ conversation }) => conversation)
}
