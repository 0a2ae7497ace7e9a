import type { Client } from '@temporalio/client'
import type { Db } from '../../db/database.ts'
import { listen } from '../../db/listen.ts'
import {
  type Command,
  commandDispatched,
  commandFailed,
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
// Two relays are harmless: each skips the rows that the other has locked, and a repeated start or signal has no effect.

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

/** Runs until `stop()`, which waits for the current batch. */
export function startRelay(options: RelayOptions) {
  const { db, findLack } = options
  const often = openThinning(saidEveryMs)
  const aborted = new AbortController()
  /** Calls that were not answered within their batch. */
  const open = new Set<Promise<void>>()
  const batches = new Set<Promise<void>>()
  let stopping = false
  let wake = () => {}
  let woken = false
  let isAway = false
  // The shared connection repeats a call by itself for some seconds, which hides that Temporal is away.
  let isPrompt = true
  let mayLack = findLack !== undefined
  let most = batch
  const listener = listen(options.databaseUrl, 'outbox', () => {
    woken = true
    if (!isAway && !mayLack) wake()
  })

  let reaching: Promise<unknown> | undefined
  /** Throws if Temporal cannot be reached, on the connection that says so at once. Calls at the same time share one question. */
  const reach = async () => {
    reaching ??= isReached(options.client).finally(() => {
      reaching = undefined
    })
    await reaching
  }

  /** Logs a repeating problem at once, and then once a minute with the number of repeats. */
  function warn(text: string, facts: Record<string, unknown>) {
    const told = often(text)
    if (told) options.log.warn({ ...facts, ...told }, text)
  }

  /** Carries out one batch. `begun` is told once Temporal has answered a first call, and whether there may be more commands. */
  async function carryOutBatch(size: number, begun: (mayBeMore: boolean) => void) {
    const late: [Command, Promise<CommandOutcome>][] = []
    const carrier = { ...options, reach, eager: isPrompt ? options.eager?.() : undefined }
    // Outside of the transaction, which waits for nothing of it.
    const locked = Promise.withResolvers<Command[]>()
    if (carrier.eager) void locked.promise.then(options.ahead).catch(() => {})
    const outcomes = await db.transaction().execute(async (trx) => {
      const commands = await lockCommands(trx, size)
      taken += commands.length
      if (commands.length < size) begun(false)
      const calls = commands.map((command) => carryOut(carrier, command, aborted.signal))
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
      const settling = call.then((outcome) => settleLate(command, outcome))
      open.add(settling)
      void settling.finally(() => open.delete(settling))
    }
    isPrompt = late.length === 0
    for (const outcome of outcomes) if (outcome) note(outcome)
    if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'done'))
      most = Math.min(batch, most * 2)
    begun(true)
  }

  /** Begins a batch; answers whether there may be more commands. A failed one is put off, so it does not hold up the others. */
  function beginBatch(size: number): Promise<boolean> {
    const begun = Promise.withResolvers<boolean>()
    const carried = carryOutBatch(size, begun.resolve)
      .catch((error) => warn('the outbox cannot be read; retrying', { err: error }))
      .then(() => {
        batches.delete(carried)
        begun.resolve(false)
      })
    batches.add(carried)
    return begun.promise
  }

  // Under load the relay looks by itself and says so, because each notification makes the commits of all writers wait for each
  // other. A writer that has read so and commits after `looksUntil` is found by the next poll.
  let looksUntil = 0
  let takenSince = performance.now()
  let taken = 0
  async function noteLoad() {
    const now = performance.now()
    if (now - takenSince < spanMs) return
    const isMany = taken >= manyInSpan && !isAway
    takenSince = now
    taken = 0
    if (!isMany) return
    await noteLooking(db, looksForMs)
    looksUntil = now + looksForMs + slowCommitMs
  }

  async function settleLate({ id }: Command, outcome: CommandOutcome) {
    if (!aborted.signal.aborted) note(outcome)
    const settle = outcome === 'done' ? commandDispatched(db, id) : commandFailed(db, id, outcome)
    // If this fails, the lease runs out and the command is carried out again.
    await settle.catch((error) => warn('the outbox cannot be written', { err: error }))
  }

  function note(outcome: CommandOutcome) {
    if (outcome === 'done') {
      if (isAway) options.log.info('Temporal answers again; the waiting commands are carried out')
      isAway = false
      return
    }
    const { kind, problem } = outcome
    isPrompt &&= kind !== 'away' && kind !== 'busy'
    if (kind === 'incomplete') mayLack ||= findLack !== undefined
    if (kind === 'away') {
      warn('Temporal cannot be reached; what is accepted waits and is retried every second', {
        problem,
      })
      isAway = true
    } else if (kind === 'busy') {
      most = Math.max(1, Math.floor(most / 2))
      warn('Temporal is slow; calls that it has not answered are retried within ten seconds', {
        problem,
      })
    } else if (!outcome.refused) warn('a command to Temporal failed; retrying', { problem })
  }

  /** Whether the cluster has everything that is needed. Logs once what is missing. */
  let saidLack: string | undefined
  async function isComplete(): Promise<boolean> {
    try {
      const lack = await findLack?.()
      if (lack && lack !== saidLack)
        options.log.error(`Nothing can be started: ${lack}. What is accepted waits.`)
      if (!lack && saidLack)
        options.log.info(
          'The namespace has everything that is needed; the waiting commands are carried out',
        )
      saidLack = lack
      return lack === undefined
    } catch (error) {
      note({ kind: 'away', problem: codeOf(error), delayMs: 0 })
      return false
    }
  }

  async function run() {
    while (!stopping) {
      woken = false
      await noteLoad().catch((error) => warn('the outbox cannot be written', { err: error }))
      if (mayLack) {
        mayLack = !(await isComplete())
        if (mayLack) await nap(isAway ? pollMs : lackMs)
        else note('done')
        continue
      }
      if (batches.size >= mostBatches) {
        await Promise.race(batches)
        continue
      }
      // The first batch shows whether Temporal answers; the one beside it is smaller.
      const size = isAway ? 1 : Math.ceil(most / (batches.size + 1))
      const room = Math.min(size, mostOpen - open.size)
      if (room <= 0) {
        await Promise.race(open)
        continue
      }
      const mayBeMore = await beginBatch(room)
      if (isAway) await Promise.all(batches)
      if (!isAway && (mayBeMore || woken)) continue
      await nap(!isAway && looksUntil > performance.now() ? lookMs : pollMs)
    }
    await Promise.all(batches)
  }

  const nap = (ms: number) =>
    new Promise<void>((resolve) => {
      if (stopping) return resolve()
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const running = run()

  return {
    async stop() {
      stopping = true
      wake()
      await listener.close()
      const timer = setTimeout(() => aborted.abort(), stopMs)
      await running
      await Promise.all(open)
      clearTimeout(timer)
    },
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
