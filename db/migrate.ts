import { Migrator } from 'kysely'
import { openDatabase } from './database.ts'
import * as foundation from './migrations/0001-foundation.ts'

const migrations = { '0001-foundation': foundation }

/** The name of the newest migration: what /readyz compares the database with. */
export const newestMigration = Object.keys(migrations).sort().at(-1) as string

/** Brings the database to the newest schema; two at once are harmless (the migrator locks). */
export async function migrateToLatest(databaseUrl: string, log: (line: string) => void = () => {}) {
  const db = openDatabase(databaseUrl, 2)
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error, results } = await migrator.migrateToLatest()
    for (const result of results ?? []) log(`${result.migrationName}: ${result.status}`)
    if (error) throw error
  } finally {
    await db.destroy()
  }
}
