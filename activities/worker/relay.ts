import type { Client } from '@temporalio/client'
import type { Db } from '../../db/database.ts'
import { listen } from '../../db/listen.ts'
import {
  type Command,
  commandDispatched,
  commandFailed,
  lateDispatched,
  leaseCommands,
  lockCommands,
  noteLooking,
} from '../../db/operations/outbox.ts'
import type { Log } from '../../process/telemetry/log.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'
import {
  type Carrier,
  type CommandOutcome,
  callMs,
  carryOut,
  codeOf,
  isReached,
} from './carry-out.ts'

// The only code that starts or signals workflows. It carries out the commands that committed transactions left in the outbox.
// Two relays are harmless: each skips the rows that the other has locked, and a repeated start or signal has no effect. One file,
// because all that a relay does reads and writes its one state.

const pollMs = 1000
const batch = 25
// A batch is one transaction, and an event is shown to readers only after all older transactions have ended. So a batch waits
// for answers no longer than this. Calls that answer later settle their commands by themselves.
const patienceMs = 1000
// A relay that has taken so many commands in half a second looks every few milliseconds for the next seconds.
const spanMs = 500
const manyInSpan = 15
const lookMs = 15
const looksForMs = 2_000
const slowCommitMs = 500
const saidEveryMs = 60_000
// No other relay takes a command while a call for it may still be running.
const leaseMs = callMs + 5_000
// At most this many calls are open at once, so that a slow server does not get more requests than it answers.
const mostOpen = 100
// While one batch waits for answers, another takes what has come since. Each holds a connection.
const mostBatches = 2
export const relayConnections = mostBatches + 1
// How often the relay checks again for what the namespace lacks.
const lackMs = 5_000
const stopMs = 2_000

export type RelayOptions = {
  db: Db
  databaseUrl: string
  client: Client
  taskQueue: string
  log: Log
  /** A client on the connection of the workers of this process, once there is one: a start through it needs no poll. */
  eager?: () => Client | undefined
  argsOf?: Carrier['argsOf']
  /** Told of commands whose work this process is likely to do once Temporal has answered. */
  ahead?: (commands: Command[]) => void
  /** Returns what the cluster lacks. No command is carried out until it lacks nothing. */
  findLack?: () => Promise<string | undefined>
}

/** A relay that runs. */
type Relay = {
  readonly options: RelayOptions
  /** Whether a problem is to be logged now: at once, and then once a minute with the number of repeats. */
  readonly often: ReturnType<typeof openThinning>
  readonly aborted: AbortController
  /** Calls that were not answered within their batch. */
  readonly open: Set<Promise<void>>
  readonly batches: Set<Promise<void>>
  /** How many commands the next batch takes at most. */
  most: number
  stopping: boolean
  /** Ends the present nap. */
  wake(): void
  /** A notification has come since the relay looked last. */
  woken: boolean
  isAway: boolean
  /** The shared connection repeats a call by itself for some seconds, which hides that Temporal is away. */
  isPrompt: boolean
  /** The namespace may lack something: it is checked before the next batch. */
  mayLack: boolean
  saidLack: string | undefined
  reaching: Promise<unknown> | undefined
  readonly load: {
    since: number
    taken: number
    /** A writer that has read that the relay looks by itself, and commits after this instant, is found by the next poll. */
    looksUntil: number
  }
}

/** Runs until `stop()`, which waits for the current batch. */
export function startRelay(options: RelayOptions) {
  const relay: Relay = {
    options,
    often: openThinning(saidEveryMs),
    aborted: new AbortController(),
    open: new Set(),
    batches: new Set(),
    most: batch,
    stopping: false,
    wake() {},
    woken: false,
    isAway: false,
    isPrompt: true,
    mayLack: options.findLack !== undefined,
    saidLack: undefined,
    reaching: undefined,
    load: { since: performance.now(), taken: 0, looksUntil: 0 },
  }
  const listener = listen(options.databaseUrl, 'outbox', () => {
    relay.woken = true
    if (!relay.isAway && !relay.mayLack) relay.wake()
  })
  const running = run(relay)

  return {
    async stop() {
      relay.stopping = true
      relay.wake()
      await listener.close()
      const timer = setTimeout(() => relay.aborted.abort(), stopMs)
      await running
      await Promise.all(relay.open)
      clearTimeout(timer)
    },
  }
}

