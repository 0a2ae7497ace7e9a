import { parseArgs } from 'node:util'
import type { Db } from '../../db/database.ts'
import { findOperationsByKey, restartOperation } from '../../db/operations/upkeep.ts'
import { loadConfig } from '../../process/config.ts'
import { fail, withDatabase } from './commands.ts'
import { findLetter, type Letter, resolveLetter } from './operation-letters.ts'

// npm run operation: for an operation whose workflow was terminated or lost, and for a letter, message or invitation
// that may or may not have arrived.

const usage = [
  'npm run operation -- restart KEY [--workspace ID]',
  'npm run operation -- show KEY|ID [--workspace ID]',
  'npm run operation -- resolve KEY|ID sent|again [--workspace ID]',
  '(ID: of a letter tch_…, a message msg_… or an invitation inv_…)',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workspace: { type: 'string' } },
})
const [verb, key, outcome] = positionals
const verbs = { restart, show, resolve }
const isVerb = (word: string | undefined): word is keyof typeof verbs =>
  word !== undefined && word in verbs
if (!key || !isVerb(verb)) fail(...usage)
const config = loadConfig()
await withDatabase(config, verbs[verb])

async function find(db: Db) {
  const found = await findOperationsByKey(db, key as string, values.workspace)
  const [operation, ...more] = found
  if (!operation) return fail(`There is no operation with the key ${key}.`)
  if (more.length > 0)
    return fail(`Several workspaces have an operation with the key ${key}: add --workspace ID.`)
  return operation
}

/** The letter, message or invitation with that id; otherwise the message of the operation with that key. */
async function letterOf(db: Db): Promise<Letter | undefined> {
  const named = await findLetter(db, { id: key as string })
  if (named) return named
  const { id } = await find(db)
  return findLetter(db, { operation: id })
}

async function show(db: Db) {
  const letter = await findLetter(db, { id: key as string })
  if (letter) {
    const { id, state, reason, workflow, connection, messageId } = letter
    return console.log([id, state, reason, workflow, connection, messageId].join('\t'))
  }
  const { id, workflowType, state, waitingFor } = await find(db)
  console.log([id, workflowType ?? 'no workflow', state, waitingFor ?? ''].join('\t'))
}

async function resolve(db: Db) {
  if (outcome !== 'sent' && outcome !== 'again') return fail(...usage)
  const letter = await letterOf(db)
  if (!letter) return fail(`${key} is not a letter, message or invitation.`)
  if (letter.reason !== 'unconfirmed')
    return fail(`${letter.id} is ${letter.state}: there is nothing to resolve.`)
  await resolveLetter(db, config, letter, outcome)
  console.error(
    outcome === 'sent'
      ? `${letter.id} counts as sent.`
      : `${letter.id} is queued and will be sent again.`,
  )
}

async function restart(db: Db) {
  const { id, state, endedAt } = await find(db)
  if (endedAt) fail(`${id} has ended (${state}): there is nothing to start again.`)
  const type = await db.transaction().execute((trx) => restartOperation(trx, id))
  if (!type) fail(`${id} does not run as a workflow.`)
  console.error(
    `${type} ${id} is started again. If a run is still open, that run continues instead; to prevent this, terminate it first.`,
  )
}
