import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

const card = ['id', 'name', 'type', 'size'] as const

/** The files of a message in its own order, without their content. */
export const listFiles = (db: Db, workspace: string, message: string) =>
  db
    .selectFrom('files')
    .select([...card, 'cid'])
    .where('workspace', '=', workspace)
    .where('message', '=', message)
    .orderBy('seq')
    .execute()

export const findFile = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('files')
    .select([...card, 'cid'])
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

export type NewFile = {
  name: string
  type: string
  content: Buffer
  /** The name by which the HTML of the message refers to it. */
  cid?: string | null
}

/** Its name, also if it comes without one. */
export const fileNameOf = (name: string) => name || 'file'

/** Stores the attachments of a message, in order. */
export async function insertFiles(trx: Trx, workspace: string, message: string, files: NewFile[]) {
  for (const { name, type, content, cid = null } of files)
    await trx
      .insertInto('files')
      .values({
        id: newId('fil'),
        workspace,
        message,
        size: content.length,
        content,
        cid,
        name: fileNameOf(name),
        type: type || 'application/octet-stream',
      })
      .execute()
}

// Large enough that a file is a few queries, small enough that many slow readers cost little memory.
const pieceBytes = 256 * 1024

/**
 * The bytes `from` to `to` (inclusive, counted from 0) of a file, piece by piece; nothing is read before it is asked for.
 * Throws if the file is deleted meanwhile.
 */
export async function* readFilePieces(
  db: Db,
  id: string,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (let at = from; at <= to; at += pieceBytes) {
    const length = Math.min(pieceBytes, to - at + 1)
    const row = await db
      .selectFrom('files')
      .select(sql<Buffer>`substring(content from ${at + 1}::int for ${length}::int)`.as('piece'))
      .where('id', '=', id)
      .executeTakeFirst()
    if (row?.piece.length !== length) throw new Error('A file went while it was read.')
    yield row.piece
  }
}
