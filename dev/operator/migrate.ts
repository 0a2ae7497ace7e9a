import { DatabaseError } from 'pg'
import { migrateToLatest } from '../../db/migrate.ts'
import { loadConfig } from '../../process/config.ts'

// npm run migrate: brings the database of MIGRATE_DATABASE_URL (otherwise of DATABASE_URL, or of the stack in DATA_DIR) to the
// newest schema, and gives the role of DATABASE_URL its rights on the rows.

// insufficient_privilege
const notPermitted = '42501'

const { migrateDatabaseUrl, databaseRole } = loadConfig()
if (!migrateDatabaseUrl) {
  console.error('No database: set DATABASE_URL, or run this beside npm start (same DATA_DIR).')
  process.exit(1)
}
try {
  await migrateToLatest(migrateDatabaseUrl, databaseRole, (line) => console.error(line))
} catch (error) {
  if (!(error instanceof DatabaseError) || error.code !== notPermitted) throw error
  console.error(
    `${error.message}: connect as the role that owns the schema, with MIGRATE_DATABASE_URL.`,
  )
  process.exit(1)
}
console.error('The schema is up to date.')
