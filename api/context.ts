import type { Context } from 'koa'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { isErased } from '../db/erasure/workspaces.ts'
import type { MachineClock } from '../db/machine-clock.ts'
import { findOperation, operationId } from '../db/operations/operations.ts'
import type { SecretKey } from '../db/secrets.ts'
import {
  type AdminTokenRow,
  findErased,
  findMakeable,
  findSeen,
} from '../db/workspace/admin-tokens.ts'
import type { EarlierOperation, TokenRow } from '../db/workspace/tokens.ts'
import type { OauthClients } from '../oauth/provider.ts'
import type { Log } from '../process/telemetry/log.ts'
import type { AnyScope } from '../rules/scopes.ts'
import { isWorkspaceId, noWorkspace } from '../rules/workspace-id.ts'
import type { Answers } from './http/answers.ts'
import { admitted } from './http/call-limits.ts'
import { ApiError, missing } from './http/errors.ts'
import type { EventFeed } from './http/event-feed.ts'
import { goneOf } from './http/gone.ts'
import type { Patience } from './http/patience.ts'
import { countCall, kindOf, type Rates } from './http/rate.ts'
import { allow, findAdmin, findCaller } from './http/who.ts'
import type {
  AdminReadContext,
  AdminScope,
  CallContext,
  Deployment,
  Route,
  Scope,
  Workspace,
} from './route.ts'

// Who calls, and in which workspace: a member's token has one, a call to the administration names it in its path.

export type Service = {
  db: Db
  /** Reads have connections of their own, so that changes that wait for a row cannot use them all up. By default `db`. */
  reads?: Db
  /** So has the look-up of the caller, so that reads that take long refuse nobody. By default `reads`. */
  tokens?: Db
  clock: Clock
  /** How far this machine's clock is from the database's; by default, not at all. */
  machine?: Pick<MachineClock, 'aheadMs'>
  answers: Answers
  events: EventFeed
  rates: Rates
  log: Log
  deployment: Deployment
  /** SECRET_KEY, with which the secrets of webhooks and bridges are sealed. */
  secretKey: SecretKey | undefined
  /** By default the usual one. */
  patience?: Patience
  /** Our clients at providers of OAuth 2.0 that are known by name. */
  oauth?: OauthClients | undefined
}

/** A call whose token is known and counted. */
type Known = {
  context: CallContext
  /** What an earlier call with its key has left. */
  earlier: EarlierOperation | undefined
  /** @throws ApiError once the token may not ask any more. */
  stillMay(): Promise<void>
}

/**
 * The caller of a route, its workspace, and the operation of an earlier call with `key`. Counts the call.
 * @throws ApiError 401, rate_limited; to the administration also insufficient_scope, and not_found for a workspace that the token
 * does not see.
 */
export const knownCall = (
  ctx: Context,
  route: Route,
  params: Record<string, string>,
  key: string | undefined,
  service: Service,
): Promise<Known> =>
  route.door === 'admin'
    ? knownAdmin(ctx, route, params, key, service)
    : knownMember(ctx, route, key, service)

export const scopeSetsOf = ({ scopesAtLeast, scopes }: Route): AnyScope[][] =>
  scopesAtLeast ?? [scopes]

async function knownMember(
  ctx: Context,
  route: Route,
  key: string | undefined,
  service: Service,
): Promise<Known> {
  const { db, reads = db, tokens = reads } = service
  const authorization = ctx.get('authorization')
  const { token, earlier } = await admitted(authorization, () =>
    findCaller(tokens, authorization, key),
  )
  count(ctx, route, token, token.workspace, service)
  return {
    context: {
      ...contextOf(ctx, token, route, service),
      workspace: {
        id: token.workspace,
        name: token.workspaceName,
        timezone: token.timezone,
        tagging: token.tagging,
        region: token.region,
        mode: token.mode,
        quotas: token.quotas,
      },
      member: { id: token.member },
      scopes: token.scopes as Scope[],
    },
    earlier,
    stillMay: async () =>
      allow((await findCaller(tokens, authorization, undefined)).token.scopes, route.scopes),
  }
}

/** In the place of a workspace, for calls that concern none. No workspace has its id. */
const none: Workspace = {
  id: noWorkspace,
  name: '',
  timezone: 'UTC',
  tagging: false,
  region: null,
  mode: 'live',
  quotas: null,
}

async function knownAdmin(
  ctx: Context,
  route: Route,
  params: Record<string, string>,
  key: string | undefined,
  service: Service,
): Promise<Known> {
  const { db, reads = db, tokens = reads } = service
  const authorization = ctx.get('authorization')
  const token = await admitted(authorization, () => findAdmin(tokens, authorization))
  const id = route.path.startsWith('/workspaces/{id}') ? params['id'] : undefined
  count(ctx, route, token, id, service)
  allow(token.scopes, route.scopes)
  const repeated =
    key === undefined || id === undefined
      ? undefined
      : await erasureOf(tokens, route, token, id, key)
  const workspace =
    repeated ?? (id === undefined ? none : await workspaceOf(tokens, route, token, id))
  const context: AdminReadContext = {
    ...contextOf(ctx, token, route, service),
    workspace,
    scopes: token.scopes as AdminScope[],
    only: token.workspace,
  }
  const earlier = key && (await findOperation(tokens, operationId(workspace.id, key)))
  return {
    context,
    earlier: earlier || undefined,
    stillMay: async () => allow((await findAdmin(tokens, authorization)).scopes, route.scopes),
  }
}

/** The workspace of a path. Another than the token's is answered like one that does not exist. */
async function workspaceOf(db: Db, route: Route, token: AdminTokenRow, id: string) {
  const workspace = id.includes('\0') ? undefined : await findSeen(db, token.id, id)
  if (workspace) return workspace
  const creates = 'creates' in route && route.creates && isWorkspaceId(id)
  const made = creates ? await findMakeable(db, token.id, id) : undefined
  if (!made) throw missing('workspace')
  if (await isErased(db, id))
    throw new ApiError(
      'conflict',
      `${id} was a workspace and was erased: its id is not given again.`,
    )
  return { ...none, ...made }
}

/** The workspace whose erasure a call repeats: its answer is there for as long as that of any call. */
async function erasureOf(db: Db, route: Route, token: AdminTokenRow, id: string, key: string) {
  if (!('erases' in route && route.erases) || id.includes('\0')) return undefined
  const erased = await findErased(db, token.id, id)
  return erased && operationId(id, key) === erased.operation
    ? { ...none, id: erased.id }
    : undefined
}

function count(
  ctx: Context,
  route: Route,
  token: { id: string; clientId: string },
  workspace: string | undefined,
  service: Service,
) {
  ctx.state['log'] = {
    ...ctx.state['log'],
    ...(workspace !== undefined && { workspace }),
    client: token.clientId,
  }
  ctx.set(countCall(token.id, kindOf(route.method, scopeSetsOf(route)), service.rates))
}

function contextOf(
  ctx: Context,
  token: TokenRow | AdminTokenRow,
  route: Route,
  service: Service,
): Omit<AdminReadContext, 'workspace' | 'scopes' | 'only'> {
  const { db, reads = db } = service
  return {
    db: route.method === 'GET' ? reads : db,
    client: { id: token.clientId, name: token.clientName },
    token: token.id,
    clock: service.clock,
    deployment: service.deployment,
    secretKey: service.secretKey,
    events: service.events,
    answers: service.answers,
    gone: () => goneOf(ctx),
  }
}
