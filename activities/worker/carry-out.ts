import { createHash } from 'node:crypto'
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
import type { Log } from '../../process/telemetry/log.ts'
import { summaryOf } from '../../workflows/catalogue.ts'
import { queueOf } from '../../workflows/ids.ts'

// Carries out one command of the outbox, which starts or signals a workflow, and returns the outcome as one word.

export type Carrier = {
  client: Client
  /** A client on the connection of this process's workers, which may get the first task with the answer to the start. */
  eager?: Client | undefined
  /** The arguments of a start; `isEager`: this process may get the first task. By default, those of the command. */
  argsOf?: (command: Command, isEager: boolean) => unknown[]
  /** Throws if Temporal cannot be reached. */
  reach?: () => Promise<void>
  taskQueue: string
  log: Log
}

/**
 * `away`: Temporal cannot be reached. `busy`: Temporal did not answer in time or limits the rate. `incomplete`: the namespace
 * is not set up. `failed`: this command alone failed.
 */
export type CommandOutcome =
  | 'done'
  | (Setback & { kind: 'away' | 'busy' | 'incomplete' | 'failed' })

// A start takes milliseconds, or seconds under load. If the call were given up too early, the work would be done twice.
export const callMs = 10_000
const longestDelayMs = 10_000
const doubtMs = 500
// For a command that Temporal rejects as invalid. An operator may be able to fix that by changing something in the cluster.
const longestRefusedMs = 5 * 60_000
const deadAfterMs = 60 * 60_000

/**
 * Carries out a command. Repeating it is harmless: a workflow is started once, and a signal only says that something has
 * changed.
 */
export async function carryOut(
  carrier: Carrier,
  command: Command,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const line = { command: command.id, operation: command.operation, workflow: command.workflowId }
  try {
    const outcome = await call(carrier, command, signal)
    carrier.log.debug({ ...line, kind: command.kind, outcome }, 'carried out')
    return outcome
  } catch (error) {
    const outcome = setbackOf(error, command)
    if (outcome.refused && (outcome.dead || !command.refusedAt))
      carrier.log[outcome.dead ? 'error' : 'warn'](
        { ...line, err: error },
        outcome.dead
          ? 'Temporal has refused this command for an hour, so it is given up: npm run outbox -- retry'
          : 'Temporal refuses this command as invalid; it is retried for an hour',
      )
    return outcome
  }
}

function call(carrier: Carrier, command: Command, signal: AbortSignal): Promise<CommandOutcome> {
  const { eager } = carrier
  const deadline = Date.now() + callMs
  if (command.kind === 'start' && eager) {
    return untilAborted(
      signal,
      eager.connection.withDeadline(deadline, () => start(carrier, command, eager)),
      carrier.reach,
    )
  }
  const { client } = carrier
  return untilOver(signal, (over) =>
    client.connection.withAbortSignal(over, () =>
      client.connection.withDeadline(deadline, () =>
        command.kind === 'start' ? start(carrier, command) : signalWorkflow(client, command),
      ),
    ),
  )
}

/**
 * Gives `work` a signal of its own. The client listens to a signal for as long as that exists, and keeps each call with it; the
 * signal of the relay exists as long as the process.
 */
function untilOver<T>(signal: AbortSignal, work: (over: AbortSignal) => Promise<T>) {
  const own = new AbortController()
  return heeding(
    signal,
    () => own.abort(),
    () => work(own.signal),
  )
}

/** Calls `abort` when the signal is aborted, for as long as `work` lasts. */
async function heeding<T>(signal: AbortSignal, abort: () => void, work: () => Promise<T>) {
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

export const isReached = ({ connection }: Client) =>
  connection.withDeadline(Date.now() + callMs, () => connection.workflowService.getSystemInfo({}))

/**
 * The shared connection ignores the signal, and repeats a call by itself for seconds while Temporal is away. So a call that is not
 * answered soon asks on the relay's own connection whether Temporal is there.
 */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>, reach?: () => Promise<void>) {
  const given = Promise.withResolvers<never>()
  const end = () => given.reject(new Error('The relay stops.'))
  const asking = setTimeout(() => reach?.().catch(given.reject), doubtMs)
  try {
    return await heeding(signal, end, () => Promise.race([work, given.promise]))
  } finally {
    clearTimeout(asking)
  }
}

