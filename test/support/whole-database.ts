import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

// Every row of every table, to see what something has changed and that it has changed nothing else.

export type Row = Record<string, unknown>
type Tables = Map<string, Row[]>

async function read(db: Db): Promise<Tables> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const tables: Tables = new Map()
  for (const { name } of rows) {
    const found = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(name)} t`
      .execute(db)
      .then((all) => all.rows)
    tables.set(
      name,
      found.map(({ row }) => row),
    )
  }
  return tables
}

/** The tables as soon as nothing changes any more. `moving` have the pulse of the processes and are left out. */
export async function wholeDatabase(db: Db, moving: string[]): Promise<Tables> {
  let last = ''
  for (;;) {
    const tables = await read(db)
    for (const name of moving) tables.delete(name)
    const now = JSON.stringify([...tables])
    if (now === last) return tables
    last = now
    await wait(700)
  }
}

/** What is in one and not in the other, by table: rows that are new or have changed, as they are now, and those that are gone. */
export function changesOf(before: Tables, after: Tables) {
  const changes: { table: string; is: 'new' | 'changed' | 'gone'; row: Row; was?: Row }[] = []
  for (const [table, rows] of after) {
    const old = before.get(table) ?? []
    const known = new Set(old.map((row) => JSON.stringify(row)))
    const kept = new Set(rows.map((row) => JSON.stringify(row)))
    const gone = old.filter((row) => !kept.has(JSON.stringify(row)))
    for (const row of rows.filter((one) => !known.has(JSON.stringify(one)))) {
      const at = gone.findIndex((one) => 'id' in one && one['id'] === row['id'])
      const [was] = at < 0 ? [] : gone.splice(at, 1)
      changes.push({ table, is: was ? 'changed' : 'new', row, ...(was && { was }) })
    }
    for (const row of gone) changes.push({ table, is: 'gone', row })
  }
  return changes
}

/** The members of a row that are other than they were. */
export const membersOf = ({ row, was = {} }: { row: Row; was?: Row }): string[] =>
  Object.keys(row).filter((name) => JSON.stringify(row[name]) !== JSON.stringify(was[name]))
