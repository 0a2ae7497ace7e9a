import type { ColumnType } from 'kysely'

// What the columns of several tables are. Names are the snake_case of these in the database (CamelCasePlugin).

export type At = Date

/** jsonb: read as a value, written as its JSON text (the driver would make a Postgres array of an array). */
export type Json<T> = ColumnType<T, string | undefined, string>

export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
