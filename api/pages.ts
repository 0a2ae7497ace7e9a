import type { Context } from 'koa'
import { sql } from 'kysely'
import { newestMigration } from '../db/migrate.ts'
import { receiveFromBridge } from './bridge.ts'
import { docsPolicy, docsScript, renderDocs } from './docs.ts'
import { renderMetrics } from './metrics.ts'
import { describeApi, type OpenApi } from './openapi.ts'
import { routes } from './routes/index.ts'
import type { Service } from './serve.ts'
import { unsubscribePage } from './unsubscribe.ts'

export type Page = (ctx: Context) => void | Promise<void>
export type Pages = { unsubscribe: Page; bridge: Page } & Record<string, Page>

/** What needs no token: health, metrics, the reference, the unsubscribe page of letters, and what bridges sign and send. */
export function pages(service: Service): Pages {
  // Made when first asked for: most processes never are.
  const described: { api?: OpenApi; docs?: string } = {}
  const api = () => (described.api ??= describeApi(routes, service.deployment))
  const docs = () => (described.docs ??= renderDocs(api()))
  return {
    'GET /livez': (ctx) => {
      ctx.body = { status: 'ok' }
    },
    'GET /readyz': async (ctx) => {
      const ready = await readiness(service)
      ctx.status = ready.status === 'ok' ? 200 : 503
      ctx.body = ready
    },
    'GET /metrics': async (ctx) => {
      const { type, text } = await renderMetrics(service.reads ?? service.db, service.clock)
      ctx.type = type
      ctx.body = text
    },
    'GET /openapi.json': (ctx) => {
      ctx.body = api()
    },
    'GET /docs': (ctx) => {
      ctx.type = 'text/html; charset=utf-8'
      ctx.set({ 'Content-Security-Policy': docsPolicy, 'Referrer-Policy': 'no-referrer' })
      ctx.body = docs()
    },
    'GET /docs.js': (ctx) => {
      ctx.type = 'text/javascript; charset=utf-8'
      ctx.body = docsScript
    },
    unsubscribe: (ctx) => unsubscribePage(ctx, service),
    bridge: (ctx) => receiveFromBridge(ctx, service),
  }
}

/**
 * Postgres and a schema that is at least this release's are required: the next release migrates while this one serves. Temporal
 * is reported, since calls are accepted without it.
 */
async function readiness({ db: changes, reads: db = changes }: Service) {
  try {
    const { rows } = await sql<{
      name: string
    }>`select name from kysely_migration order by name desc limit 1`.execute(db)
    const schema = (rows[0]?.name ?? '') >= newestMigration ? 'ok' : 'behind'
    const stuck = await sql<{ n: number }>`
      select count(*)::int as n from outbox
      where dispatched_at is null and dead_at is null and created_at < clock_timestamp() - interval '5 seconds'`.execute(
      db,
    )
    const temporal = (stuck.rows[0]?.n ?? 0) === 0 ? 'ok' : 'behind'
    return { status: schema === 'ok' ? 'ok' : 'unavailable', postgres: 'ok', schema, temporal }
  } catch {
    return { status: 'unavailable', postgres: 'unavailable' }
  }
}