async function run(relay: Relay) {
  const { batches, open, load } = relay
  while (!relay.stopping) {
    relay.woken = false
    await noteLoad(relay).catch((err) => warn(relay, 'the outbox cannot be written', { err }))
    if (relay.mayLack) {
      relay.mayLack = !(await isComplete(relay))
      if (relay.mayLack) await nap(relay, relay.isAway ? pollMs : lackMs)
      else note(relay, 'done')
      continue
    }
    if (batches.size >= mostBatches) {
      await Promise.race(batches)
      continue
    }
    // The first batch shows whether Temporal answers; the one beside it is smaller.
    const size = relay.isAway ? 1 : Math.ceil(relay.most / (batches.size + 1))
    const room = Math.min(size, mostOpen - open.size)
    if (room <= 0) {
      await Promise.race(open)
      continue
    }
    const mayBeMore = await beginBatch(relay, room)
    if (relay.isAway) await Promise.all(batches)
    if (!relay.isAway && (mayBeMore || relay.woken)) continue
    await nap(relay, !relay.isAway && load.looksUntil > performance.now() ? lookMs : pollMs)
  }
  await Promise.all(batches)
}

const nap = (relay: Relay, ms: number) =>
  new Promise<void>((resolve) => {
    if (relay.stopping) return resolve()
    const timer = setTimeout(resolve, ms)
    relay.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })

/** Begins a batch; answers whether there may be more commands. A failed one is put off, so it does not hold up the others. */
function beginBatch(relay: Relay, size: number): Promise<boolean> {
  const begun = Promise.withResolvers<boolean>()
  const carried = carryOutBatch(relay, size, begun.resolve)
    .catch((err) => warn(relay, 'the outbox cannot be read; retrying', { err }))
    .then(() => {
      relay.batches.delete(carried)
      begun.resolve(false)
    })
  relay.batches.add(carried)
  return begun.promise
}

/** Carries out one batch. `begun` is called once Temporal has answered a first call, with whether there may be more commands. */
async function carryOutBatch(relay: Relay, size: number, begun: (mayBeMore: boolean) => void) {
  const { options, open } = relay
  const late: [Command, Promise<CommandOutcome>][] = []
  const eager = relay.isPrompt ? options.eager?.() : undefined
  const carrier = { ...options, reach: () => reach(relay), eager }
  // Outside of the transaction, which waits for nothing of it.
  const locked = Promise.withResolvers<Command[]>()
  if (carrier.eager) void locked.promise.then(options.ahead).catch(() => {})
  const outcomes = await options.db.transaction().execute(async (trx) => {
    const commands = await lockCommands(trx, size)
    relay.load.taken += commands.length
    if (commands.length < size) begun(false)
    const calls = commands.map((command) => carryOut(carrier, command, relay.aborted.signal))
    locked.resolve(commands)
    for (const call of calls) void call.then((outcome) => outcome === 'done' && begun(true))
    const settled = await withinMs(patienceMs, calls)
    const done = commands.filter((_, i) => settled[i] === 'done').map(({ id }) => id)
    if (done.length > 0) await commandDispatched(trx, ...done)
    for (const [i, command] of commands.entries()) {
      const outcome = settled[i]
      if (outcome === undefined) late.push([command, calls[i] as Promise<CommandOutcome>])
      else if (outcome !== 'done') await commandFailed(trx, command.id, outcome)
    }
    const lateIds = late.map(([{ id }]) => id)
    if (lateIds.length > 0) await leaseCommands(trx, lateIds, leaseMs)
    return settled
  })
  for (const [command, call] of late) {
    const settling = call.then((outcome) => settleLate(relay, command, outcome))
    open.add(settling)
    void settling.finally(() => open.delete(settling))
  }
  relay.isPrompt = late.length === 0
  for (const outcome of outcomes) if (outcome) note(relay, outcome)
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'done'))
    relay.most = Math.min(batch, relay.most * 2)
  begun(true)
}

