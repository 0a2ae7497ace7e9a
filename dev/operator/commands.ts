import { type Db, isUndefinedTable, openDatabase } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import type { Config } from '../../process/config.ts'

// Shared by the operator's commands: answers go to stdout, everything else to stderr, and a refusal exits with 1.

export function fail(...lines: string[]): never {
  for (const line of lines) console.error(line)
  process.exit(1)
}

/** An audit line of the operator, who is no member and no application, and whose commands have no key. */
export const auditOfOperator = (
  trx: Db,
  line: Omit<Parameters<typeof recordAudit>[1], 'member' | 'client' | 'key'>,
) => recordAudit(trx, { ...line, member: null, client: null, key: null })

/** Opens the configured database, runs one command against it, and closes it. */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  if (!config.databaseUrl)
    fail('No database: set DATABASE_URL, or run this beside npm start (same DATA_DIR).')
  const db = openDatabase(config.databaseUrl, 2)
  try {
    return await work(db)
  } catch (error) {
    fail(explain(error))
  } finally {
    await db.destroy()
  }
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (isUndefinedTable(error))
    return 'The database has no schema yet: create it with npm run migrate.'
  return error instanceof Error ? error.message || String(code) : String(error)
}

const pageRows = 500

/** Goes through rows by their ids, page by page: `find` answers those after an id, at most so many. */
export async function eachPage<Row extends { id: string }>(
  find: (after: string, limit: number) => Promise<Row[]>,
  take: (rows: Row[]) => Promise<void> | void,
): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await find(after, pageRows)
    await take(rows)
    const last = rows.length === pageRows ? rows.at(-1) : undefined
    if (!last) return
    after = last.id
  }
}
