import type { Context } from 'koa'
import type { Db, Trx } from '../db/database.ts'
import { isLockable, lockRow } from '../db/lock-row.ts'
import { operationId } from '../db/operations/operations.ts'
import { lockAddressesOf } from '../db/people/cards.ts'
import { lockDescribed } from '../db/workspace/administration.ts'
import type { EarlierOperation } from '../db/workspace/tokens.ts'
import type { AnyScope } from '../rules/scopes.ts'
import type { Answer, Call, Change, ChangingRoute, Work } from './accept.ts'
import { knownCall, type Service, scopeSetsOf } from './context.ts'
import { parseWith, requireJson } from './http/body.ts'
import { changedMeanwhile, isKnown, tagOf, tagsDemanded } from './http/conditional.ts'
import { ApiError } from './http/errors.ts'
import { answerEvents, answersEvents } from './http/event-stream.ts'
import { answerFile, answerPage, answersBytes, answersPage } from './http/file-answer.ts'
import { announcedBy, isSmall, openIntake, tooLarge } from './http/intake.ts'
import { listOf } from './http/list-of.ts'
import { parsed } from './http/parsing.ts'
import { patience as usualPatience } from './http/patience.ts'
import { usualBodyLimit } from './http/pieces.ts'
import { countCall, kindOf, type Rates } from './http/rate.ts'
import { answerStream, answersStream } from './http/stream-answer.ts'
import { allow, allowAny } from './http/who.ts'
import { fingerprintsOf, keyIn, newKey, once, readKey, replay } from './once.ts'
import { membersOf, queryIn } from './query.ts'
import {
  type CallContext,
  isConditional,
  isSingleRead,
  type ReadRouteOf,
  type Route,
  type Workspace,
} from './route.ts'
import { base64In } from './shapes/file.ts'
import { mergedOr, replaceExternalIds } from './shapes/person-ids.ts'
import { NoQuery, sealCursor, unsealCursor } from './shapes/shapes.ts'

// The steps of a call, as they follow each other: one file, because their order is what it says.

export type { Service } from './context.ts'

/** One call to one route, in this order: token, rate, scopes, then the steps of a read or of a change. */
export async function serve(
  ctx: Context,
  route: Route,
  params: Record<string, string>,
  service: Service,
  beside?: ReadRouteOf,
) {
  ctx.state['compresses'] = isCompressible(route)
  const key = route.method === 'GET' ? undefined : keyIn(keyGiven(ctx))
  const { context, earlier, stillMay } = await knownCall(ctx, route, params, key, service)
  if (route.method === 'GET') return serveRead(ctx, route, params, context, stillMay)

  checkHead(ctx, route, context.scopes)
  const intake = openIntake(context.token, { patience: service.patience })
  try {
    const asked = await readChange(ctx, route, intake, context, service.rates)
    await serveChange(ctx, { route, beside }, params, context, service, { ...asked, earlier })
  } finally {
    intake.close()
  }
}

// Files are mostly compressed already, or in parts; events come one by one.
const isCompressible = (route: Route) =>
  !answersBytes(route) &&
  !answersEvents(route) &&
  !('confidential' in route && route.confidential !== undefined)

/**
 * Refuses whatever the head alone shows to be wrong, before the body is read. If the scopes depend on the body, a short body is
 * read first, so that the refusal names exactly the scopes that are needed.
 */
function checkHead(ctx: Context, route: ChangingRoute, scopes: string[]) {
  if (route.scopesFor === undefined) allow(scopes, route.scopes)
  if (route.scopesFor === undefined || !isSmall(ctx.req)) {
    if (route.scopesFor) allowAny(scopes, scopeSetsOf(route), route.scopesFor(undefined))
    requireJson(ctx.headers, announcedBy(ctx.req) ?? 0)
    readKey(keyGiven(ctx), route.keyOptional !== undefined)
  }
}

const keyGiven = (ctx: Context) => ctx.headers['idempotency-key'] as string | undefined

/** Reads the body and checks what depends on it: the scopes, the rate of sends and the key. */
async function readChange(
  ctx: Context,
  route: ChangingRoute,
  intake: ReturnType<typeof openIntake>,
  { token, scopes: held }: CallContext,
  rates: Rates,
): Promise<Asked> {
  const limit = route.bodyLimit ?? usualBodyLimit
  const bytes = await intake.read(ctx, limit)
  const size = bytes?.length
  const { method } = route
  const base64 = base64In(route.body)
  const request = { method, path: concretePath(ctx.path), query: ctx.querystring, base64 }
  const { json, refusal, fingerprint } = bytes
    ? await parsed(bytes, request)
    : { json: undefined, refusal: tooLarge(tooLargeCode(route), limit), fingerprint: '' }
  if (route.scopesFor) {
    const scopes: AnyScope[] = route.scopesFor(json)
    allow(held, scopes)
    if (kindOf(method, scopeSetsOf(route)) !== 'sends' && scopes.includes('send'))
      ctx.set(countCall(token, 'sends', rates))
  }
  requireJson(ctx.headers, size)
  const key = readKey(keyGiven(ctx), route.keyOptional?.(json) ?? false)
  if (refusal) throw refusal
  return { token, key, json, fingerprint }
}

