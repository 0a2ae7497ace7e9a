import type { Context } from 'koa'
import { findLastMigration, newestMigration } from '../../db/migrate.ts'
import { isOutboxBehind } from '../../db/operations/outbox.ts'
import { awayAfterSeconds, findWorkers } from '../../db/operations/workers.ts'
import { ApiError } from '../http/errors.ts'
import { inTime } from '../http/in-time.ts'
import { docsPolicy, docsScripts, renderDocs } from '../reference/docs/page.ts'
import { describeApi, type OpenApi } from '../reference/openapi.ts'
import { adminRoutes } from '../routes/admin/index.ts'
import { routes } from '../routes/index.ts'
import type { Service } from '../serve.ts'
import { receiveFromBridge } from './bridge.ts'
import { connectPage } from './connect.ts'
import { gaugesOf, renderMetrics } from './metrics.ts'
import { unsubscribePage } from './unsubscribe.ts'

type Page = (ctx: Context) => void | Promise<void>
export type Pages = { unsubscribe: Page; bridge: Page; connect: Page } & Record<string, Page>

/** Set for requests that belong to no client's call: monitoring sends these many times a minute. */
export const watched = new Set(['/livez', '/readyz', '/metrics'])

/**
 * The pages that need no token: health, metrics, the reference, the unsubscribe page of letters, and the signed
 * requests of bridges.
 */
export function pages(service: Service): Pages {
  // Created when first requested: most processes never need it.
  const described: { api?: OpenApi; admin?: OpenApi; docs?: string } = {}
  const isFull = service.deployment.variant === 'full'
  const api = () => (described.api ??= describeApi(routes, service.deployment))
  const admin = () => (described.admin ??= describeApi(adminRoutes, service.deployment))
  const docs = () => (described.docs ??= renderDocs(api(), isFull ? admin() : undefined))
  const gauges = gaugesOf(service.reads ?? service.db, service.clock)
  const ready = inTime(() => readiness(service), away)
  return {
    'GET /': (ctx) => {
      // A person in a browser is looking for the reference; a program gets the refusal that there is nothing here.
      if (!ctx.get('Accept').includes('text/html'))
        throw new ApiError('no_such_route', 'There is no GET /.')
      ctx.set({ Vary: 'Accept', 'Cache-Control': 'no-store' })
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
      const { type, text } = await renderMetrics(gauges)
      ctx.type = type
      ctx.body = text
    },
    'GET /openapi.json': (ctx) => {
      ctx.body = api()
    },
    ...(isFull && {
      'GET /admin/openapi.json': (ctx: Context) => {
        ctx.body = admin()
      },
    }),
    'GET /docs': (ctx) => {
      ctx.type = 'text/html; charset=utf-8'
      ctx.set({ 'Content-Security-Policy': docsPolicy, 'Referrer-Policy': 'no-referrer' })
      ctx.body = docs()
    },
    ...Object.fromEntries(Object.entries(docsScripts).map(scriptPage)),
    unsubscribe: (ctx) => unsubscribePage(ctx, service),
    bridge: (ctx) => receiveFromBridge(ctx, service),
    connect: (ctx) => connectPage(ctx, service),
  }
}

const scriptPage = ([path, text]: [string, string]): [string, Page] => [
  `GET ${path}`,
  (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8'
    ctx.body = text
  },
]

type Readiness = {
  status: 'ok' | 'unavailable'
  postgres: 'ok' | 'unavailable'
  schema?: 'ok' | 'behind'
  temporal?: 'ok' | 'behind' | 'unknown'
  worker?: 'ok' | 'away'
}
const away: Readiness = { status: 'unavailable', postgres: 'unavailable' }

/**
 * Requires Postgres, and a schema at least as new as this release: the next release migrates it while this one
 * serves. Temporal and the workers are only reported, since calls are accepted without them. Waiting commands say
 * nothing about Temporal while there is no worker to send them.
 */
async function readiness({ db: changes, reads: db = changes }: Service): Promise<Readiness> {
  try {
    const schema = (await findLastMigration(db)) >= newestMigration ? 'ok' : 'behind'
    const isStuck = await isOutboxBehind(db)
    const status = schema === 'ok' ? 'ok' : 'unavailable'
    const { seenSeconds } = schema === 'ok' ? await findWorkers(db) : { seenSeconds: null }
    const worker = seenSeconds !== null && seenSeconds < awayAfterSeconds ? 'ok' : 'away'
    const temporal = !isStuck ? 'ok' : worker === 'ok' ? 'behind' : 'unknown'
    return { status, postgres: 'ok', schema, temporal, worker }
  } catch {
    return away
  }
}
