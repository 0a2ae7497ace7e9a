import { randomUUID } from 'node:crypto'
import Koa from 'koa'
import { AsideTrouble } from '../aside/pool.ts'
import { isConflict, isUnavailable } from '../db/database.ts'
import { SealError } from '../db/secrets.ts'
import { counted } from '../metrics.ts'
import { ApiError, problemOf } from './errors.ts'
import { letGo } from './intake.ts'
import { observe } from './metrics.ts'
import { type Pages, pages } from './pages.ts'
import { createRouter } from './router.ts'
import { routes } from './routes/index.ts'
import { type Service, serve } from './serve.ts'

// The pipeline in reading order: a request id and a log line, refusals rendered once, the pages that need no token, the table.

export function createApp(service: Service) {
  const route = createRouter(routes, service.deployment.variant)
  const open: Pages = pages(service)
  const app = new Koa()
  // An answer that breaks off half way: the caller went, or what it is made of did.
  app.on('error', (error, ctx?: Koa.Context) => {
    service.log.warn({ requestId: ctx?.state['requestId'], err: error }, 'broken off')
  })

  app.use(async (ctx, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    ctx.state['requestId'] = requestId
    ctx.set('X-Request-Id', requestId)
    // A request target that is no URL, such as http://[, is no address of ours; Koa would throw at it.
    if (!URL.canParse(ctx.url, 'http://host')) ctx.url = '/'
    await next()
    if (/^application\/(?:problem\+)?json/.test(ctx.type)) protect(ctx)
    const ms = Math.round(performance.now() - started)
    const { pattern = 'none', ...log } = ctx.state['log'] ?? {}
    observe(ctx.method, pattern, ctx.status, ms / 1000)
    if (log.code) counted('refusals', { code: log.code })
    const line = { requestId, method: ctx.method, route: pattern, status: ctx.status, ms, ...log }
    if (ctx.status >= 500) service.log.error(line, 'failed')
    else service.log.info(line, 'answered')
    await letGo(ctx.req, ctx.res)
  })

  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const refusal = error instanceof ApiError ? error : mapped(error)
      const requestId: string = ctx.state['requestId']
      if (refusal.status >= 500)
        service.log.error({ requestId, code: refusal.code, err: error }, refusal.code)
      ctx.set(refusal.headers)
      ctx.status = refusal.status
      ctx.type = 'application/problem+json'
      ctx.body = JSON.stringify(problemOf(refusal, ctx.path, requestId))
      ctx.state['log'] = { ...ctx.state['log'], code: refusal.code }
    }
  })

  app.use(async (ctx) => {
    const page = open[`${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${ctx.path}`]
    if (page) return page(ctx)
    if (ctx.path.startsWith('/u/')) return open.unsubscribe(ctx)
    if (ctx.path.startsWith('/bridge/')) return open.bridge(ctx)
    const match = route(ctx.method, ctx.path)
    ctx.state['log'] = { pattern: match.route.path || '/' }
    await serve(ctx, match.route, match.params, service)
  })

  return app
}

/** What JSON says is for its caller: no cache keeps it, and no browser takes it for something else. */
function protect(ctx: Koa.Context) {
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
}

function mapped(error: unknown): ApiError {
  if (isUnavailable(error) || isConflict(error) || error instanceof AsideTrouble)
    return new ApiError('unavailable', 'Not available at the moment: repeat with the same key.', {
      headers: { 'Retry-After': '2' },
    })
  // The log says which key is meant; a process that has it can do what was asked.
  if (error instanceof SealError)
    return new ApiError('unavailable', 'A secret of this cannot be opened: the operator is told.')
  return new ApiError('internal', 'Something went wrong here; it is logged under the request id.')
}
