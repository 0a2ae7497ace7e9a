import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import pg from 'pg'

// Whoever holds one connection of a pool and waits for a second one of it can wait forever: as many at once as the pool has
// connections hold them all. So nothing of ours takes a connection while a transaction of its own is open; a run of the tests
// looks at each.

type Open = { begun: string; ended: boolean }
const transactions = new AsyncLocalStorage<Open>()
const samples = new AsyncLocalStorage<Set<string>>()
const refused = new Set<string>()

/** Where the tests took a second connection within a transaction since the last call. */
export function takeSecondConnections(): string[] {
  const places = [...refused]
  refused.clear()
  return places
}

/** The second connections taken within `work`, which a test runs on purpose. */
export async function secondConnectionsOf(work: () => Promise<unknown>): Promise<string[]> {
  const found = new Set<string>()
  await samples.run(found, work)
  return [...found]
}

let watching = false

/** Starts watching the transactions of this process. */
export function watchTransactions() {
  if (watching) return
  watching = true
  const execute = TransactionBuilder.prototype.execute
  TransactionBuilder.prototype.execute = function (work) {
    const begun = ownPlace()
    if (!begun) return execute.call(this, work) as never
    return execute.call(this, async (trx) => {
      const open = { begun, ended: false }
      try {
        return await transactions.run(open, () => work(trx))
      } finally {
        // Work that was started here and not awaited continues without it.
        open.ended = true
      }
    }) as never
  }
  const connect = pg.Pool.prototype.connect as (...args: unknown[]) => unknown
  const watched = function (this: pg.Pool, ...args: unknown[]) {
    const open = transactions.getStore()
    if (open && !open.ended) {
      const line = `begun at ${open.begun}, a second one at ${ownPlace() ?? 'an unknown place'}`
      const found = samples.getStore() ?? refused
      found.add(line)
    }
    return connect.apply(this, args)
  }
  pg.Pool.prototype.connect = watched as typeof pg.Pool.prototype.connect
}

/** The line of ours that is carried out; undefined where it is a test's, unless samples are looked at. */
function ownPlace(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const lines = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = stackTraceLimit
  const own = lines
    .map(
      (line) => /file:\/\/\S*?((?:activities|api|db|dev|test)\/[\w./-]+\.ts:\d+)/.exec(line)?.[1],
    )
    .filter((place) => place && !/^(?:test\/support\/second-connection|db\/statements)/.test(place))
  const place = own[0]
  return place?.startsWith('test/') && !samples.getStore() ? undefined : place
}