// What takes minutes gives way to what takes a moment, although somebody waits for its start.
const slow = new Set(['importPeople', 'parseArchive', 'eraseWorkspace'])
const slowPriority = 4

/**
 * What its tasks and those of its activities have in Temporal: workspaces take turns where the cluster knows fairness
 * (`matching.enableFairness`); one that does not know it leaves it out.
 */
const priorityOf = ({ workflowType, workspace, priority }: Command) => ({
  priorityKey: slow.has(workflowType ?? '') ? slowPriority : priority,
  ...(workspace !== '' && { fairnessKey: fairnessKeyOf(workspace) }),
})

// A start with a longer one is refused.
const longestFairnessKey = 64

export const fairnessKeyOf = (workspace: string): string =>
  Buffer.byteLength(workspace) <= longestFairnessKey
    ? workspace
    : createHash('sha256').update(workspace).digest('hex')

async function start(carrier: Carrier, command: Command, eager?: Client): Promise<CommandOutcome> {
  const { taskQueue, argsOf } = carrier
  const client = eager ?? carrier.client
  const type = command.workflowType as string
  const attributes = Object.entries(command.attributes).map(([name, value]) => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  }))
  // An operation is claimed in its row, so a closed workflow with the same id is no obstacle: it may belong to an earlier use
  // of the key, which is forgotten here although the cluster keeps the workflow for longer.
  const again = command.restart || command.operation !== null
  const queue = queueOf(type, taskQueue)
  try {
    await client.workflow.start(type, {
      workflowId: command.workflowId,
      taskQueue: queue,
      ...(queue !== taskQueue && { memo: { taskQueue } }),
      ...(eager && { requestEagerStart: true }),
      args: argsOf?.(command, eager !== undefined) ?? (command.args as unknown[]),
      workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes: new TypedSearchAttributes(attributes),
      priority: priorityOf(command),
      staticSummary: summaryOf(type),
    })
    return 'done'
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return meet(carrier, command, type)
    throw error
  }
}

/**
 * The workflow runs already: another relay started it, or the answer to our start was lost. That counts as done, unless the
 * workflow belongs to another deployment.
 */
async function meet(
  { client, taskQueue, log }: Carrier,
  command: Command,
  type: string,
): Promise<CommandOutcome> {
  const handle = client.workflow.getHandle(command.workflowId)
  try {
    const met = await handle.describe()
    if (met.status.name !== 'RUNNING') return 'done'
    if (met.taskQueue !== queueOf(type, taskQueue)) {
      if (command.attempts === 0)
        log.error(
          { command: command.id, workflow: command.workflowId, taskQueue: met.taskQueue },
          'a workflow with this id runs on another task queue: two deployments share a namespace and the ids of their workspaces; give each deployment its own namespace',
        )
      return { kind: 'failed', problem: 'id_of_another_deployment', delayMs: longestRefusedMs }
    }
    if (command.signal) await handle.signal(command.signal)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return 'done'
}

async function signalWorkflow(client: Client, command: Command): Promise<CommandOutcome> {
  try {
    const handle = client.workflow.getHandle(command.workflowId)
    await handle.signal(command.signal as string, ...(command.args as unknown[]))
  } catch (error) {
    // Nothing waits for this signal: a workflow that starts later reads the row.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return 'done'
}

// The numbers of gRPC's status codes.
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
  // The client wraps the server's error.
  const cause = error instanceof Error ? error.cause : undefined
  const grpc = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : undefined
  if (grpc) return names[grpc.code] ?? `grpc_${grpc.code}`
  return error instanceof Error ? error.name : 'unknown'
}

function setbackOf(
  error: unknown,
  { attempts, refusedAt }: Command,
): Exclude<CommandOutcome, 'done'> {
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

// Random, so that commands that failed together are not retried together.
const later = (firstMs: number, attempts: number, mostMs: number) =>
  Math.min(firstMs * 2 ** attempts, mostMs) * (0.75 + Math.random() / 4)
