import { sql } from 'kysely'
import { comparedId, keysOfId } from '../../rules/letter-ids.ts'
import type { Db, Trx } from '../database.ts'

// The ids under which providers have sent letters of ours on. They come from the answer of the account's own server, from its
// Sent folder, or from a report that proves to know the letter; an id that is known stays with its letter, so that no stranger
// claims it.

type Of = { workspace: string; connection: string; messageId: string }

const mostOfLetter = 8

/** Keeps further ids of a letter that went from this account. Those of another message stay with it. */
export async function keepLetterIds(
  trx: Trx,
  { workspace, connection, messageId }: Of,
  ids: string[],
  now: Date,
): Promise<void> {
  const keys = [...new Set(ids.map(comparedId))].filter((id) => `<${id}>` !== messageId)
  if (keys.length === 0) return
  await sql`
    insert into letter_ids (workspace, connection, id, message_id, at)
    select ${workspace}, ${connection}, key, ${messageId}, ${now}
    from unnest(${keys}::text[]) key
    where not exists (select from messages m where m.workspace = ${workspace}
      and m.message_id = '<' || key || '>' and m.connection = ${connection} and m.direction = 'outbound')
    limit greatest(0, ${mostOfLetter} - (select count(*)::int from letter_ids
      where workspace = ${workspace} and message_id = ${messageId}))
    on conflict do nothing`.execute(trx)
}

/**
 * These ids and, next to each that a provider gave to a letter of ours, the Message-ID that we gave it; also ours in capital
 * letters. A letter of this account comes before those of others.
 */
export async function withOwnIds(
  db: Db,
  { workspace, connection }: Omit<Of, 'messageId'>,
  ids: string[],
): Promise<string[]> {
  if (ids.length === 0) return ids
  const keys = [...new Set(ids.flatMap(keysOfId))]
  const { rows } = await sql<{ id: string; messageId: string }>`
    select id, message_id from letter_ids
    where workspace = ${workspace} and id = any(${keys}::text[])
    order by connection = ${connection} desc, at desc`.execute(db)
  const ours = new Map(rows.toReversed().map(({ id, messageId }) => [id, messageId]))
  const found = ids.flatMap((id) => {
    const given = keysOfId(id).flatMap((key) => ours.get(key) ?? [])
    return [id, ...given.slice(0, 1), `<${comparedId(id)}>`]
  })
  return [...new Set(found)]
}

/** The further ids of a letter, in brackets, as far as they are whole. */
export async function listLetterIds(db: Db, workspace: string, messageId: string) {
  const rows = await db
    .selectFrom('letterIds')
    .select('id')
    .where('workspace', '=', workspace)
    .where('messageId', '=', messageId)
    .execute()
  return rows.flatMap(({ id }) => (id.includes('@') ? [`<${id}>`] : []))
}
