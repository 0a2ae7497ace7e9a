import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

export type LabelRow = { id: string; name: string }
export type LabelCount = LabelRow & { kind: 'product' | 'conversation'; conversations: number }

/**
 * Product tags and conversation labels by name. A product's tag is on people: what is counted are the conversations of those who
 * carry it now.
 */
export async function listLabels(db: Db, workspace: string): Promise<LabelCount[]> {
  const { rows } = await sql<LabelCount>`
    select * from (
      select id, name, 'product' as kind, (
        select count(*)::int from conversations c where c.workspace = ${workspace} and exists (
          select from person_tags t where t.person = c.person and t.label = p.id and t.removed_at is null)) as conversations
      from products p where workspace = ${workspace}
      union all
      select id, name, 'conversation', (
        select count(*)::int from conversation_labels cl where cl.label = l.id)
      from labels l where workspace = ${workspace}) as all_labels
    order by kind desc, lower(name), id`.execute(db)
  return rows
}

/** A conversation label by its id or, case aside, its name; undefined when nobody has made one. */
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

/** The label of this name, made when there is none. The name is kept as it was first written. */
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

/** Puts a label on a conversation; false when it is there already. */
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

/** Takes a label off a conversation; false when it was not there. The label itself stays. */
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
