import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Index } from './migrations/index.ts'

/**
 * Builds what is missing of the indexes that migrations add to tables with rows, one by one and concurrently: a large table takes
 * minutes, and the service reads and writes it meanwhile. As the owner of the schema, outside a transaction. A build that was
 * interrupted leaves an index that is not used; it is built again. Two runs at once are harmless: the second waits for the first.
 */
export async function buildIndexes(
  owner: Db,
  indexes: readonly Index[],
  log: (line: string) => void,
) {
  if (indexes.length === 0) return
  await owner.connection().execute(async (db) => {
    // Concurrent builds wait for older transactions; this lock is the session's, and asked for without waiting, so that a run
    // that waits for it is no transaction that the other run would wait for.
    while (!(await tryLock(db))) await new Promise((resolve) => setTimeout(resolve, 500))
    try {
      for (const index of indexes) if (await build(db, index)) log(`index ${index.name}: Success`)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('postroom indexes'))`.execute(db)
    }
  })
}

async function build(db: Db, { name, on, unique = false }: Index): Promise<boolean> {
  const state = await findState(db, name)
  if (state === 'built') return false
  if (state === 'broken') await sql`drop index concurrently ${sql.id(name)}`.execute(db)
  const create = unique ? sql`create unique index` : sql`create index`
  await sql`${create} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  return true
}

async function tryLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_lock(hashtext('postroom indexes')) as locked`.execute(db)
  return rows[0]?.locked ?? false
}

async function findState(db: Db, name: string): Promise<'built' | 'broken' | 'missing'> {
  const { rows } = await sql<{ valid: boolean }>`
    select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${name} and c.relnamespace = current_schema()::regnamespace`.execute(db)
  if (!rows[0]) return 'missing'
  return rows[0].valid ? 'built' : 'broken'
}
