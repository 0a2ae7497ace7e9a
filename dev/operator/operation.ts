import { parseArgs } from 'node:util'
import type { Db } from '../../db/database.ts'
import {
  findOperationsByKey,
  listOrphaned,
  type Orphaned,
  restartOperation,
} from '../../db/operations/upkeep.ts'
import { findLetterInHand, type LetterInHand } from '../../db/outgoing/letters-in-hand.ts'
import { loadConfig } from '../../process/config.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { eachPage, fail, withDatabase } from './commands.ts'
import { isOutcome, resolveLetter } from './resolve-letter.ts'

// npm run operation: for an operation whose workflow was terminated or lost, and for a letter, message or invitation
// that may or may not have arrived.

const usage = [
  'npm run operation -- list [--workspace ID]           the operations that wait for a restart',
  'npm run operation -- restart KEY [--workspace ID]',
  'npm run operation -- restart --all [--workspace ID]  all of these',
  'npm run operation -- show KEY|ID [--workspace ID]',
  'npm run operation -- resolve KEY|ID sent|again [--workspace ID]',
  '(ID: of a letter tch_…, a message msg_… or an invitation inv_…)',
]

const { values, positionals } = options()
const [verb, key, outcome] = positionals
const verbs = { list, restart, show, resolve }
const isVerb = (word: string | undefined): word is keyof typeof verbs =>
  word !== undefined && word in verbs
if (!isVerb(verb) || (key === undefined) !== (verb === 'list' || values.all)) fail(...usage)
if (values.all && verb !== 'restart') fail(...usage)
const config = loadConfig()
await withDatabase(config, verbs[verb])

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { workspace: { type: 'string' }, all: { type: 'boolean', default: false } },
    })
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}

async function find(db: Db) {
  const found = await findOperationsByKey(db, key as string, values.workspace)
  const [operation, ...more] = found
  if (!operation) return fail(`There is no operation with the key ${key}.`)
  if (more.length > 0)
    return fail(`Several workspaces have an operation with the key ${key}: add --workspace ID.`)
  return operation
}

/** The letter, message or invitation with that id; otherwise the message of the operation with that key. */
async function letterOf(db: Db): Promise<LetterInHand | undefined> {
  const named = await findLetterInHand(db, { id: key as string })
  if (named) return named
  const { id } = await find(db)
  return findLetterInHand(db, { operation: id })
}

async function show(db: Db) {
  const letter = await findLetterInHand(db, { id: key as string })
  if (letter) {
    const { id, state, reason, workflow, connection, messageId } = letter
    return console.log([id, state, reason, workflow, connection, messageId].join('\t'))
  }
  const { id, workflowType, state, waitingFor } = await find(db)
  console.log([id, workflowType ?? 'no workflow', state, waitingFor ?? ''].join('\t'))
}

async function resolve(db: Db) {
  if (!isOutcome(outcome)) return fail(...usage)
  const letter = await letterOf(db)
  if (!letter) return fail(`${key} is not a letter, message or invitation.`)
  if (letter.reason !== 'unconfirmed')
    return fail(`${letter.id} is ${letter.state}: there is nothing to resolve.`)
  const log = createLog('operation', config.logLevel)
  await resolveLetter({ db, log }, letter, outcome)
  console.error(
    outcome === 'sent'
      ? `${letter.id} counts as sent.`
      : `${letter.id} is queued and will be sent again.`,
  )
}

/** Goes through the operations whose workflow is gone. */
function eachOrphaned(db: Db, take: (row: Orphaned) => Promise<void> | void) {
  return eachPage(
    (after, limit) => listOrphaned(db, { workspace: values.workspace, after, limit }),
    async (rows) => {
      for (const row of rows) await take(row)
    },
  )
}

async function list(db: Db) {
  let count = 0
  await eachOrphaned(db, ({ id, workspace, key, workflowType, acceptedAt }) => {
    count++
    console.log([id, workspace, key, workflowType, acceptedAt.toISOString()].join('\t'))
  })
  if (count === 0) console.error('No operation waits for a restart.')
}

async function restartAll(db: Db) {
  let count = 0
  await eachOrphaned(db, async ({ id }) => {
    if (await db.transaction().execute((trx) => restartOperation(trx, id))) count++
  })
  console.error(`${count} ${count === 1 ? 'operation is' : 'operations are'} started again.`)
}

async function restart(db: Db) {
  if (values.all) return restartAll(db)
  const { id, state, endedAt } = await find(db)
  if (endedAt) fail(`${id} has ended (${state}): there is nothing to start again.`)
  const type = await db.transaction().execute((trx) => restartOperation(trx, id))
  if (!type) fail(`${id} does not run as a workflow.`)
  console.error(
    `${type} ${id} is started again. If a run is still open, that run continues instead; to prevent this, terminate it first.`,
  )
}
