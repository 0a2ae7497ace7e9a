import type { Context } from 'koa'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { operationId } from '../db/operations.ts'
import type { Log } from '../log.ts'
import type { Answers } from './answers.ts'
import {
  fingerprintOf,
  malformed,
  parseWith,
  readBody,
  requireJson,
  tooLarge,
  tryJson,
  usualBodyLimit,
} from './body.ts'
import { ApiError } from './errors.ts'
import { answerFile, answersBytes } from './file-answer.ts'
import { type Answer, type Call, once, readKey, replay } from './once.ts'
import { countCall, type Rates } from './rate.ts'
import type { Deployment, ReadContext, Route, Scope } from './route.ts'
import { NoQuery, sealCursor, unsealCursor } from './shapes.ts'
import { allow, authenticate } from './who.ts'

export type Service = {
  db: Db
  clock: Clock
  answers: Answers
  rates: Rates
  log: Log
  deployment: Deployment
  /** SECRET_KEY: what webhooks' and bridges' secrets are sealed with. */
  secretKey: string | undefined
}

/** One call to one route, in this order: who, may they, key and replay, rate, parse, carry out, answer. */
export async function serve(
  ctx: Context,
  route: Route,
  params: Record<string, string>,
  service: Service,
) {
  const token = await authenticate(service.db, ctx.get('authorization') || undefined)
  ctx.state['log'] = { ...ctx.state['log'], workspace: token.workspace, client: token.clientId }
  const limit = ('bodyLimit' in route && route.bodyLimit) || usualBodyLimit
  const bytes = route.method === 'GET' ? Buffer.alloc(0) : await readBody(ctx.req, limit)
  const json = bytes && tryJson(bytes)
  const scopes: Scope[] = route.scopesFor?.(json) ?? route.scopes
  allow(token.scopes, scopes)

  const context: ReadContext = {
    db: service.db,
    workspace: {
      id: token.workspace,
      name: token.name,
      timezone: token.timezone,
      tagging: token.tagging,
    },
    member: { id: token.member },
    client: { id: token.clientId, name: token.clientName },
    scopes: token.scopes as Scope[],
    clock: service.clock,
    deployment: service.deployment,
    secretKey: service.secretKey,
  }
  const query = new URLSearchParams(ctx.querystring)

  if (route.method === 'GET') {
    ctx.set(countCall(token.id, route, scopes, service.rates))
    const list = [route.path, ...Object.values(params)].join('\n')
    const asked = queryOf(route, query)
    if (asked.cursor) asked.cursor = unsealCursor(list, asked.cursor)
    const body = await route.handler(
      { params: idsOf(route, params), query: asked, body: {} },
      context,
    )
    if (answersBytes(route)) return answerFile(ctx, body)
    if (body.next) body.next = sealCursor(list, body.next)
    if (body.cursor) body.cursor = sealCursor(list, body.cursor)
    return answer(ctx, route, body)
  }

  requireJson(ctx.get('content-type') || undefined, bytes)
  const optional = route.keyOptional?.(json) ?? false
  const key = readKey(ctx.headers['idempotency-key'] as string | undefined, optional)
  if (json === undefined) {
    ctx.set(countCall(token.id, route, scopes, service.rates))
    throw bytes ? malformed() : tooLarge(tooLargeCode(route), limit)
  }
  ctx.state['log'] = { ...ctx.state['log'], operation: operationId(token.workspace, key) }
  const call: Call = {
    route,
    key,
    fingerprint: fingerprintOf(route.method, concretePath(ctx.path), query, json),
    instance: ctx.path,
    requestId: ctx.state['requestId'],
    secretKey: service.secretKey,
  }
  const earlier = await replay(service.db, service.answers, token.workspace, call)
  if (earlier) return send(ctx, earlier)

  ctx.set(countCall(token.id, route, scopes, service.rates))
  const input = {
    params: idsOf(route, params),
    query: queryOf(route, query),
    body: route.body ? parseWith(route.body, json, 'body') : requireEmpty(json),
  }
  route.check?.(input, context.deployment)
  const run = async (changing: Parameters<typeof route.handler>[1]) => {
    const result = await route.handler(input, changing)
    return typeof result === 'symbol' ? result : checked(route, result)
  }
  send(ctx, await once(context, service.answers, call, run))
}

const concretePath = (path: string) => path.replace(/(.)\/+$/, '$1')

// What makes a body with a file too large is the file.
const tooLargeCode = (route: Route) =>
  route.errors?.includes('file_too_large') ? 'file_too_large' : 'body_too_large'

function idsOf(route: Route, params: Record<string, string>) {
  const parsed = route.params ? route.params.safeParse(params) : { success: true, data: {} }
  // An id that cannot be one is an id that is not there.
  if (!parsed.success || Object.values(params).some((value) => value.includes('\0')))
    throw new ApiError('not_found', 'There is no such thing.')
  return parsed.data
}

function queryOf(route: Route, query: URLSearchParams) {
  const repeated = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1)
  if (repeated.length > 0)
    throw new ApiError('invalid_query', `${repeated[0]}: is given more than once`, {
      errors: repeated.map((parameter) => ({
        parameter,
        code: 'repeated',
        message: 'is given more than once',
      })),
    })
  return parseWith(route.query ?? NoQuery, Object.fromEntries(query), 'query')
}

const requireEmpty = (json: unknown) => parseWith(NoQuery, json, 'body')

// A handler whose answer is not what its route promises is our mistake: nothing of it is committed or sent.
function checked(route: Route, body: unknown) {
  const parsed = route.response.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Error(`${route.method} ${route.path} answers another shape: ${parsed.error.message}`)
}

function answer(ctx: Context, route: Route, body: unknown) {
  send(ctx, { status: 200, body: JSON.stringify(checked(route, body)) })
}

function send(ctx: Context, { status, body, replayed }: Answer) {
  ctx.status = status
  if (replayed) ctx.set('Idempotent-Replayed', 'true')
  ctx.type = status < 400 ? 'application/json' : 'application/problem+json'
  ctx.body = body
}
