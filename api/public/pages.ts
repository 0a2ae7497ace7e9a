import type { Context } from 'koa'
import { machineClock, notReadyFromMs } from '../../db/machine-clock.ts'
import { findLastMigration, newestMigration } from '../../db/migrate.ts'
import { isOutboxBehind } from '../../db/operations/outbox.ts'
import { awayAfterSeconds, findWorkers } from '../../db/operations/workers.ts'
import { answerKept, type Kept, kept } from '../http/compressed.ts'
import { inTime } from '../http/in-time.ts'
import { countCall } from '../http/rate.ts'
import { senderOf } from '../http/unproven.ts'
import { docsPolicy, docsScripts } from '../reference/docs/page.ts'
import type { Service } from '../serve.ts'
import { receiveFromBridge } from './bridge.ts'
import { confirmPage } from './confirm.ts'
import { connectPage } from './connect.ts'
import { openDocuments } from './documents.ts'
import { gaugesOf, renderMetrics } from './metrics.ts'
import { unsubscribePage } from './unsubscribe.ts'

export type Page = (ctx: Context) => void | Promise<void>
// Monitoring and readers of the reference ask a few times a minute: this is for whoever asks again and again. Whether the process is
// alive and ready is not counted, since it gets no calls without that answer.
const mostOfAddress = 3_000
export const uncounted = new Set(['/livez', '/readyz'])

/** Counts a request for a page by the address that it comes from. @throws ApiError rate_limited. */
export function countPage(ctx: Context) {
  const rates = { reads: mostOfAddress, changes: 0, sends: 0 }
  countCall(`address ${senderOf(ctx.req)}`, 'reads', rates)
}

export type Pages = { unsubscribe: Page; bridge: Page; connect: Page; confirm: Page } & Record<
  string,
  Page
>

/** Set for requests that belong to no client's call: monitoring sends these many times a minute. */
export const watched = new Set(['/livez', '/readyz', '/metrics'])

/**
 * The pages that need no token: health, metrics, the reference, the unsubscribe page of letters, and the signed
 * requests of bridges.
 */
export function pages(service: Service): Pages {
  const documents = openDocuments(service.deployment)
  const isFull = service.deployment.variant === 'full'
  const gauges = gaugesOf(service.reads ?? service.db, service.clock)
  const metrics = keptFor(metricsMs, metricsAtMost, () => renderMetrics(gauges))
  const ready = inTime(() => readiness(service), away)

  const answer =
    (name: Exclude<keyof typeof documents, 'docs'>, type: string): Page =>
    async (ctx) => {
      const text = await documents[name]()
      ctx.type = `${type}; charset=utf-8`
      ctx.set('Cache-Control', 'no-store')
      answerKept(ctx, text)
    }

  return {
    'GET /': (ctx) => {
      ctx.set('Cache-Control', 'no-store')
      ctx.redirect('/docs')
    },
    'GET /livez': (ctx) => {
      ctx.body = { status: 'ok' }
    },
    'GET /readyz': async (ctx) => {
      const found = await ready()
      ctx.status = found.status === 'ok' ? 200 : 503
      ctx.body = found
      if (found.status !== 'ok') ctx.state['log'] = { ...ctx.state['log'], ready: found }
    },
    'GET /metrics': async (ctx) => {
      const { type, text } = await metrics()
      ctx.type = type
      ctx.body = text
      ctx.state['compresses'] = true
    },
    'GET /openapi.json': answer('api', json),
    'GET /openapi.yaml': answer('yaml', yaml),
    'GET /openapi-3.0.json': answer('api30', json),
    'GET /llms.txt': answer('brief', markdown),
    'GET /llms-full.txt': answer('whole', markdown),
    ...(isFull && {
      'GET /admin/openapi.json': answer('admin', json),
      'GET /admin/openapi.yaml': answer('adminYaml', yaml),
      'GET /admin/openapi-3.0.json': answer('admin30', json),
    }),
    'GET /docs': async (ctx) => {
      const page = await documents.docs()
      ctx.type = 'text/html; charset=utf-8'
      ctx.set({
        'Content-Security-Policy': docsPolicy,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-cache',
      })
      answerKept(ctx, page)
    },
    ...Object.fromEntries(Object.entries(docsScripts).map(scriptPage)),
    unsubscribe: (ctx) => unsubscribePage(ctx, service),
    bridge: (ctx) => receiveFromBridge(ctx, service),
    connect: (ctx) => connectPage(ctx, service),
    confirm: (ctx) => confirmPage(ctx, service),
  }
}

const [json, yaml, markdown] = ['application/json', 'application/yaml', 'text/plain']

function scriptPage([path, text]: [string, string]): [string, Page] {
  let script: Promise<Kept> | undefined
  return [
    `GET ${path}`,
    async (ctx) => {
      script ??= kept(text)
      const made = await script
      ctx.type = 'text/javascript; charset=utf-8'
      ctx.set('Cache-Control', 'no-cache')
      answerKept(ctx, made)
    },
  ]
}

// Monitoring always gets the present values. Whoever asks for more than that gets those of up to a second before.
const metricsMs = 1_000
const metricsAtMost = 5

/** Makes it when it is asked for, but no more often than `most` times in so many milliseconds. */
function keptFor<T>(ms: number, most: number, make: () => Promise<T>): () => Promise<T> {
  let [since, times] = [0, 0]
  let last: Promise<T> | undefined
  return () => {
    const now = performance.now()
    if (now - since > ms) [since, times] = [now, 0]
    if (last && times >= most) return last
    times++
    last = make()
    last.catch(() => {
      last = undefined
    })
    return last
  }
}

type Readiness = {
  status: 'ok' | 'unavailable'
  postgres: 'ok' | 'unavailable'
  schema?: 'ok' | 'behind'
  temporal?: 'ok' | 'behind' | 'unknown'
  worker?: 'ok' | 'away'
  clock?: 'ok' | 'differs'
}
const away: Readiness = { status: 'unavailable', postgres: 'unavailable' }

/**
 * Requires Postgres, and a schema at least as new as this release: the next release migrates it while this one
 * serves; and a clock that is about that of the database. Temporal and the workers are only reported, since calls are accepted without them. Waiting commands say
 * nothing about Temporal while there is no worker to send them.
 */
async function readiness({
  db: changes,
  reads: db = changes,
  machine = machineClock,
}: Service): Promise<Readiness> {
  try {
    const schema = (await findLastMigration(db)) >= newestMigration ? 'ok' : 'behind'
    const isStuck = await isOutboxBehind(db)
    const clock = Math.abs(machine.aheadMs()) < notReadyFromMs ? 'ok' : 'differs'
    const status = schema === 'ok' && clock === 'ok' ? 'ok' : 'unavailable'
    const { seenSeconds } = schema === 'ok' ? await findWorkers(db) : { seenSeconds: null }
    const worker = seenSeconds !== null && seenSeconds < awayAfterSeconds ? 'ok' : 'away'
    const temporal = !isStuck ? 'ok' : worker === 'ok' ? 'behind' : 'unknown'
    return { status, postgres: 'ok', schema, temporal, worker, clock }
  } catch {
    return away
  }
}
