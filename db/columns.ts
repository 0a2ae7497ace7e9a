import type { ColumnType } from 'kysely'

// Types of columns that several tables have. In the database, their names are in snake_case (CamelCasePlugin).

export type At = Date

/** jsonb: read as a value, written as its JSON text (the driver would make a Postgres array of an array). */
export type Json<T> = ColumnType<T, string | undefined, string>

export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
