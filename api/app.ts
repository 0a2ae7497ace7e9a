import { randomUUID } from 'node:crypto'
import Koa from 'koa'
import { isConflict, isUnavailable } from '../db/database.ts'
import { SealError } from '../db/secrets.ts'
import { AsideTrouble } from '../process/children/pool.ts'
import { counted } from '../process/telemetry/metrics.ts'
import { compress } from './http/compressed.ts'
import { cors } from './http/cors.ts'
import { ApiError, internal, problemOf, unavailable } from './http/errors.ts'
import { letGo } from './http/let-go.ts'
import { adminPrefix } from './http/prefix.ts'
import { openInside } from './mcp/inside.ts'
import { insideRoutes } from './mcp/prepared.ts'
import { openMcp } from './mcp/server.ts'
import { observe } from './public/metrics.ts'
import { countPage, type Page, type Pages, pages, uncounted, watched } from './public/pages.ts'
import type { Route } from './route.ts'
import { createRouter, noSuchRoute } from './router.ts'
import { adminRoutes } from './routes/admin/index.ts'
import { routes } from './routes/index.ts'
import { type Service, serve } from './serve.ts'

// The pipeline in reading order: a request id and a log line, what browsers may ask, refusals rendered in one place, the pages that
// need no token, the table of routes, and the answer to unknown addresses.

export const createApp = (service: Service): Koa => {
  const isFull = service.deployment.variant === 'full'
  // Tools call an app of their own in this process, which has the calls that only they make beside those of everybody.
  const inside = openInside(appWith(service, [[...routes, ...insideRoutes]]), service.log)
  const mcp = isFull ? openMcp(service, inside) : undefined
  return appWith(service, [routes, adminRoutes], { ...pages(service), ...(mcp && { mcp }) })
}

function appWith(service: Service, tables: Route[][], open?: Pages & { mcp?: Page }) {
  const app = new Koa()
  // An answer that breaks off: the caller disconnected, or its source failed.
  app.on('error', (error, ctx?: Koa.Context) => {
    const requestId = ctx?.state['requestId']
    if (isCallers(error, ctx)) service.log.debug({ requestId }, 'the caller disconnected')
    else service.log.warn({ requestId, err: error }, 'answer broken off')
  })

  app.use(async (ctx, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    ctx.state['requestId'] = requestId
    ctx.set('X-Request-Id', requestId)
    // A request target that is not a URL, such as http://[, cannot be an address of ours; Koa would throw.
    if (!URL.canParse(ctx.url, 'http://host')) ctx.url = '/'
    await next()
    if (ctx.state['compresses']) await compress(ctx)
    if (/^application\/(?:problem\+)?json/.test(ctx.type)) protect(ctx)
    recordCall(ctx, service, Math.round(performance.now() - started), requestId)
    await letGo(ctx.req, ctx.res, service.patience)
  })

  app.use(cors(service.deployment.corsOrigins ?? []))

  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const refusal = error instanceof ApiError ? error : mapped(error, ctx.method)
      const requestId: string = ctx.state['requestId']
      ctx.set(refusal.headers)
      ctx.status = refusal.status
      ctx.type = 'application/problem+json'
      ctx.body = JSON.stringify(problemOf(refusal, ctx.path, requestId))
      const isOurs = !(error instanceof ApiError)
      ctx.state['log'] = {
        ...ctx.state['log'],
        code: refusal.code,
        ...(isOurs && { err: error }),
      }
    }
  })

  app.use(async (ctx, next) => {
    const page = open && pageOf(ctx, open, service)
    if (!page) return next()
    ctx.state['log'] = { pattern: page.pattern }
    if (page.isCounted) countPage(ctx)
    await page.answer(ctx)
  })

  for (const table of tables)
    app.use(
      createRouter(table, service.deployment.variant, async (ctx, route, params, beside) => {
        ctx.state['log'] = { pattern: patternOf(route) }
        await serve(ctx, route, params, service, beside)
      }),
    )

  app.use((ctx) => {
    throw noSuchRoute(ctx)
  })

  return app
}

