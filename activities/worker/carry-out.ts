import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import {
  defineSearchAttributeKey,
  NamespaceNotFoundError,
  TypedSearchAttributes,
} from '@temporalio/common'
import type { Command, Setback } from '../../db/operations/outbox.ts'
import type { Log } from '../../telemetry/log.ts'
import { summaryOf } from '../../workflows/catalogue.ts'
import { queueOf } from '../../workflows/ids.ts'

// One command of the outbox: it starts or signals a workflow, and what came of it is said in a word.

export type Carrier = { client: Client; taskQueue: string; log: Log }

/**
 * `away`: Temporal cannot be reached. `busy`: it is there, but has not answered in time or wants less. `incomplete`: the
 * namespace is not set up. `failed`: the command by itself.
 */
export type Outcome = 'done' | (Setback & { kind: 'away' | 'busy' | 'incomplete' | 'failed' })

// A start takes milliseconds; under load it takes seconds, and given up too early it would be done twice over.
export const callMs = 10_000
const longestDelayMs = 10_000
// Of a command that Temporal calls invalid, which may be so only until an operator has changed something there.
const longestRefusedMs = 5 * 60_000
const deadAfterMs = 60 * 60_000

/** Carries a command out. Once more is harmless: a workflow is started once, and a signal says that something has changed. */
export async function carryOut(
  carrier: Carrier,
  command: Command,
  signal: AbortSignal,
): Promise<Outcome> {
  const { connection } = carrier.client
  const line = { command: command.id, operation: command.operation, workflow: command.workflowId }
  try {
    const outcome = await connection.withAbortSignal(signal, () =>
      connection.withDeadline(Date.now() + callMs, () =>
        command.kind === 'start'
          ? start(carrier, command)
          : signalWorkflow(carrier.client, command),
      ),
    )
    carrier.log.debug({ ...line, kind: command.kind, outcome }, 'carried out')
    return outcome
  } catch (error) {
    const outcome = setbackOf(error, command)
    if (outcome.refused && (outcome.dead || !command.refusedAt))
      carrier.log[outcome.dead ? 'error' : 'warn'](
        { ...line, err: error },
        outcome.dead
          ? 'Temporal has refused this command for an hour and it is given up: npm run outbox -- retry'
          : 'Temporal refuses this command as invalid; it is tried on for an hour',
      )
    return outcome
  }
}

async function start(carrier: Carrier, command: Command): Promise<Outcome> {
  const { client, taskQueue } = carrier
  const type = command.workflowType as string
  const attributes = Object.entries(command.attributes).map(([name, value]) => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  }))
  // An operation is claimed in its row, so a closed run of its id is no obstacle: it may be of a key that was used before and
  // is forgotten here, where the cluster keeps workflows for longer.
  const again = command.restart || command.operation !== null
  try {
    await client.workflow.start(type, {
      workflowId: command.workflowId,
      taskQueue: queueOf(type, taskQueue),
      args: command.args as unknown[],
      workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes: new TypedSearchAttributes(attributes),
      staticSummary: summaryOf(type),
    })
    return 'done'
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return meet(carrier, command, type)
    throw error
  }
}

/** A second start, from another relay or after a lost answer, is the first one; unless the id is another deployment's. */
async function meet(
  { client, taskQueue, log }: Carrier,
  command: Command,
  type: string,
): Promise<Outcome> {
  const handle = client.workflow.getHandle(command.workflowId)
  try {
    const met = await handle.describe()
    if (met.status.name !== 'RUNNING') return 'done'
    if (met.taskQueue !== queueOf(type, taskQueue)) {
      if (command.attempts === 0)
        log.error(
          { command: command.id, workflow: command.workflowId, taskQueue: met.taskQueue },
          'a workflow of this id runs on another task queue: two deployments share a namespace and the ids of their workspaces; give each a namespace of its own',
        )
      return { kind: 'failed', problem: 'id_of_another_deployment', delayMs: longestRefusedMs }
    }
    if (command.signal) await handle.signal(command.signal)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return 'done'
}

async function signalWorkflow(client: Client, command: Command): Promise<Outcome> {
  try {
    const handle = client.workflow.getHandle(command.workflowId)
    await handle.signal(command.signal as string, ...(command.args as unknown[]))
  } catch (error) {
    // Whoever starts later reads the row: a signal to nobody has nothing to shorten.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return 'done'
}

// As gRPC numbers them.
const names: Record<number, string> = {
  1: 'cancelled',
  3: 'invalid_argument',
  4: 'deadline_exceeded',
  5: 'not_found',
  7: 'permission_denied',
  8: 'resource_exhausted',
  10: 'aborted',
  12: 'unimplemented',
  13: 'internal',
  14: 'unavailable',
  16: 'unauthenticated',
}

/** A safe code for an error of Temporal's client. */
export function codeOf(error: unknown): string {
  if (error instanceof NamespaceNotFoundError) return 'namespace_not_found'
  // The client wraps what the server answered.
  const cause = error instanceof Error ? error.cause : undefined
  const grpc = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : undefined
  if (grpc) return names[grpc.code] ?? `grpc_${grpc.code}`
  return error instanceof Error ? error.name : 'unknown'
}

function setbackOf(error: unknown, { attempts, refusedAt }: Command): Exclude<Outcome, 'done'> {
  const problem = codeOf(error)
  const delayMs = later(200, attempts, longestDelayMs)
  if (problem === 'unavailable') return { kind: 'away', problem, delayMs: 0 }
  if (problem === 'namespace_not_found') return { kind: 'incomplete', problem, delayMs: 0 }
  if (problem === 'deadline_exceeded' || problem === 'resource_exhausted')
    return { kind: 'busy', problem, delayMs: Math.max(delayMs, 1_000) }
  if (problem !== 'invalid_argument') return { kind: 'failed', problem, delayMs }
  return {
    kind: refusedAt ? 'failed' : 'incomplete',
    problem,
    delayMs: later(1_000, attempts, longestRefusedMs),
    refused: true,
    dead: refusedAt !== null && Date.now() - refusedAt.getTime() > deadAfterMs,
  }
}

// Those that failed together do not come back together.
const later = (firstMs: number, attempts: number, mostMs: number) =>
  Math.min(firstMs * 2 ** attempts, mostMs) * (0.75 + Math.random() / 4)
