import { randomUUID } from 'node:crypto'
import Koa from 'koa'
import { AsideTrouble } from '../aside/pool.ts'
import { isConflict, isUnavailable } from '../db/database.ts'
import { SealError } from '../db/secrets.ts'
import { counted } from '../telemetry/metrics.ts'
import { ApiError, problemOf } from './http/errors.ts'
import { letGo } from './http/intake.ts'
import { observe } from './public/metrics.ts'
import { type Pages, pages, watched } from './public/pages.ts'
import { createRouter, noSuchRoute } from './router.ts'
import { routes } from './routes/index.ts'
import { type Service, serve } from './serve.ts'

// The pipeline in reading order: a request id and a log line, refusals rendered once, the pages that need no token,
// the table, and what is in neither.

export function createApp(service: Service) {
  const open: Pages = pages(service)
  const app = new Koa()
  // An answer that breaks off half way: the caller went, or what it is made of did.
  app.on('error', (error, ctx?: Koa.Context) => {
    const requestId = ctx?.state['requestId']
    if (isCallers(error, ctx)) service.log.debug({ requestId }, 'the caller went away')
    else service.log.warn({ requestId, err: error }, 'broken off')
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
    recordCall(ctx, service, Math.round(performance.now() - started), requestId)
    await letGo(ctx.req, ctx.res)
  })

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
    const page = pageOf(ctx, open)
    if (!page) return next()
    ctx.state['log'] = { pattern: page.pattern }
    await page.answer(ctx)
  })

  app.use(
    createRouter(routes, service.deployment.variant, async (ctx, route, params) => {
      ctx.state['log'] = { pattern: route.path || '/' }
      await serve(ctx, route, params, service)
    }),
  )

  app.use((ctx) => {
    throw noSuchRoute(ctx)
  })

  return app
}

/** The page of a call that needs no token, with the pattern of its path. */
function pageOf({ method, path }: Koa.Context, open: Pages) {
  const page = open[`${method === 'HEAD' ? 'GET' : method} ${path}`]
  if (page) return { pattern: path, answer: page }
  if (path.startsWith('/u/')) return { pattern: '/u/{token}', answer: open.unsubscribe }
  if (path.startsWith('/bridge/')) return { pattern: '/bridge/{connection}', answer: open.bridge }
  return undefined
}

// As nginx counts a caller that went away before it was answered; no answer says it.
const goneStatus = 499

/** Measures a call, and logs it in one line. */
function recordCall(ctx: Koa.Context, service: Service, ms: number, requestId: string) {
  const { pattern = 'none', err, ...facts } = ctx.state['log'] ?? {}
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
  if (isGone) service.log.info(line, 'the caller went away')
  else if (err) service.log.error(line, 'failed')
  // What is refused on purpose is documented and told to its caller: that there is too much of it, or that it still runs.
  else if (status >= 500 && facts.code !== 'still_running')
    service.log.warn(line, watched.has(pattern) ? 'not ready' : 'refused')
  else service.log[watched.has(pattern) ? 'debug' : 'info'](line, 'answered')
}

/** Whether an error is that of a connection its caller has closed. */
const isCallers = (error: unknown, ctx?: Koa.Context) =>
  error instanceof Error &&
  ctx !== undefined &&
  (error === ctx.req.errored ||
    (ctx.res.destroyed &&
      /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(
        String((error as NodeJS.ErrnoException).code),
      )))

/** The path of what is no address of ours, without what could be a name or an address of somebody. */
const safePath = (path: string) =>
  path
    .slice(0, 200)
    .split('/')
    .map((part) => (/^[\w.~-]{0,40}$/.test(part) ? part : '…'))
    .join('/')

/** What JSON says is for its caller: no cache keeps it, and no browser takes it for something else. */
function protect(ctx: Koa.Context) {
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
}

function mapped(error: unknown, method: string): ApiError {
  if (isUnavailable(error) || isConflict(error) || error instanceof AsideTrouble) {
    const how = method === 'GET' || method === 'HEAD' ? 'repeat it' : 'repeat with the same key'
    return new ApiError('unavailable', `Not available at the moment: ${how}.`, {
      headers: { 'Retry-After': '2' },
    })
  }
  // The log says which key is meant; a process that has it can do what was asked.
  if (error instanceof SealError)
    return new ApiError('unavailable', 'A secret of this cannot be opened: the operator is told.')
  return new ApiError('internal', 'Something went wrong here; it is logged under the request id.')
}
