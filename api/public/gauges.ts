import { Gauge } from 'prom-client'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { countStarts, countSuppressions, findBacklog } from '../../db/operations/alarms.ts'
import {
  countAccounts,
  countWebhooks,
  findOldestReading,
  findOldestUnconfirmed,
  findOverdue,
  type Labelled,
} from '../../db/operations/gauges.ts'
import { findWorkers } from '../../db/operations/workers.ts'
import { registers } from '../../telemetry/metrics.ts'
import { inTime } from '../http/in-time.ts'

// What is told of the database at /metrics. Each API process tells the same, so of several the max() is right and the sum() is
// not. While the database does not answer nothing of it is told: postroom_gauges_ok says so.

type Show = (values: Labelled[]) => void

/** A gauge, as what shows its values: those of before are gone, and where there are none so is it. */
function gauge(name: string, help: string, labelNames: string[] = []): Show {
  const metric = new Gauge({ name: `postroom_${name}`, help, labelNames, registers })
  return (values) => {
    metric.reset()
    // One without labels is 0 after a reset.
    if (labelNames.length === 0) metric.remove()
    for (const { labels, value } of values) metric.set(labels, value)
  }
}

const isRead = gauge(
  'gauges_ok',
  '1 when the database answered what the gauges of it tell, else 0.',
)

type Told = { show: Show; find: (db: Db, now: Date) => Promise<Labelled[]> }
const one = (value: number | null): Labelled[] => (value === null ? [] : [{ labels: {}, value }])
const by = (label: string, counts: Record<string, number>): Labelled[] =>
  Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value }))

/** Gauges that one statement tells of together. */
function together<Row>(
  find: (db: Db) => Promise<Row>,
  gauges: [name: string, help: string, of: (row: Row) => number | null][],
): Told[] {
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

const told: Told[] = [
  ...together(findBacklog, [
    [
      'outbox_oldest_seconds',
      'Seconds that the oldest command to Temporal that has not been carried out has waited.',
      ({ oldestSeconds }) => oldestSeconds,
    ],
    ['outbox_dead', 'Commands that Temporal has refused for good.', ({ dead }) => dead],
    [
      'operations_orphaned',
      'Open operations whose workflow is closed or missing: an operator starts them again.',
      ({ orphaned }) => orphaned,
    ],
    [
      'letters_unconfirmed',
      'Letters, messages and invitations of which nobody knows whether they arrived.',
      ({ unconfirmed }) => unconfirmed,
    ],
  ]),
  ...together(findWorkers, [
    ['workers', 'Workers that have been seen in the last 20 seconds.', ({ alive }) => alive],
    [
      'worker_last_seen_seconds',
      'Seconds since any worker was seen; absent where none was in a day.',
      ({ seenSeconds }) => seenSeconds,
    ],
  ]),
  ...together(countWebhooks, [
    ['deliveries_queued', 'Events that are queued for webhooks.', ({ queued }) => queued],
    [
      'webhooks_failing',
      'Webhooks that are switched on and whose address takes nothing.',
      ({ failing }) => failing,
    ],
  ]),
  {
    show: gauge(
      'accounts',
      'Accounts by kind and by the code of what is wrong with them (none: nothing is known to be).',
      ['kind', 'problem'],
    ),
    find: countAccounts,
  },
  {
    show: gauge(
      'mailbox_oldest_reading_seconds',
      'Seconds since the mailbox that has waited longest was read to its end.',
    ),
    find: async (db) => one(await findOldestReading(db)),
  },
  {
    show: gauge(
      'overdue_oldest_seconds',
      'Seconds by which the oldest message, invitation or begun campaign letter is overdue (business time).',
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
    show: gauge(
      'suppressions_last_hour',
      'Addresses that were suppressed in the last hour, by reason.',
      ['reason'],
    ),
    find: async (db, now) => by('reason', await countSuppressions(db, now)),
  },
  {
    show: gauge(
      'process_starts_last_hour',
      'How often a process was started in the last hour, by its name.',
      ['process'],
    ),
    find: async (db) => by('process', await countStarts(db)),
  },
]

/** Reads the gauges; answers within two seconds, whether the database does or not. */
export function gaugesOf(db: Db, clock: Clock): () => Promise<void> {
  const look = async () => {
    const now = clock.now()
    const found = await Promise.all(told.map(({ find }) => find(db, now)))
    return () => {
      for (const [i, values] of found.entries()) told[i]?.show(values)
      isRead(one(1))
    }
  }
  const nothing = () => {
    for (const { show } of told) show([])
    isRead(one(0))
  }
  const found = inTime(() => look().catch(() => nothing), nothing)
  return async () => (await found())()
}
