import { type Kysely, sql } from 'kysely'

// What a migration does to the tables of a database with rows, seen from within its transaction.

/** So many rows of a table are read or written in a moment. */
const few = 100

type Trx = Kysely<unknown>
type Table = { name: string; file: string }
type Touched = { name: string; read: number; written: number }

const blocking = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * Carries out `up` in its transaction, and answers whom it would hold up if the tables were large, in sentences; without any, it
 * is fit to run beside the service. Whatever has to be looked at row by row shows here with a few hundred rows.
 */
export async function harmOf(trx: Trx, up: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  const before = await listTables(trx)
  const isOld = (name: string) => before.some((table) => table.name === name)
  const touched = (await touchedBy(trx, () => up(trx))).filter(({ name }) => isOld(name))
  const files = new Map((await listTables(trx)).map(({ name, file }) => [name, file]))
  const blocked = (await listBlocked(trx)).filter(isOld).join(', ')
  const rewritten = before.filter(({ name, file }) => files.has(name) && files.get(name) !== file)
  return [
    ...rewritten.map(({ name }) => `${name} is rewritten`),
    ...touched
      .filter(({ written }) => written > few)
      .map(({ name, written }) => `${written} rows of ${name} are written at once`),
    ...touched
      .filter(({ read }) => blocked !== '' && read > few)
      .map(({ name, read }) => `${read} rows of ${name} are read while ${blocked} is blocked`),
  ]
}

/** How many rows `work` writes. */
export const writtenBy = async (trx: Trx, work: () => Promise<unknown>): Promise<number> =>
  (await touchedBy(trx, work)).reduce((all, { written }) => all + written, 0)

async function touchedBy(trx: Trx, work: () => Promise<unknown>): Promise<Touched[]> {
  // The counters of earlier transactions of a connection are still there for a second.
  const before = new Map((await listTouched(trx)).map((one) => [one.name, one]))
  await work()
  return (await listTouched(trx)).map(({ name, read, written }) => ({
    name,
    read: read - (before.get(name)?.read ?? 0),
    written: written - (before.get(name)?.written ?? 0),
  }))
}

async function listTables(db: Trx): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, relfilenode::text as file from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
  return rows
}

async function listTouched(db: Trx): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read,
      (n_tup_ins + n_tup_upd + n_tup_del)::int as written
    from pg_stat_xact_user_tables where schemaname = 'public'`.execute(db)
  return rows
}

async function listBlocked(db: Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct relname as name from pg_locks join pg_class on pg_class.oid = relation
    where pid = pg_backend_pid() and granted and mode = any(${blocking}::text[]) and relkind = 'r'
      and relnamespace = 'public'::regnamespace order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
