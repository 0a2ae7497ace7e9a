import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common'
import type { Db } from '../db/database.ts'
import { listen } from '../db/listen.ts'
import { type Command, commandDispatched, commandFailed, lockCommands } from '../db/outbox.ts'
import type { Log } from '../log.ts'
import { summaries } from '../workflows/catalogue.ts'
import { queueOf } from '../workflows/ids.ts'

// The only code that starts or signals workflows. It carries out what committed transactions left in the outbox; two relays
// are harmless, since each skips what the other has locked, and a start or signal carried out twice is nothing.

const pollMs = 1000
const batch = 25
// Without a deadline a start hangs for 19 s when Temporal is down.
const callMs = 1000
const longestDelayMs = 10_000

/** Runs until `stop()`, which waits for the batch in hand. */
export function startRelay(options: {
  db: Db
  databaseUrl: string
  client: Client
  taskQueue: string
  log: Log
}) {
  const { log } = options
  let stopping = false
  let wake = () => {}
  let woken = false
  const listener = listen(options.databaseUrl, 'outbox', () => {
    woken = true
    wake()
  })

  async function run() {
    while (!stopping) {
      woken = false
      const full = await carryOut(options).catch((error) => {
        log.warn({ err: error }, 'the outbox cannot be read')
        return false
      })
      if (full || woken || stopping) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = run()

  return {
    async stop() {
      stopping = true
      wake()
      await listener.close()
      await running
    },
  }
}

type Carrier = { db: Db; client: Client; taskQueue: string; log: Log }

/** One batch in one transaction; true when there may be more. */
async function carryOut(carrier: Carrier): Promise<boolean> {
  return carrier.db.transaction().execute(async (trx) => {
    const commands = await lockCommands(trx, batch)
    const outcomes = await Promise.all(commands.map((command) => attempt(carrier, command)))
    for (const [i, outcome] of outcomes.entries()) {
      const { id, attempts } = commands[i] as Command
      if (outcome === 'done') await commandDispatched(trx, id)
      else
        await commandFailed(
          trx,
          id,
          outcome.problem,
          Math.min(200 * 2 ** attempts, longestDelayMs),
          outcome.dead,
        )
    }
    // One that fails is put off and stands in nobody's way; where all of them fail, Temporal is away.
    return commands.length === batch && outcomes.some((outcome) => outcome === 'done')
  })
}

type Outcome = 'done' | { problem: string; dead: boolean }

async function attempt(carrier: Carrier, command: Command): Promise<Outcome> {
  const { client, log } = carrier
  const line = { command: command.id, operation: command.operation, workflow: command.workflowId }
  try {
    await client.connection.withDeadline<unknown>(Date.now() + callMs, () =>
      command.kind === 'start' ? start(carrier, command) : signal(client, command),
    )
    log.debug({ ...line, kind: command.kind }, 'carried out')
    return 'done'
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'done'
    // Whoever starts later reads the row: a signal to nobody has nothing to shorten.
    if (error instanceof WorkflowNotFoundError && command.kind === 'signal') return 'done'
    const dead = grpcOf(error)?.code === invalidArgument
    if (dead) log.error({ ...line, err: error }, 'Temporal refuses this command for good')
    else
      log.warn(
        { ...line, problem: codeOf(error) },
        'Temporal cannot be reached; the command is tried again',
      )
    return { problem: codeOf(error), dead }
  }
}

const invalidArgument = 3

// The client wraps what the server answered.
function grpcOf(error: unknown) {
  const cause = error instanceof Error ? error.cause : undefined
  return isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : undefined
}

function codeOf(error: unknown): string {
  const grpc = grpcOf(error)
  return grpc ? `grpc_${grpc.code}` : error instanceof Error ? error.name : 'unknown'
}

function start({ client, taskQueue }: Carrier, command: Command) {
  const type = command.workflowType as string
  const attributes = Object.entries(command.attributes).map(([name, value]) => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  }))
  return client.workflow.start(type, {
    workflowId: command.workflowId,
    taskQueue: queueOf(type, taskQueue),
    args: command.args as unknown[],
    // A second start of the same operation, from another relay or after a lost answer, is the first one.
    workflowIdReusePolicy: command.restart ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: new TypedSearchAttributes(attributes),
    staticSummary: summaries[type] ?? type,
  })
}

const signal = (client: Client, command: Command) =>
  client.workflow
    .getHandle(command.workflowId)
    .signal(command.signal as string, ...(command.args as unknown[]))