/** A read: parse, handler, answer. */
async function serveRead(
  ctx: Context,
  route: ReadRouteOf,
  params: Record<string, string>,
  context: CallContext,
  stillMay: () => Promise<void>,
) {
  allow(context.scopes, route.scopes)
  const query = queryIn(ctx, route)
  const list = listOf(route, params, context.workspace.id, query)
  const members = membersOf(route, query)
  await withIds(route, context, { params, query: members })
  const asked = parseWith(route.query ?? NoQuery, members, 'query')
  // A client that comes back asks as at first, and says by this header what it has had meanwhile.
  if (answersEvents(route)) asked.cursor = ctx.get('last-event-id') || asked.cursor
  if (asked.cursor) asked.cursor = unsealCursor(list, asked.cursor)
  const body = await route.handler(
    { params: idsOf(route, params), query: asked, body: {} },
    context,
  )
  if (answersBytes(route)) return answerFile(ctx, body)
  if (answersPage(route)) return answerPage(ctx, body)
  if (answersStream(route)) return answerStream(ctx, body)
  if (answersEvents(route))
    return answerEvents(ctx, body, stillMay, (cursor) => sealCursor(list, cursor))
  if (body.next) body.next = sealCursor(list, body.next)
  if (body.cursor) body.cursor = sealCursor(list, body.cursor)
  // A reader of events may stop behind any of them.
  for (const event of body.events ?? []) event.cursor = sealCursor(list, event.cursor)
  const answer = { status: 200, body: JSON.stringify(checked(route, body)) }
  if (isSingleRead(route)) sendTagged(ctx, answer)
  else send(ctx, answer)
}

/**
 * What a change demands by its If-Match: that reading its resource still gives what its caller has read, who may read it then.
 * Undefined if it demands nothing.
 */
function conditionOf(
  ctx: Context,
  { route, beside }: { route: ChangingRoute; beside: ReadRouteOf | undefined },
  params: Record<string, string>,
  context: CallContext,
) {
  const tags = tagsDemanded(ctx)
  if (tags === undefined || !isConditional(route)) return undefined
  // A change that makes nothing answers that its resource is not there by itself.
  if (tags === 'any' && !('creates' in route)) return undefined
  if (beside === undefined) throw changedMeanwhile(false)
  allow(context.scopes, beside.scopes)
  const { table, id } = rowOf(beside.path, params, context.workspace.id)
  return async (db: Trx) => {
    // Addresses come before their people, as wherever somebody brings them: otherwise this call and an import wait for each other.
    if (table === 'people') await lockAddressesOf(db, context.workspace.id, id)
    // A document shows the rows of many tables, each of which has calls of its own.
    if (beside.path === documentPath) await lockDescribed(db, id)
    else await lockRow(db, table, context.workspace.id, id)
    const asked = { params: idsOf(beside, params), query: {}, body: {} }
    const body = await beside.handler(asked, { ...context, db }).catch((error) => {
      // What a change would make is not what its caller has read (RFC 9110, 13.1.1).
      throw 'creates' in route && isMissing(error) ? changedMeanwhile() : error
    })
    const tag = tagOf(JSON.stringify(checked(beside, body)))
    if (tags !== 'any' && !tags.includes(tag)) throw changedMeanwhile()
  }
}

const documentPath = '/workspaces/{id}'

const isMissing = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

/** The row of a resource: its table is the last name of its path. What has no row of its own is locked with its workspace. */
function rowOf(path: string, params: Record<string, string>, workspace: string) {
  const [table = ''] = path
    .split('/')
    .filter((part) => !part.startsWith('{'))
    .reverse()
  const [id] = Object.values(params).reverse()
  return id !== undefined && isLockable(table)
    ? { table, id }
    : { table: 'workspaces' as const, id: workspace }
}

type Asked = { token: string; key: string | undefined; json: unknown; fingerprint: string }

