import type { Selectable } from 'kysely'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { Notes } from '../schema.ts'

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
