import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type Migration, Migrator, type QueryExecutorProvider, sql } from 'kysely'
import { type Db, isConflict, isLockTimeout, isUndefinedTable, openDatabase } from './database.ts'
import { type Backfill, type Index, steps as ownSteps, type Step } from './migrations/index.ts'

type Steps = Readonly<Record<string, Step>>

const newestOf = (steps: Steps) => Object.keys(steps).sort().at(-1) as string

/** The name of the newest migration. A database that has it, or newer ones too, is ready for this release. */
export const newestMigration = newestOf(ownSteps)

/** The first migration of the databases that this release cannot upgrade: those of 0.3.0 and before. */
const formerFoundation = '0001-foundation'

/**
 * Brings the database to the newest schema, as its owner, gives `role`, which the service connects as, the rights to its rows,
 * builds the indexes that are missing, and fills in what new columns hold in the rows that are there. The service may run
 * meanwhile. Two runs at once are harmless (each takes turns). A database that a later release has migrated stays as it is. A
 * database is refused if it lacks a migration of this release that comes before ones it has, or has an unknown one between
 * them.
 */
export async function migrateToLatest(
  ownerUrl: string,
  role?: string,
  log: (line: string) => void = () => {},
  { steps = ownSteps, patience = usualPatience }: { steps?: Steps; patience?: Patience } = {},
) {
  const db = openDatabase(ownerUrl, 2)
  try {
    await takeSteps(db, steps, patience, log)
    if (role) await grantRows(db, role)
    const all = Object.entries(steps)
    await buildIndexes(
      db,
      all.flatMap(([, { indexes = [] }]) => indexes),
      log,
    )
    for (const [name, { backfill }] of all)
      if (backfill) await fillIn(db, name, backfill, patience, log)
  } finally {
    await db.destroy()
  }
}

/** Takes the steps that the database lacks, each as a transaction of its own. */
async function takeSteps(db: Db, steps: Steps, patience: Patience, log: (line: string) => void) {
  const had = await listHad(db)
  if (had.includes(formerFoundation))
    throw new Error(
      'This database is of 0.3.0 or an earlier release, which cannot be upgraded. Give 0.4.0 and later ones an empty database.',
    )
  const newer = had.filter((name) => name > newestOf(steps))
  if (newer.length > 0)
    log(`The database has migrations of a later release, which stay: ${newer.join(', ')}`)
  const known: Record<string, Migration> = Object.fromEntries([
    ...Object.entries(steps).map(([name, { up }]) => [name, { up: patiently(up, patience) }]),
    ...newer.map((name) => [name, carriedOut]),
  ])
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  let isMore = true
  while (isMore) {
    let next = 'migration'
    isMore = await untilLocked(
      () => next,
      async () => {
        const { error, results = [] } = await migrator.migrateUp()
        next = results[0]?.migrationName ?? next
        if (error) throw error
        for (const { migrationName, status } of results) log(`${migrationName}: ${status}`)
        return results.length > 0
      },
      patience,
      log,
    )
  }
}

const patiently =
  (up: Step['up'], patience: Patience): Migration['up'] =>
  async (db) => {
    await limitWaiting(db, patience)
    await up(db)
  }

const carriedOut: Migration = {
  async up() {
    throw new Error('A migration of a later release is not known here.')
  },
}

/** The names of the migrations that the database has had, in their order. */
async function listHad(db: Db): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name collate "C"`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isUndefinedTable(error)) return []
    throw error
  }
}

/** The name of the last migration that the database has had; empty if there is none. */
export async function findLastMigration(db: Db): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select name from kysely_migration order by name desc limit 1`.execute(db)
  return rows[0]?.name ?? ''
}

/**
 * Gives a role the rights that the API, workers and the operator's commands need on a migrated schema: to its rows, and to
 * nothing of the schema itself. Tables that the same owner creates later are covered too. Does nothing if the role is the
 * owner.
 */
