import { randomUUID } from 'node:crypto'
import type { Context } from '@temporalio/activity'
import {
  Client,
  Connection,
  type ConnectionOptions,
  WorkflowNotFoundError,
} from '@temporalio/client'
import {
  type CompiledWorkerOptions,
  NativeConnection,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker'
import { setsChannel } from '../../db/accounts/mailbox-sets.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { listen } from '../../db/listen.ts'
import { noteEnded, noteSeen, seenEveryMs } from '../../db/operations/workers.ts'
import { version } from '../../process/version.ts'
import { hooksQueue, mailQueue, remoteQueue, sendQueue } from '../../workflows/ids.ts'
import { safeFailuresOf } from '../common/failures.ts'
import { operatorOf } from '../common/find-operator.ts'
import { openTeller } from '../common/trouble-signals.ts'
import { accountsIn, argsOf } from '../conversations/send-at-once.ts'
import type { Deps } from '../deps.ts'
import { deliverEventsActivities } from '../events/deliver-events.ts'
import { setChanged } from '../inbox/reader/changes.ts'
import { createActivities } from '../index.ts'
import { askAhead, closeSessions } from '../outgoing/sessions.ts'
import { untilAllHandedOver } from '../outgoing/underway.ts'
import { findLack, watchSearchAttributes } from './cluster.ts'
import type { temporalConnection } from './connection.ts'
import { relayConnections, startRelay } from './relay.ts'
import { ensureSchedules, schedulePatiently } from './schedules.ts'
import { shareOf } from './shares.ts'
import { startWaker } from './waker.ts'

// One file: what a worker starts and, in the reverse order, stops.

// One for each webhook that has just been called; those of a webhook that is quiet may be read again from their history.
const hookWorkflows = 25
// A worker that is told to end does so by force after this time.
const forceMs = 170_000

/** What a worker serves: short steps on rows, letters, calls of other systems, mailboxes, and webhooks. */
export const queues = ['rows', 'send', 'remote', 'mail', 'hooks'] as const
export type Queue = (typeof queues)[number]

/** How many activities of each queue run at once in a process. */
export type Slots = Readonly<Record<Queue, number>>
export const usualSlots: Slots = { rows: 400, send: 200, remote: 200, mail: 400, hooks: 100 }

export type WorkerOptions = {
  /** False in tests, which share a server and would otherwise share the schedules. */
  schedules: boolean

  deps: Omit<Deps, 'workflowState' | 'endWorkflow' | 'openWorkflows' | 'operator' | 'searchable'>
  databaseUrl: string
  connection: ReturnType<typeof temporalConnection>
  namespace: string
  taskQueue: string
  /** Which of its queues are served; all unless given. */
  only?: readonly Queue[] | undefined
  slots?: Slots
  bundle: WorkflowBundle
  /** How many workflows are kept in memory between their steps; the others are read again from their history when they go on. */
  cachedWorkflows?: number
}

/**
 * How many polls of each kind a worker keeps open at each task queue: few at rest, more as soon as the server says that tasks are
 * waiting. Temporal hands a task to the poll that has waited longest, so each poll of a process that stands still takes one attempt
 * with it, which lasts until its timeout: with the usual ten, one letter may lose six attempts, and more than a minute, to it.
 */
const pollers = { type: 'autoscaling', minimum: 2, initial: 2, maximum: 10 } as const

/** Starts the relay and the worker. `stop` ends both gracefully; `stopped` settles when they have ended. */
export async function runWorker(options: WorkerOptions) {
  const { deps, namespace, taskQueue, slots = usualSlots } = options
  // Lazy, so that the relay runs and retries whether Temporal is there or not.
  const asked = lazyConnection(options)
  const client = new Client({ connection: asked, namespace })
  let eager: Client | undefined
  const relaying = openRelay(options, () => eager)
  const connection = await connectPatiently(options)
  await completePatiently(() => findLack(asked, namespace))
  const attributes = watchSearchAttributes(client, ['WaitingFor', 'Connection'])
  const stopping = new AbortController()
  const all: Deps = {
    ...deps,
    stopping: stopping.signal,
    workflowState: (id) => workflowState(client, id),
    endWorkflow: (id, reason) => endWorkflow(client, id, reason),
    openWorkflows: (workspace) => openWorkflows(client, workspace),
    searchable: attributes.searchable,
    operator: (workflow, update) => operatorOf(client, workflow, update),
  }
  const safeFailures = safeFailuresOf(deps.log, openTeller(all))
  const common = {
    connection,
    namespace,
    // After the grace time, activities that can be interrupted are cancelled, and another worker resumes them from their rows.
    // Letters that are being handed over are finished, as long as the mail server answers at all.
    shutdownGraceTime: '10 s',
    shutdownForceTime: forceMs,
    // When a worker dies, workflow tasks addressed to it go to another worker after this time. The default is 10 s.
    stickyQueueScheduleToStartTimeout: '3 s',
    workflowTaskPollerBehavior: pollers,
    activityTaskPollerBehavior: pollers,
  } satisfies Omit<Parameters<typeof WorkflowWorker.create>[0], 'taskQueue'>
  /** How many activities of a queue run at once, of all and of one workspace. */
  function bounds(queue: Queue) {
    const share = shareOf(queue, slots[queue])
    return {
      maxConcurrentActivityTaskExecutions: slots[queue],
      interceptors: {
        activity: [
          ({ info }: Context) => ({ inbound: safeFailures(info) }),
          ({ info }: Context) => ({ inbound: share(info) }),
        ],
      },
    }
  }
  const activities = createActivities(all)
  const create: Record<Queue, () => Promise<WorkflowWorker>> = {
    rows: () =>
      WorkflowWorker.create({
        ...common,
        ...bounds('rows'),
        taskQueue,
        workflowBundle: options.bundle,
        activities,
        maxCachedWorkflows: options.cachedWorkflows ?? 100,
      }),
    send: () =>
      WorkflowWorker.create({
        ...common,
        ...bounds('send'),
        taskQueue: sendQueue(taskQueue),
        workflowBundle: options.bundle,
        activities,
        // A message that is due now needs a place for a moment. One that waits does without: it is replayed in a few events.
        maxCachedWorkflows: 100,
        // More than there are messages that are handed over within such a task.
        maxConcurrentWorkflowTaskExecutions: 100,
      }),
    remote: () =>
      WorkflowWorker.create({
        ...common,
        ...bounds('remote'),
        taskQueue: remoteQueue(taskQueue),
        activities,
      }),
    // Each set of mailboxes that is being read occupies one slot for as long as it is read.
    mail: () =>
      WorkflowWorker.create({
        ...common,
        ...bounds('mail'),
        taskQueue: mailQueue(taskQueue),
        activities,
      }),
    // Slow receivers of webhooks delay only each other, and one workspace may occupy only some of these slots.
    hooks: () =>
      WorkflowWorker.create({
        ...common,
        ...bounds('hooks'),
        taskQueue: hooksQueue(taskQueue),
        workflowBundle: options.bundle,
        activities: deliverEventsActivities(all),
        maxCachedWorkflows: hookWorkflows,
      }),
  }
  const workers = await Promise.all((options.only ?? queues).map((queue) => create[queue]()))
  eager = new Client({ connection, namespace })
  const reads = (options.only ?? queues).includes('mail')
  const presence = startPresence(deps.db, reads)
  const mailboxNews = reads ? hearOfMailboxes(options.databaseUrl) : undefined
  const waker = startWaker({ ...deps, databaseUrl: options.databaseUrl })
  if (options.schedules)
    void schedulePatiently(() => ensureSchedules(client, taskQueue), {
      log: deps.log,
      signal: stopping.signal,
    })
  let endsBy = Number.POSITIVE_INFINITY
  const shutdown = () => {
    endsBy = Math.min(endsBy, performance.now() + forceMs)
    stopping.abort()
    eager = undefined
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  const runs = workers.map((worker) => worker.run().finally(shutdown))
  const stopped = Promise.allSettled(runs).then(async (ended) => {
    stopping.abort()
    if (ended.every(({ status }) => status === 'fulfilled')) await untilAllHandedOver(endsBy)
    closeSessions()
    await presence.stop()
    await mailboxNews?.close()
    attributes.stop()
    await waker.stop()
    await relaying.stop()
    await connection.close()
    await client.connection.close()
    await Promise.all(runs)
  })
  return {
    stopped,
    async stop() {
      shutdown()
      await stopped
    },
  }
}

async function workflowState(client: Client, id: string) {
  try {
    const { status } = await client.workflow.getHandle(id).describe()
    return status.name === 'RUNNING' ? 'running' : 'closed'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'closed'
    throw error
  }
}

async function endWorkflow(client: Client, id: string, reason: string) {
  try {
    await client.workflow.getHandle(id).terminate(reason)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

async function openWorkflows(client: Client, workspace: string): Promise<string[]> {
  const value = workspace.replace(/["\\]/g, '')
  const query = `Workspace = "${value}" and ExecutionStatus = "Running"`
  const ids: string[] = []
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId)
  return ids
}

/**
 * The relay has connections of its own. With its own Postgres connections, it and the activities never wait for each other. Its
 * Temporal connection leaves retries to the relay, which knows how many calls are open.
 */
function openRelay(options: WorkerOptions, eager: () => Client | undefined) {
  const { deps, databaseUrl, namespace, taskQueue } = options
  // A command whose mark is lost is carried out again, which has no effect.
  const db = openDatabase(databaseUrl, relayConnections, { work: 'activities', disk: false })
  const connection = lazyConnection(options, { interceptors: [] })
  const client = new Client({ connection, namespace })
  const relay = startRelay({
    db,
    databaseUrl,
    client,
    eager,
    argsOf,
    // While Temporal starts the workflows of messages, their mail servers are asked whether the kept sessions are still there.
    ahead: (commands) => {
      for (const account of accountsIn(commands)) askAhead(account)
    },
    taskQueue,
    log: deps.log,
    findLack: () => findLack(connection, namespace),
  })
  return {
    async stop() {
      await relay.stop()
      await connection.close()
      await db.destroy()
    },
  }
}

// By default, gRPC backs off to one attempt every two minutes, and would notice too late that Temporal is back.
const lazyConnection = ({ connection }: WorkerOptions, more: ConnectionOptions = {}) =>
  Connection.lazy({
    ...connection,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 2_000 },
    ...more,
  })

/**
 * Waits until the cluster has everything that is needed: without its namespace, a worker would end. The relay logs what is
 * missing.
 */
async function completePatiently(findLack: () => Promise<string | undefined>) {
  while (await findLack().catch(() => 'it cannot be asked'))
    await new Promise((resolve) => setTimeout(resolve, 1000))
}

/** Connects to Temporal, trying every second until it succeeds. */
async function connectPatiently(options: WorkerOptions) {
  for (let tries = 0; ; tries++) {
    try {
      return await NativeConnection.connect(options.connection)
    } catch (error) {
      if (tries % 60 === 0)
        options.deps.log.warn({ err: error }, 'Temporal cannot be reached; retrying')
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/**
 * A worker that calls its workflows without a limit of time. The limit (`isolateExecutionTimeout`) starts and ends a thread for
 * each call into a workflow, of which one task makes a dozen: 0.1 ms, many times as much as the call itself. It would end a
 * loop that never waits for an activity or a timer; test/workflows/worker/bundle.test.ts looks for such loops, and ours have none.
 */
export class WorkflowWorker extends Worker {
  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
  ) {
    const unlimited = { ...options, isolateExecutionTimeoutMs: undefined }
    return Worker.createWorkflowCreator(
      bundle,
      unlimited as unknown as CompiledWorkerOptions,
      logger,
    )
  }
}

/** Hears of accounts that have changed, so that their mailboxes are read at once with what they have now. Runs until `close()`. */
const hearOfMailboxes = (databaseUrl: string) => listen(databaseUrl, setsChannel, setChanged)

/** Records every few seconds, until `stop()`, that this worker is alive. A worker that hangs records nothing. */
function startPresence(db: Db, reads: boolean) {
  const worker = { id: randomUUID(), version, reads }
  // Everything else reports a database that cannot be reached.
  let saying: Promise<unknown> = Promise.resolve()
  const say = () => {
    saying = noteSeen(db, worker).catch(() => {})
  }
  say()
  const timer = setInterval(say, seenEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await saying
      await noteEnded(db, worker.id).catch(() => {})
    },
  }
}
