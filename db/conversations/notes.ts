import type { Selectable } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { Notes } from './tables.ts'

/** Writes an internal note, which no client sees. */
export const insertNote = (
  trx: Trx,
  note: { conversation: string; text: string; author: string; at: Date },
): Promise<Selectable<Notes>> =>
  trx
    .insertInto('notes')
    .values({ id: newId('not'), ...note })
    .returningAll()
    .executeTakeFirstOrThrow()

export const listNotes = (db: Db, conversation: string) =>
  db
    .selectFrom('notes')
    .selectAll()
    .where('conversation', '=', conversation)
    .orderBy('at')
    .orderBy('id')
    .execute()
