import { setImmediate } from 'node:timers/promises'
import { type ConnectionRow, listConnectionRows } from '../../db/accounts/connections.ts'
import { type DueRow, listDueAtOnce } from '../../db/conversations/message-sending.ts'
import type { Command, WorkflowArgs } from '../../db/operations/outbox.ts'
import type { Deps } from '../deps.ts'
import { type Composed, composeAhead } from './message-letter.ts'

// While Temporal starts the workflows of messages that may go at once, this process reads the messages and their accounts: with
// two statements for all that are started together. It also composes their letters, unless their claims may change them. What was
// read may have changed when a message is claimed; the claim checks everything under locks, and a message that it does not take
// is read again.

const keptMs = 5_000
const most = 200

/** A message as it was read ahead, its account, and its letter if that has been composed already. */
export type Known = { message: DueRow; account: ConnectionRow; composed?: Composed | undefined }

const reading = new Map<string, Promise<Map<string, Known>>>()

type Starting = { message: string; connection: string }

/** The messages that commands are to send, with their accounts. */
export const messagesIn = (commands: Command[]): Starting[] =>
  commands.flatMap(({ workflowType, args, attributes: { Connection } }) => {
    if (workflowType !== 'sendMessage' || !Connection) return []
    const [{ message }] = args as WorkflowArgs<'sendMessage'>
    return { message, connection: Connection }
  })

/** Reads those of these messages that may go at once; never fails. */
export async function readAhead({ db, clock }: Pick<Deps, 'db' | 'clock'>, starts: Starting[]) {
  const room = starts.slice(0, Math.max(0, most - reading.size))
  if (room.length === 0) return
  const ids = room.map(({ message }) => message)
  const connections = [...new Set(room.map(({ connection }) => connection))]
  const found = Promise.all([
    listDueAtOnce(db, ids, clock.now()),
    listConnectionRows(db, connections),
  ]).then(([messages, accounts]) => {
    const known = new Map<string, Known>()
    for (const message of messages) {
      const account = accounts.find(({ id }) => id === message.connection)
      if (account) known.set(message.id, { message, account })
    }
    void composeAll(known, () => clock.now())
    return known
  })
  // If it fails, the activity reads them by itself.
  const safely = found.catch(() => new Map<string, Known>())
  for (const id of ids) reading.set(id, safely)
  setTimeout(() => {
    for (const id of ids) if (reading.get(id) === safely) reading.delete(id)
  }, keptMs).unref()
  await safely
}

/** Composes their letters one after the other, so that what else this process does gets its turn in between. */
async function composeAll(known: Map<string, Known>, now: () => Date) {
  for (const [id, one] of known) {
    await setImmediate()
    // Whoever has taken it composes it.
    if (known.has(id)) one.composed = await composeAhead(one.message, one.account, now())
  }
}

/** A message that was read ahead a moment ago; undefined if it was not, or may not go at once. It is given out once. */
export async function takeKnown(message: string): Promise<Known | undefined> {
  const together = reading.get(message)
  reading.delete(message)
  const known = await together
  const one = known?.get(message)
  known?.delete(message)
  return one
}
