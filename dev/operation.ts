import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { findOperationsByKey, restartOperation } from '../db/upkeep.ts'
import { fail, withDatabase } from './commands.ts'

// npm run operation: what an operator does about an operation whose workflow was terminated or lost.

const usage = [
  'npm run operation -- restart KEY [--workspace ID]',
  'npm run operation -- show KEY [--workspace ID]',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workspace: { type: 'string' } },
})
const [verb, key] = positionals
if (!key || (verb !== 'restart' && verb !== 'show')) fail(...usage)
await withDatabase(loadConfig(), verb === 'restart' ? restart : show)

async function find(db: Db) {
  const found = await findOperationsByKey(db, key as string, values.workspace)
  const [operation, ...more] = found
  if (!operation) return fail(`There is no operation with the key ${key}.`)
  if (more.length > 0) return fail(`Several workspaces have the key ${key}: add --workspace ID.`)
  return operation
}

async function show(db: Db) {
  const { id, workflowType, state, waitingFor } = await find(db)
  console.log([id, workflowType ?? 'no workflow', state, waitingFor ?? ''].join('\t'))
}

async function restart(db: Db) {
  const { id, state, endedAt } = await find(db)
  if (endedAt) fail(`${id} has ended (${state}): there is nothing to start again.`)
  const type = await db.transaction().execute((trx) => restartOperation(trx, id))
  if (!type) fail(`${id} does not run as a workflow.`)
  console.error(
    `${type} ${id} is started again. A run that is still open goes on instead; terminate it first if it must not.`,
  )
}
