import { parseArgs } from 'node:util'
import {
  liftSuppression,
  listSuppressions,
  readSuppressed,
  suppressAddress,
} from '../../db/accounts/suppressions.ts'
import { openClock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { findWorkspace } from '../../db/workspace/workspaces.ts'
import { loadConfig } from '../../process/config.ts'
import { auditOfOperator, fail, withDatabase } from './commands.ts'

// npm run suppression: which addresses must not be written to, and an operator's own entries.

const usage = [
  'npm run -s suppression -- list --workspace ID [--address ADDRESS]',
  'npm run -s suppression -- add ADDRESS --workspace ID',
  'npm run -s suppression -- lift ID',
]
const pageRows = 500

const config = loadConfig()
const { values, positionals } = options()
const [verb, subject, ...more] = positionals
const verbs: Record<string, (db: Db) => Promise<void>> = { list, add, lift }
const run = verbs[verb ?? ''] ?? fail(...usage)
if (more.length > 0) fail(...usage)
await withDatabase(config, run)

function options() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ allowPositionals: true, options: { workspace: text, address: text } })
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}

async function workspaceOf(db: Db): Promise<string> {
  const id = values.workspace ?? fail(...usage)
  if (!(await findWorkspace(db, id))) fail(`There is no workspace ${id}.`)
  return id
}

async function list(db: Db) {
  if (subject) fail(...usage)
  const workspace = await workspaceOf(db)
  let after: [string, string] | undefined
  for (;;) {
    const rows = await listSuppressions(db, workspace, values.address, after, pageRows)
    if (rows.length === 0 && !after) console.error('Nothing is suppressed.')
    for (const { id, address, reason, at, evidence, touch } of rows)
      console.log([id, address, reason, at.toISOString(), evidence ?? touch ?? '-'].join('\t'))
    const last = rows.length === pageRows ? rows.at(-1) : undefined
    if (!last) return
    after = [last.at.toISOString(), last.id]
  }
}

async function add(db: Db) {
  const address = subject ?? fail(...usage)
  if (!readSuppressed(address))
    fail(`${address} is not an e-mail address, a phone number or a profile address.`)
  const workspace = await workspaceOf(db)
  const now = (await openClock(db, config.clock)).now()
  const { row, added } = await db.transaction().execute(async (trx) => {
    const made = await suppressAddress(trx, { workspace, address, reason: 'operator', now })
    const after = { address: made.row.address, reason: made.row.reason }
    const about = { person: made.row.person }
    if (made.added)
      await auditOfOperator(trx, {
        workspace,
        at: now,
        action: 'suppression.added',
        resource: made.row.id,
        after,
        about,
      })
    return made
  })
  console.error(added ? `${row.address} is no longer written to.` : 'It is already suppressed.')
  console.log(row.id)
}

async function lift(db: Db) {
  const id = subject ?? fail(...usage)
  const now = (await openClock(db, config.clock)).now()
  const row = await db.transaction().execute(async (trx) => {
    const lifted = await liftSuppression(trx, { id })
    if (!lifted) return undefined
    const { workspace, address, reason, person } = lifted
    const was = { before: { address, reason }, after: { reason: null }, about: { person } }
    await auditOfOperator(trx, {
      workspace,
      at: now,
      action: 'suppression.lifted',
      resource: id,
      ...was,
    })
    return lifted
  })
  if (!row) return fail(`There is no suppression ${id}.`)
  console.error(`${row.address} may be written to again, unless another entry forbids it.`)
}
