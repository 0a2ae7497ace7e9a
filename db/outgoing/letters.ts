import type { QueryCreator, Selectable } from 'kysely'
import type { Builder } from '../database.ts'
import type { Schema } from '../schema.ts'

// Outgoing letters are kept in three tables: letters of campaigns, messages, and mails to the guests of meetings. In this
// folder, a letter is any of the three.

export type LetterTable = 'touches' | 'messages' | 'invitations'

/** A row that is handed over to a mail server or a bridge. */
export type LetterKey = { table: LetterTable; id: string }

// The columns that all three tables have. A statement that names a column which one of them lacks does not compile.
type Shared = Pick<Schema[LetterTable], keyof Schema[LetterTable]>

/** The fields of every letter, whatever its kind. */
export type LetterRow = Selectable<Shared>

/**
 * One of the three tables, typed by the columns they share: Kysely cannot type a statement whose table is known only at run
 * time.
 */
export const letters = (db: Builder, table: LetterTable) => {
  const shared = db as unknown as QueryCreator<{ letters: Shared }>
  const name = table as 'letters'
  return { select: () => shared.selectFrom(name), update: () => shared.updateTable(name) }
}
