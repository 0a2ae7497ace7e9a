import { loadConfig } from '../config.ts'
import { migrateToLatest } from '../db/migrate.ts'

// npm run migrate: brings the database of DATABASE_URL (or of the stack in DATA_DIR) to the newest schema.

const { databaseUrl } = loadConfig()
if (!databaseUrl) {
  console.error('No database: set DATABASE_URL, or run this beside npm start (same DATA_DIR).')
  process.exit(1)
}
await migrateToLatest(databaseUrl, (line) => console.error(line))
console.error('The schema is up to date.')
