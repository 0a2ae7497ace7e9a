import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { NewRows } from '../rows.ts'
import type { Notes } from './tables.ts'

/** The insert of an internal note, which no client sees. */
export const noteRows = ({ id, conversation, text, author, at }: Selectable<Notes>): NewRows => ({
  into: intoNotes,
  rows: [sql`(${id}, ${conversation}, ${text}, ${author}, ${at})`],
})

const intoNotes = sql`notes (id, conversation, text, author, at)`

export const listNotes = (db: Db, conversation: string) =>
  db
    .selectFrom('notes')
    .selectAll()
    .where('conversation', '=', conversation)
    .orderBy('at')
    .orderBy('id')
    .execute()
