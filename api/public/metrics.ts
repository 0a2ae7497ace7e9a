import { Gauge, Histogram } from 'prom-client'
import { findOldestReading } from '../../db/accounts/mailboxes.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import {
  countAccounts,
  countStarts,
  countSuppressions,
  countWebhooks,
  findBacklog,
  findOldestUnconfirmed,
  findOverdue,
  type Labelled,
} from '../../db/operations/gauges.ts'
import { findSweep, watchTransactions } from '../../db/operations/standstill.ts'
import { findWorkers } from '../../db/operations/workers.ts'
import { counted, registers, registry } from '../../process/telemetry/metrics.ts'
import { errorCodes } from '../../rules/problem.ts'
import { inTime } from '../http/in-time.ts'

const calls = new Histogram({
  name: 'postroom_http_request_seconds',
  help: 'Duration of calls in seconds, by method, route and status; 499 if the caller disconnected.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  registers,
})

// A rate needs a first sample of 0.
for (const code of errorCodes) counted('refusals', { code }, 0)

// Finding a series by its labels costs more than everything else here.
const series = new Map<string, ReturnType<typeof calls.labels>>()

export function observe(method: string, route: string, status: number, seconds: number) {
  const name = `${method} ${status} ${route}`
  const known = series.get(name) ?? calls.labels({ method, route, status })
  series.set(name, known)
  known.observe(seconds)
}

/** The metrics in the Prometheus text format, after `read` has updated the gauges of the database. */
export async function renderMetrics(
  read: () => Promise<void>,
): Promise<{ type: string; text: string }> {
  await read()
  return { type: registry.contentType, text: await registry.metrics() }
}

// The metrics read from the database at /metrics. Each API process reports the same values, so with several processes
// use max(), not sum(). One that the database does not answer in time is not reported: see postroom_gauges_ok.

type Show = (values: Labelled[]) => void

/** A gauge with a function that sets its values: earlier values are removed, and without values the gauge is absent. */
function gauge(name: string, help: string, labelNames: string[] = []): Show {
  const metric = new Gauge({ name: `postroom_${name}`, help, labelNames, registers })
  return (values) => {
    metric.reset()
    // A gauge without labels would be 0 after a reset.
    if (labelNames.length === 0) metric.remove()
    for (const { labels, value } of values) metric.set(labels, value)
  }
}

const isRead = gauge(
  'gauges_ok',
  '1 if the database answered the queries of all its gauges in time, otherwise 0.',
)

type Reported = { show: Show; find: (db: Db, now: Date) => Promise<Labelled[]> }
const one = (value: number | null): Labelled[] => (value === null ? [] : [{ labels: {}, value }])
const by = (label: string, counts: Record<string, number>): Labelled[] =>
  Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value }))

/** Gauges whose values come from one statement. */
function together<Row>(
  find: (db: Db) => Promise<Row>,
  gauges: [name: string, help: string, of: (row: Row) => number | null][],
): Reported[] {
  let asked: Promise<Row> | undefined
  const row = (db: Db) =>
    (asked ??= find(db).finally(() => {
      asked = undefined
    }))
  return gauges.map(([name, help, of]) => ({
    show: gauge(name, help),
    find: async (db) => one(of(await row(db))),
  }))
}

const oldestTransaction = watchTransactions()

const reported: Reported[] = [
  {
    show: gauge(
      'transaction_oldest_seconds',
      'Seconds for which the oldest transaction that writes has been open, at least; events that are newer are shown to nobody.',
    ),
    find: async (db) => one(await oldestTransaction(db)),
  },
  {
    show: gauge(
      'sweep_finished_seconds',
      'Seconds since the sweep, which finds what has lost its workflow, ended last; absent before its first end.',
    ),
    find: async (db) => one(await findSweep(db)),
  },
  ...together(findBacklog, [
    [
      'outbox_oldest_seconds',
      'Seconds for which the oldest command to Temporal has been waiting.',
      ({ oldestSeconds }) => oldestSeconds,
    ],
    ['outbox_dead', 'Commands that Temporal refused for good.', ({ dead }) => dead],
    [
      'operations_orphaned',
      'Open operations whose workflow is closed or missing, until an operator restarts them.',
      ({ orphaned }) => orphaned,
    ],
    [
      'letters_unconfirmed',
      'Letters, messages and invitations that may or may not have arrived.',
      ({ unconfirmed }) => unconfirmed,
    ],
  ]),
  ...together(findWorkers, [
    ['workers', 'Workers seen in the last 20 seconds.', ({ alive }) => alive],
    [
      'worker_last_seen_seconds',
      'Seconds since a worker was last seen; absent if none was seen for a day.',
      ({ seenSeconds }) => seenSeconds,
    ],
  ]),
  ...together(countWebhooks, [
    ['deliveries_queued', 'Events queued for webhooks.', ({ queued }) => queued],
    [
      'webhooks_failing',
      'Enabled webhooks whose address accepts nothing.',
      ({ failing }) => failing,
    ],
  ]),
  {
    show: gauge(
      'accounts',
      'Accounts by kind and by the code of their problem (none: no known problem).',
      ['kind', 'problem'],
    ),
    find: countAccounts,
  },
  {
    show: gauge(
      'mailbox_oldest_reading_seconds',
      'Seconds since the mailbox that has waited longest was read completely.',
    ),
    find: async (db) => one(await findOldestReading(db)),
  },
  {
    show: gauge(
      'overdue_oldest_seconds',
      'Seconds by which the oldest message, invitation or started campaign letter is overdue (business time).',
      ['kind'],
    ),
    find: findOverdue,
  },
  {
    show: gauge(
      'unconfirmed_oldest_seconds',
      'Seconds for which the oldest message, invitation or letter has been unconfirmed (business time).',
      ['kind'],
    ),
    find: findOldestUnconfirmed,
  },
  {
    show: gauge('suppressions_last_hour', 'Addresses suppressed in the last hour, by reason.', [
      'reason',
    ]),
    find: async (db, now) => by('reason', await countSuppressions(db, now)),
  },
  {
    show: gauge('process_starts_last_hour', 'Starts of each process in the last hour, by name.', [
      'process',
    ]),
    find: async (db) => by('process', await countStarts(db)),
  },
]

/** Reads the gauges, each by itself; answers within two seconds even if the database does not. One that is late is absent. */
export function gaugesOf(db: Db, clock: Clock): () => Promise<void> {
  const reads = reported.map(({ show, find }) => {
    const absent = () => {
      show([])
      return false
    }
    const look = async () => {
      const values = await find(db, clock.now())
      return () => {
        show(values)
        return true
      }
    }
    const found = inTime(() => look().catch(() => absent), absent)
    return async () => (await found())()
  })
  return async () => {
    const answered = await Promise.all(reads.map((read) => read()))
    isRead(one(answered.every(Boolean) ? 1 : 0))
  }
}