/** A route in logs and metrics. */
const patternOf = ({ path, door }: Route) =>
  door === 'admin' ? `${adminPrefix}${path}` : path || '/'

/** A page that needs no token, with the pattern of its path. What a link or a signature leads to is not counted. */
function pageOf(
  { method, path }: Koa.Context,
  open: Pages & { mcp?: Page },
  { deployment }: Service,
): { pattern: string; answer: Page; isCounted?: boolean } | undefined {
  const page = open[`${method === 'HEAD' ? 'GET' : method} ${path}`]
  if (page) return { pattern: path, answer: page, isCounted: !uncounted.has(path) }
  if (path === '/mcp' && open.mcp) return { pattern: path, answer: open.mcp }
  if (path.startsWith('/confirm/') && deployment.variant === 'full')
    return { pattern: '/confirm/{ticket}', answer: open.confirm }
  if (path.startsWith('/u/')) return { pattern: '/u/{token}', answer: open.unsubscribe }
  if (path.startsWith('/bridge/')) return { pattern: '/bridge/{connection}', answer: open.bridge }
  if (path.startsWith('/connect/') && deployment.variant === 'full') {
    const isBack = /^\/connect\/callback\/?$/.test(path)
    return { pattern: isBack ? '/connect/callback' : '/connect/{ticket}', answer: open.connect }
  }
  return undefined
}

// nginx's status for a caller that disconnected before it was answered; no answer carries it.
const goneStatus = 499

/** Measures a call, and logs it in one line. */
function recordCall(ctx: Koa.Context, service: Service, ms: number, requestId: string) {
  const { pattern = 'none', err, isLogged, ...facts } = ctx.state['log'] ?? {}
  const isGone =
    isCallers(err, ctx) || ((ctx.res.closed || ctx.req.socket.destroyed) && ctx.status < 500)
  const status = isGone ? goneStatus : ctx.status
  observe(ctx.method, pattern, status, ms / 1000)
  if (isGone) delete facts.code
  else if (facts.code) counted('refusals', { code: facts.code })
  const line = {
    requestId,
    method: ctx.method,
    route: pattern,
    status,
    ms,
    ...(pattern === 'none' && { path: safePath(ctx.path) }),
    ...facts,
    ...(err && !isGone && { err }),
  }
  if (isGone) service.log.info(line, 'the caller disconnected')
  else if (err) service.log.error(line, 'failed')
  // An intended refusal is not an error of ours: it is documented, and means that there is too much work or that the work still
  // runs.
  else if (status >= 500 && !isLogged && facts.code !== 'still_running')
    service.log.warn(line, watched.has(pattern) ? 'not ready' : 'refused')
  else service.log[watched.has(pattern) ? 'debug' : 'info'](line, 'answered')
}

/** Whether an error comes from a connection that its caller has closed. */
const isCallers = (error: unknown, ctx?: Koa.Context) =>
  error instanceof Error &&
  ctx !== undefined &&
  (error === ctx.req.errored ||
    (ctx.res.destroyed &&
      /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(
        String((error as NodeJS.ErrnoException).code),
      )))

/** The path of an unknown address, without anything that could be a person's name or address. */
const safePath = (path: string) =>
  path
    .slice(0, 200)
    .split('/')
    .map((part) => (/^[\w.~-]{0,40}$/.test(part) ? part : '…'))
    .join('/')

/** JSON is for its caller only: no cache stores it, and no browser takes it for another type. */
function protect(ctx: Koa.Context) {
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
}

function mapped(error: unknown, method: string): ApiError {
  if (isUnavailable(error) || isConflict(error) || error instanceof AsideTrouble) {
    return unavailable(method === 'GET' || method === 'HEAD' ? 'repeat it' : undefined)
  }
  // The log names the key that is missing; a process that has it could have carried out the call.
  if (error instanceof SealError)
    return new ApiError(
      'unavailable',
      'A secret that this needs cannot be opened; the log tells the operator.',
    )
  return internal()
}
