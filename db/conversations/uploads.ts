import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { insertFiles } from './files.ts'

// Files that callers upload, and how messages take them.

export type Upload = { name: string; type: string; content: Buffer }

export async function insertUpload(trx: Trx, workspace: string, file: Upload, now: Date) {
  const { name, type, content } = file
  const row = { id: newId('fil'), workspace, name, type, size: content.length }
  await trx
    .insertInto('files')
    .values({ ...row, content, uploadedAt: now })
    .execute()
  return { id: row.id, name, type, size: row.size }
}

/** How many uploaded files of a workspace no message has taken, and their size. */
export async function countUntaken(db: Db, workspace: string) {
  const row = await db
    .selectFrom('files')
    .select([
      sql<number>`count(*)::int`.as('files'),
      sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'),
    ])
    .where('workspace', '=', workspace)
    .where('message', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}

/** A file that a message takes: the id of one that is there, or one that comes with the call. */
export type Taken = string | Upload

export type Card = { id: string; name: string; size: number; message: string | null }

/** Locks files of a workspace against others that take them, and against their removal. */
export const lockFiles = (trx: Trx, workspace: string, ids: string[]): Promise<Card[]> =>
  trx
    .selectFrom('files')
    .select(['id', 'name', 'size', 'message'])
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

/**
 * Gives files to a message, in order, each with the name by which its HTML refers to it. An uploaded one becomes the
 * message's; one that another message has is copied, within the database.
 */
export async function takeFiles(
  trx: Trx,
  { workspace, message }: { workspace: string; message: string },
  files: { file: Taken; cid: string | null }[],
  locked: Card[],
) {
  const free = new Set(locked.filter((card) => card.message === null).map(({ id }) => id))
  for (const { file, cid } of files) {
    if (typeof file !== 'string') await insertFiles(trx, workspace, message, [{ ...file, cid }])
    // The files of a message are listed by seq, and so in the order of the call.
    else if (free.delete(file))
      await sql`update files set message = ${message}, cid = ${cid}, seq = default
        where workspace = ${workspace} and id = ${file}`.execute(trx)
    else
      await sql`insert into files (id, workspace, message, name, type, size, content, cid)
        select ${newId('fil')}, workspace, ${message}, name, type, size, content, ${cid}
        from files where workspace = ${workspace} and id = ${file}`.execute(trx)
  }
}

/** Deletes a batch of the files that were uploaded before this moment and that no message has taken. */
export async function forgetUploads(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from files where message is null and id in (
      select id from files where message is null and uploaded_at < ${before}
      order by uploaded_at limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.length
}