/** A change: replay, parse, prepare, carry out once, answer. */
async function serveChange(
  ctx: Context,
  { route, beside }: { route: ChangingRoute; beside: ReadRouteOf | undefined },
  params: Record<string, string>,
  context: CallContext,
  { db, reads = db, answers, secretKey, patience = usualPatience }: Service,
  {
    token,
    key = newKey(),
    json,
    fingerprint,
    earlier,
  }: Asked & { earlier: EarlierOperation | undefined },
) {
  const workspace = context.workspace.id
  ctx.state['log'] = { ...ctx.state['log'], operation: operationId(workspace, key) }
  const call: Call = {
    route,
    key,
    keyless: ctx.headers['idempotency-key'] === undefined,
    ...fingerprintsOf({ route, secretKey }, fingerprint),
    token,
    instance: ctx.path,
    requestId: ctx.state['requestId'],
    secretKey,
    patience,
  }
  if (earlier) return send(ctx, await replay(reads, answers, call, earlier))

  const query = membersOf(route, queryIn(ctx, route))
  await withIds(route, { ...context, db: reads }, { params, query, body: json })
  const input = {
    params: idsOf(route, params),
    query: parseWith(route.query ?? NoQuery, query, 'query'),
    body: route.body ? parseWith(route.body, json, 'body') : requireEmpty(json),
  }
  await route.check?.(input, context)
  const work: Work = {
    prepare: async () => route.prepare?.(input, context),
    unchanged: conditionOf(ctx, { route, beside }, params, context),
    change: changeOf(route, input, context.workspace),
  }
  send(ctx, await once(context, answers, call, work))
}

/** What carries out a call: the route's `add` where that is enough, and otherwise its handler. */
function changeOf(
  route: ChangingRoute,
  input: Parameters<NonNullable<typeof route.handler>>[0],
  workspace: Workspace,
): Change {
  const sound = (result: unknown) =>
    typeof result === 'symbol' ? result : checked(route, result as object)
  if (route.add && (!('adds' in route) || route.adds(input, { workspace }))) {
    const { add } = route
    return { adds: true, run: async (to, prepared) => sound(await add(input, to, prepared)) }
  }
  const { handler } = route
  const orMerged = (error: unknown, db: Db) =>
    mergedOr(error, db, workspace.id, [route.params, input.params], [route.body, input.body])
  return {
    adds: false,
    run: async (to, prepared) => {
      try {
        return sound(await handler(input, to, prepared))
      } catch (error) {
        throw await orMerged(error, to.db)
      }
    },
  }
}

const concretePath = (path: string) => path.replace(/(.)\/+$/, '$1')

// If a body with a file is too large, the file is what makes it so.
const tooLargeCode = (route: Route) =>
  route.errors?.includes('file_too_large') ? 'file_too_large' : 'body_too_large'

function idsOf(route: Route, params: Record<string, string>) {
  const parsed = route.params ? route.params.safeParse(params) : { success: true, data: {} }
  // An id that cannot exist is answered like one that does not exist.
  if (!parsed.success || Object.values(params).some((value) => value.includes('\0')))
    throw new ApiError('not_found', 'There is no such thing.')
  return parsed.data
}

type Given = { params: unknown; query: unknown; body?: unknown }

/** Replaces external ids of people by their ids; the reduced deployment has none. */
async function withIds(route: Route, { db, workspace, deployment }: CallContext, given: Given) {
  if (deployment.variant === 'reduced') return
  await replaceExternalIds(db, workspace.id, [
    [route.params, given.params],
    [route.query, given.query],
    [route.body, given.body],
  ])
}

const requireEmpty = (json: unknown) => parseWith(NoQuery, json, 'body')

// A handler whose answer does not match its route's shape is our mistake: nothing of it is committed or sent.
function checked(route: Route, body: unknown) {
  const parsed = route.response.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Error(`${route.method} ${route.path} answers another shape: ${parsed.error.message}`)
}

/** An answer with its tag; nothing more than that if the client has it. */
function sendTagged(ctx: Context, answer: Answer) {
  const tag = tagOf(answer.body)
  ctx.set('ETag', tag)
  if (!isKnown(ctx, tag)) return send(ctx, answer)
  ctx.status = 304
  ctx.set('Cache-Control', 'no-store')
}

function send(ctx: Context, { status, body, replayed }: Answer) {
  ctx.status = status
  // A refusal by the change itself, now or at the first call.
  if (status >= 400) ctx.state['log'] = { ...ctx.state['log'], code: JSON.parse(body).code }
  if (replayed) ctx.set('Idempotent-Replayed', 'true')
  ctx.type = status < 400 ? 'application/json' : 'application/problem+json'
  ctx.body = body
}