async function grantRows(owner: Db, role: string) {
  const { rows } = await sql<{ schema: string; mine: boolean; known: boolean }>`
    select current_schema() as schema, current_user = ${role} as mine,
      exists (select from pg_roles where rolname = ${role}) as known`.execute(owner)
  const { schema, mine, known } = rows[0] as (typeof rows)[number]
  if (mine) return
  if (!known)
    throw new Error(
      `There is no role ${role}: create it (create role … login password '…') and migrate again.`,
    )
  const to = sql.id(role)
  const within = sql.id(schema)
  const rights = sql`select, insert, update, delete on tables`
  await owner.transaction().execute(async (trx) => {
    // Two of these at once would conflict in the catalogue, which fails rather than waits.
    await sql`select pg_advisory_xact_lock(hashtext('grants'))`.execute(trx)
    for (const grant of [
      sql`grant usage on schema ${within} to ${to}`,
      sql`grant select, insert, update, delete on all tables in schema ${within} to ${to}`,
      sql`grant usage on all sequences in schema ${within} to ${to}`,
      sql`alter default privileges in schema ${within} grant ${rights} to ${to}`,
      sql`alter default privileges in schema ${within} grant usage on sequences to ${to}`,
      // The role reads which migrations have run (/readyz) and writes none.
      sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock, backfills from ${to}`,
    ])
      await grant.execute(trx)
  })
}

/**
 * Builds what is missing of the indexes that migrations add to tables with rows, one by one and concurrently: a large table takes
 * minutes, and the service reads and writes it meanwhile. As the owner of the schema, outside a transaction. A build that was
 * interrupted leaves an index that is not used; it is built again. Two runs at once are harmless: the second waits for the first.
 */
async function buildIndexes(owner: Db, indexes: readonly Index[], log: (line: string) => void) {
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

/** The rows of a batch: their locks are held for some hundredths of a second. */
const most = 1_000

/**
 * Fills in what a migration leaves to be filled in, batch by batch, while the service reads and writes. How far it has come is
 * kept with each batch, so a run that was interrupted goes on there, and two runs at once take turns.
 */
async function fillIn(
  owner: Db,
  migration: string,
  backfill: Backfill,
  patience: Patience,
  log: (line: string) => void,
) {
  const what = `back-fill of ${migration}`
  await owner
    .insertInto('backfills')
    .values({ migration })
    .onConflict((oc) => oc.doNothing())
    .execute()
  for (let batches = 0; ; batches++) {
    const begun = performance.now()
    const is = await untilLocked(
      () => what,
      () => fillBatch(owner, migration, backfill, patience),
      patience,
      log,
    )
    if (is === 'over') return
    if (is === 'ended') return log(`${what}: Success`)
    if (batches === 0) log(`${what}: begins`)
    // Half of the time is the service's alone.
    await wait(performance.now() - begun)
  }
}

const fillBatch = (owner: Db, migration: string, backfill: Backfill, patience: Patience) =>
  owner.transaction().execute(async (trx) => {
    await limitWaiting(trx, patience)
    const { after, endedAt } = await trx
      .selectFrom('backfills')
      .select(['after', 'endedAt'])
      .where('migration', '=', migration)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (endedAt) return 'over'
    const last = await backfill(trx as unknown as Kysely<unknown>, after, most)
    await trx
      .updateTable('backfills')
      .set(last === undefined ? { endedAt: new Date() } : { after: last })
      .where('migration', '=', migration)
      .execute()
    return last === undefined ? 'ended' : 'more'
  })

// Whoever waits for the lock of a table stands in a queue: all others who need the table then wait behind it, readers too. So a
// change of the schema waits for a moment only, lets them pass, and tries again.

/** How long a lock is waited for, and how long the pause is after the first try that did not get it. */
type Patience = { lockMs: number; pauseMs: number }

/** Callers of the API get their answer within seconds. */
const usualPatience: Patience = { lockMs: 3_000, pauseMs: 1_000 }

const longestPauseMs = 15_000
/** With the usual patience, this takes some eight minutes: a transaction that is open for longer has been forgotten. */
const mostTries = 30

/** Has the statements of a transaction wait for no lock longer than that. */
const limitWaiting = (trx: QueryExecutorProvider, { lockMs }: Patience) =>
  sql.raw(`set local lock_timeout = ${lockMs}`).execute(trx)

/** Runs a transaction until it gets its locks. @throws after many tries, naming what was not done. */
async function untilLocked<T>(
  what: () => string,
  transaction: () => Promise<T>,
  { pauseMs }: Patience,
  log: (line: string) => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction()
    } catch (error) {
      if (!(isLockTimeout(error) || isConflict(error))) throw error
      if (tries === mostTries)
        throw new Error(
          `${what()}: a lock was not had in ${tries} tries, and nothing was changed. pg_stat_activity shows which transaction has been open for long; end it, and migrate again.`,
          { cause: error },
        )
      const pause = Math.min(pauseMs * 2 ** (tries - 1), longestPauseMs)
      log(`${what()}: another transaction holds a lock; trying again in ${pause / 1000} s`)
      await wait(pause)
    }
  }
}
