import { type Migration, Migrator, sql } from 'kysely'
import { fillIn } from './backfills.ts'
import { type Db, isUndefinedTable, openDatabase } from './database.ts'
import { grantRows } from './grants.ts'
import { buildIndexes } from './indexes.ts'
import { limitWaiting, type Patience, untilLocked, usualPatience } from './lock-timeout.ts'
import { steps as ownSteps, type Step } from './migrations/index.ts'

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
