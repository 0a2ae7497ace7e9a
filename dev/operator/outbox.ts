import { parseArgs } from 'node:util'
import type { Db } from '../../db/database.ts'
import { listStuck, retryCommands } from '../../db/operations/outbox.ts'
import { loadConfig } from '../../process/config.ts'
import { eachPage, fail, withDatabase } from './commands.ts'

// npm run outbox: lists the commands to Temporal that have failed, and retries them.

const usage = ['npm run -s outbox -- list', 'npm run -s outbox -- retry [ID …]']

const config = loadConfig()
const [verb, ...ids] = words()
const verbs: Record<string, (db: Db) => Promise<void>> = { list, retry }
const run = verbs[verb ?? ''] ?? fail(...usage)
if (!ids.every((id) => /^\d{1,18}$/.test(id)) || (run === list && ids.length > 0)) fail(...usage)
await withDatabase(config, run)

function words(): string[] {
  try {
    return parseArgs({ allowPositionals: true }).positionals
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}

async function list(db: Db) {
  let count = 0
  await eachPage(
    // The ids are numbers.
    (after, limit) => listStuck(db, after || '0', limit),
    (rows) => {
      for (const row of rows) {
        count++
        const { id, workspace, kind, workflowType, signal, workflowId, problem, attempts } = row
        const what = `${kind} ${kind === 'start' ? workflowType : signal}`
        const when = row.deadAt
          ? `given up ${row.deadAt.toISOString()}`
          : `next attempt ${row.nextTryAt.toISOString()}`
        const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
        console.log([id, workspace || '-', what, workflowId, problem, tries, when].join('\t'))
      }
    },
  )
  if (count === 0) console.error('No command has failed.')
}

async function retry(db: Db) {
  const count = await db
    .transaction()
    .execute((trx) => retryCommands(trx, ids.length > 0 ? ids : undefined))
  if (count === 0 && ids.length > 0) fail('None of these commands has failed and still waits.')
  console.error(`${count} ${count === 1 ? 'command is' : 'commands are'} retried.`)
}
