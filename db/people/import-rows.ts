import { sql } from 'kysely'
import { type Effects, errorsOf } from '../../rules/people/import-batch.ts'
import type { Batch } from '../../rules/people-file/rows.ts'
import type { Db, Trx } from '../database.ts'

// The outcome of each row of an import, by which a client finds its own rows again.

/** The first row of the import that led to each of these cards. */
export async function findFirstRows(
  db: Db,
  operation: string,
  cards: Iterable<string>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ person: string; row: number }>`
    select person, min(row) as row from import_rows
    where operation = ${operation} and person = any(${[...cards]}::text[])
    group by person`.execute(db)
  return new Map(rows.map(({ person, row }) => [person, row]))
}

/** Writes the outcomes of a batch's rows, in its transaction. */
export async function insertRows(trx: Trx, operation: string, batch: Batch, effects: Effects) {
  const problems = Map.groupBy(errorsOf(batch, effects), ({ row }) => row)
  const none = { person: null, joined: null }
  const rows = [
    ...batch.invalid.map((row) => ({ row, outcome: 'invalid', ...none })),
    ...effects.outcomes.map(({ person: { row }, outcome, card, joined }) =>
      card === undefined
        ? { row, outcome: outcome === 'erased' ? outcome : 'invalid', ...none }
        : { row, outcome, person: card, joined: joined ?? null },
    ),
  ].map((row) => ({ ...row, errors: jsonOf(problems.get(row.row)) }))
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name])
  await sql`
    insert into import_rows (operation, row, outcome, person, joined, errors)
    select ${operation}, row, outcome, person, joined, errors::jsonb
    from unnest(${column('row')}::integer[], ${column('outcome')}::text[], ${column('person')}::text[],
      ${column('joined')}::integer[], ${column('errors')}::text[]) as done (row, outcome, person, joined, errors)`.execute(
    trx,
  )
}

const jsonOf = (errors: unknown) => (errors === undefined ? null : JSON.stringify(errors))

/** A page of the rows of an import in their order; `after` is the last one read. */
export const listRows = (db: Db, operation: string, after: number, limit: number) =>
  db
    .selectFrom('importRows')
    .select(['row', 'outcome', 'person', 'joined', 'errors'])
    .where('operation', '=', operation)
    .where(sql<boolean>`row > ${after}::bigint`)
    .orderBy('row')
    .limit(limit)
    .execute()
