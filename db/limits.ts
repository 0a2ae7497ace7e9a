import type { Socket } from 'node:net'
import type pg from 'pg'

// How long Postgres lets a process take, by what its connections are for. A process may be frozen, or cut off by the network, between
// any two statements: Postgres then ends what it has begun, so that its locks stop nobody for longer than a minute. What is ended so
// has changed nothing, and is tried again (isUnavailable in database.ts).

/**
 * What the connections of a pool are for: `reads` and `changes` of the API, the look-ups of its `tokens`, `activities`, and the claims,
 * leases and settlements of `letters`. `maintenance` is what an operator waits for: migrations, builds of indexes, commands.
 */
export type Work = 'tokens' | 'reads' | 'changes' | 'activities' | 'letters' | 'maintenance'

export type Limits = {
  /** How long a statement may take; 0 for as long as it takes. */
  statementMs: number
  /** How long a statement waits for a lock that another transaction holds; 0 without a limit. */
  lockMs: number
  /** How long a transaction may be idle. Ours never are for more than some seconds, unless their process stands still. */
  idleMs: number
  /** How long a connection may say nothing while an answer is open: longer than any statement takes; 0 for as long as it takes. */
  silentMs: number
}

/** What one statement of activities may take where it is known to be long: `takeLong` in database.ts. */
export const longMs = 300_000

const idleMs = 20_000
// For an answer to come back.
const graceMs = 15_000

const limited = (statementMs: number, lockMs: number, longestMs = statementMs): Limits => ({
  statementMs,
  lockMs,
  idleMs,
  silentMs: longestMs + graceMs,
})

export const limits: Record<Work, Limits> = {
  tokens: limited(5_000, 2_000),
  reads: limited(15_000, 5_000),
  // Callers wait half a minute.
  changes: limited(60_000, 25_000),
  activities: limited(60_000, 10_000, longMs),
  // A lease counts for ten seconds: whoever waits for a row of others leaves the connection to a renewal before that.
  letters: limited(60_000, 5_000),
  maintenance: { statementMs: 0, lockMs: 0, idleMs, silentMs: 0 },
}

// Both sides ask whether the other is still there: a connection whose peer has gone without a word ends within forty seconds, and its
// locks with it. By default, Linux asks after two hours.
const askAfterSeconds = 20
const askEverySeconds = 5
const asks = 4

/** What a new connection says to Postgres first, as one text; not as options of the connection, which poolers refuse. */
export const settingsOf = (
  { statementMs, lockMs, idleMs }: Limits,
  { disk }: { disk: boolean },
): string =>
  [
    `set statement_timeout = ${statementMs}`,
    `set lock_timeout = ${lockMs}`,
    `set idle_in_transaction_session_timeout = ${idleMs}`,
    `set tcp_keepalives_idle = ${askAfterSeconds}`,
    `set tcp_keepalives_interval = ${askEverySeconds}`,
    `set tcp_keepalives_count = ${asks}`,
    `set tcp_user_timeout = ${1_000 * (askAfterSeconds + asks * askEverySeconds)}`,
    ...(disk ? [] : ['set synchronous_commit = off']),
  ].join('; ')

/** The options of a connection by which this side asks too. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 1_000 * askAfterSeconds }

/** The parts of a client of node-postgres that show whether it waits for an answer, and from where. */
type Waiting = { connection: { stream: Socket }; _activeQuery: unknown }

/**
 * Ends a connection that says nothing for so long while an answer is open. What this side has sent may never have arrived: that is
 * tried for a quarter of an hour otherwise, and no probe shows it.
 */
export function endWhenSilent(client: pg.ClientBase, silentMs: number) {
  const waiting = client as unknown as Waiting
  const { stream } = waiting.connection
  // Of a socket that was silent once, the timer does not begin again by itself.
  const look = () => {
    if (waiting._activeQuery) stream.destroy()
    else watch()
  }
  const watch = () => void stream.setTimeout(silentMs, look)
  if (silentMs > 0) watch()
}