async function settleLate(relay: Relay, { id }: Command, outcome: CommandOutcome) {
  const { db } = relay.options
  if (!relay.aborted.signal.aborted) note(relay, outcome)
  const settle = outcome === 'done' ? lateDispatched(db, id) : commandFailed(db, id, outcome)
  // If this fails, the lease runs out and the command is carried out again.
  await settle.catch((err) => warn(relay, 'the outbox cannot be written', { err }))
}

/** Throws if Temporal cannot be reached, on the connection that says so at once. Calls at the same time share one question. */
async function reach(relay: Relay) {
  relay.reaching ??= isReached(relay.options.client).finally(() => {
    relay.reaching = undefined
  })
  await relay.reaching
}

/**
 * Under load the relay looks by itself and says so, because each notification makes the commits of all writers wait for each
 * other.
 */
async function noteLoad({ options, load, isAway }: Relay) {
  const now = performance.now()
  if (now - load.since < spanMs) return
  const isMany = load.taken >= manyInSpan && !isAway
  load.since = now
  load.taken = 0
  if (!isMany) return
  await noteLooking(options.db, looksForMs)
  load.looksUntil = now + looksForMs + slowCommitMs
}

function note(relay: Relay, outcome: CommandOutcome) {
  const { log, findLack } = relay.options
  if (outcome === 'done') {
    if (relay.isAway) log.info('Temporal answers again; the waiting commands are carried out')
    relay.isAway = false
    return
  }
  const { kind, problem } = outcome
  relay.isPrompt &&= kind !== 'away' && kind !== 'busy'
  if (kind === 'incomplete') relay.mayLack ||= findLack !== undefined
  if (kind === 'away') {
    warn(relay, 'Temporal cannot be reached; what is accepted waits and is retried every second', {
      problem,
    })
    relay.isAway = true
  } else if (kind === 'busy') {
    relay.most = Math.max(1, Math.floor(relay.most / 2))
    warn(relay, 'Temporal is slow; calls that it has not answered are retried within ten seconds', {
      problem,
    })
  } else if (!outcome.refused) warn(relay, 'a command to Temporal failed; retrying', { problem })
}

function warn({ options, often }: Relay, text: string, facts: Record<string, unknown>) {
  const told = often(text)
  if (told) options.log.warn({ ...facts, ...told }, text)
}

/** Whether the cluster has everything that is needed. Logs once what is missing. */
async function isComplete(relay: Relay): Promise<boolean> {
  const { log, findLack } = relay.options
  try {
    const lack = await findLack?.()
    if (lack && lack !== relay.saidLack)
      log.error(`Nothing can be started: ${lack}. What is accepted waits.`)
    if (!lack && relay.saidLack)
      log.info('The namespace has everything that is needed; the waiting commands are carried out')
    relay.saidLack = lack
    return lack === undefined
  } catch (error) {
    note(relay, { kind: 'away', problem: codeOf(error), delayMs: 0 })
    return false
  }
}

/** The results of calls after `ms`, or sooner once all have ended; undefined for calls that are still open. */
async function withinMs<T>(ms: number, calls: Promise<T>[]): Promise<(T | undefined)[]> {
  const settled: (T | undefined)[] = calls.map(() => undefined)
  const all = Promise.all(
    calls.map(async (call, i) => {
      settled[i] = await call
    }),
  )
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([all, patience])
  clearTimeout(timer)
  return [...settled]
}
