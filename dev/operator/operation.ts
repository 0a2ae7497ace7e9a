import { parseArgs } from 'node:util'
import { resolve as resolveRow } from '../../activities/outgoing/settle.ts'
import { invitationKind } from '../../db/calendar/invitation-life.ts'
import { restartInvitation } from '../../db/calendar/invitations.ts'
import { touchKind } from '../../db/campaigns/touch-life.ts'
import { openClock } from '../../db/clock.ts'
import { messageKind } from '../../db/conversations/message-life.ts'
import type { Db } from '../../db/database.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { findOperationsByKey, restartOperation } from '../../db/operations/upkeep.ts'
import { findLetterInHand, type LetterInHand } from '../../db/outgoing/letters-in-hand.ts'
import { loadConfig } from '../../process/config.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { fail, withDatabase } from './commands.ts'

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
  if (outcome !== 'sent' && outcome !== 'again') return fail(...usage)
  const letter = await letterOf(db)
  if (!letter) return fail(`${key} is not a letter, message or invitation.`)
  if (letter.reason !== 'unconfirmed')
    return fail(`${letter.id} is ${letter.state}: there is nothing to resolve.`)
  await resolveLetter(db, letter, outcome)
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

/**
 * Records in the row of an unconfirmed letter what a person found out about it, as the update `resolve` does: this
 * works whether or not a workflow waits for it, and while Temporal is down.
 */
async function resolveLetter(
  db: Db,
  { id, table, workspace, workflow, operation }: LetterInHand,
  outcome: 'sent' | 'again',
) {
  const deps = { db, clock: await openClock(db), log: createLog('operation', config.logLevel) }
  if (table === 'touches') await resolveRow(deps, touchKind, id, { outcome })
  else if (table === 'invitations') await resolveRow(deps, invitationKind, id, { outcome })
  else await resolveRow(deps, messageKind, id, { outcome })
  // A workflow that waits for the decision does not see it in the row until it is signalled.
  if (workflow) await enqueueSignal(db, workflow, 'changed', [], { workspace })
  // A workflow that was lost is started again, so that its letter goes and its operation ends.
  if (table === 'invitations') await restartInvitation(db, { id, workspace })
  if (operation?.waitingFor === 'restart')
    await db.transaction().execute((trx) => restartOperation(trx, operation.id))
}
