import { type RawBuilder, sql } from 'kysely'

/** Rows to be added to a table, as parts of a statement: `into` is the same object for all that have the same columns. */
export type NewRows = { into: RawBuilder<unknown>; rows: RawBuilder<unknown>[] }

/** The insert of rows. */
export const insertOf = ({ into, rows }: NewRows) =>
  sql`insert into ${into} values ${sql.join(rows)}`

/** One insert for each table. */
export function insertsOf(added: NewRows[]) {
  const tables = new Map<NewRows['into'], NewRows['rows']>()
  for (const { into, rows } of added) tables.set(into, [...(tables.get(into) ?? []), ...rows])
  return [...tables].map(([into, rows]) => insertOf({ into, rows }))
}
