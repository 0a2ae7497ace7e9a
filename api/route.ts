import { z } from 'zod'
import type { Clock } from '../db/clock.ts'
import type { Db, Trx } from '../db/database.ts'
import type {
  SearchAttributes,
  SignalName,
  Signals,
  WorkflowArgs,
  WorkflowName,
} from '../db/operations/outbox.ts'
import type { NewRows } from '../db/rows.ts'
import type { SecretKey } from '../db/secrets.ts'
import type { EventKind } from '../rules/event-kinds.ts'
import type { Quotas } from '../rules/quotas.ts'
import type { Mode } from '../rules/sandbox/mode.ts'
import type { AdminScope, Scope } from '../rules/scopes.ts'
import type { Answers } from './http/answers.ts'
import type { ErrorCode } from './http/errors.ts'
import type { EventFeed } from './http/event-feed.ts'
import { answersStream } from './http/stream-answer.ts'

export type { AdminScope, Scope }

export type Workspace = {
  id: string
  name: string
  timezone: string
  tagging: boolean
  /** The country of its national phone numbers. */
  region: string | null
  /** Whether what it sends leaves. */
  mode: Mode
  /** What it may have at once; null if nothing of it is bounded. */
  quotas: Quotas | null
}

/** Settings that change the answers, but not who may ask. */
export type Deployment = {
  publicUrl: string
  temporalUiUrl: string
  temporalNamespace: string
  variant: 'full' | 'reduced'
  /** Webhooks may lead to this machine and to private networks: WEBHOOK_ALLOW_PRIVATE. */
  webhookAllowPrivate: boolean
  /** Mail servers that a call names may be on this machine and in private networks: MAIL_ALLOW_PRIVATE. */
  mailAllowPrivate?: boolean
  /** The providers of OAuth 2.0 by whose word an account may log in, because this deployment is a client of theirs. */
  oauthProviders?: readonly ('google' | 'microsoft')[]
  /** The origins whose scripts may call from a browser, by default none: CORS_ORIGINS. */
  corsOrigins?: readonly string[]
  /** Where the owners of mailboxes may be led back to, by default nowhere: ADMIN_RETURN_ORIGINS. */
  returnOrigins?: readonly string[]
}

export type ReadContext = {
  db: Db
  workspace: Workspace
  member: { id: string }
  client: { id: string; name: string }
  /** The id of the token. */
  token: string
  scopes: Scope[]
  clock: Clock
  deployment: Deployment
  /** SECRET_KEY, if this process has one. */
  secretKey: SecretKey | undefined
  events: EventFeed
  answers: Answers
  /** A signal that is aborted when the caller has gone. */
  gone(): AbortSignal
}

/** The context of a call to the administration: an application asks, on nobody's behalf. */
export type AdminReadContext = Omit<ReadContext, 'member' | 'scopes'> & {
  /** That of a path below `/workspaces/{id}`; for any other path the one with the id `admin`, which is no tenant's. */
  workspace: Workspace
  scopes: AdminScope[]
  /** The one workspace that the token sees; null if it sees all. */
  only: string | null
}

export type CallContext = ReadContext | AdminReadContext

type Changing = {
  db: Trx
  /** The operation of this call; its id is also that of the workflow that `start` starts. */
  operation: { id: string; key: string }
  /**
   * The content of the audit line: the resource, with its old and new values, under the route's action or another
   * one. `about` are ids that only the event tells. Without this call, nothing was changed and no line is written.
   */
  changed(
    resource: string,
    before?: unknown,
    after?: unknown,
    action?: EventKind,
    about?: Record<string, unknown>,
  ): void
  /** Puts the start of this operation's workflow into the outbox. `args` holds ids only. */
  start<K extends WorkflowName>(
    type: K,
    args: WorkflowArgs<K>,
    attributes?: SearchAttributes,
  ): Promise<void>
  /** Puts a signal to another workflow into the outbox. */
  signal<K extends SignalName>(workflowId: string, name: K, ...args: Signals[K]): Promise<void>
}
/** What a handler reports besides its answer. */
export type Reporting = Omit<Changing, 'db'>
type Adding = Reporting & {
  db: Db
  /** Rows that the call adds. */
  insert(rows: NewRows): void
}
// Of a union, the context of each kind of call.
type In<C, Part> = C extends unknown ? Omit<C, 'db'> & Part : never

/** A change runs in one transaction with its operation, audit line, answer and outbox commands. */
export type ChangeContext<C = ReadContext> = In<C, Changing>
export type AdminChangeContext = ChangeContext<AdminReadContext>
/** A change that only adds rows has no transaction: one statement inserts them with its operation and all the rest. */
export type AddContext<C = ReadContext> = In<C, Adding>

/** The return value of a handler whose answer its workflow will write. */
export const awaited = Symbol('awaited')

type Shape = z.ZodType
type Out<S> = S extends z.ZodType ? z.output<S> : Record<string, never>

export type Input<P, Q, B> = { params: Out<P>; query: Out<Q>; body: Out<B> }

/** What differs in the reduced deployment. */
type ReducedForm = {
  query?: Shape
  body?: Shape
  response?: Shape
  bodyLimit?: number
  example?: unknown
  errors?: ErrorCode[]
}

type Common<P, Q, B, R extends Shape, C extends CallContext> = {
  /** Whose tokens open it: by default those of the API. */
  door?: 'admin'
  /** The name of the call in every generated client: chosen once, and never changed. */
  operationId: string
  /** Below /api/v1, or /admin/v1, with parameters in braces: `/people/{id}`; the empty path is the identity. */
  path: string
  summary: string
  /** What the summary does not say, for the reference: a sentence or two, with code in backquotes. */
  description?: string
  /** Every scope that the token must have; an empty list accepts any valid token. */
  scopes: C['scopes']
  /** For routes whose scopes depend on the body: decided on the raw JSON, with the stricter set in case of doubt. */
  scopesFor?: (rawBody: unknown) => C['scopes']
  /**
   * The possible sets of scopes: a token that has none of them in full is refused before the body is read. By default
   * `scopes` alone.
   */
  scopesAtLeast?: C['scopes'][]
  /** Also one of the 37 addresses of the reduced deployment; an object holds its differences there. */
  reduced?: true | ReducedForm
  params?: P
  query?: Q
  body?: B
  /** A body for the reference, where one with all members would not be valid. */
  example?: unknown
  response: R
  /** Refusals beyond those that every route shares. */
  errors?: ErrorCode[]
}

export type ReadRoute<P, Q, R extends Shape, C extends CallContext = ReadContext> = Common<
  P,
  Q,
  undefined,
  R,
  C
> & {
  method: 'GET'
  handler(input: Input<P, Q, undefined>, context: C): Promise<z.input<R>>
}

type ChangeCommon<P, Q, B, R extends Shape, T, C extends CallContext> = Common<P, Q, B, R, C> & {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The action in the audit line, e.g. `campaign.edited`; also the kind of an operation without a workflow. */
  action: EventKind
  /** True if the call changes nothing, so that the key is optional. */
  keyOptional?: (rawBody: unknown) => boolean
  /** The member of the answer that is shown only once: the copy stored for repeats is sealed. */
  confidential?: string
  /** The largest body in bytes; by default 1 MiB. */
  bodyLimit?: number
  /**
   * Refuses what the shapes cannot express, such as rules about query and body together; like them, before anything
   * is done or stored.
   */
  check?(
    input: Input<P, Q, B>,
    context: Pick<ReadContext, 'deployment' | 'workspace'>,
  ): void | Promise<void>
  /** How long a caller waits for an awaited answer, and what it gets then; by default 504 still_running. */
  waits?: { ms: number; otherwise(db: Db, operation: string): Promise<z.input<R>> }
  /**
   * Slow work or waits, such as reading a file: done before the transaction and outside it, and not for a repeat. The
   * handler receives its result; its refusals are stored like the handler's.
   */
  prepare?(input: Input<P, Q, B>, context: C): Promise<T>
  /** Of the administration: the workspace of the path need not be there. */
  creates?: boolean
  /** Of the administration: the workspace of the path is gone afterwards, and a repeat is answered all the same. */
  erases?: boolean
}

type HandlerResult<R extends Shape> = Promise<z.input<R> | typeof awaited>

export type ChangeRoute<
  P,
  Q,
  B,
  R extends Shape,
  T = undefined,
  C extends CallContext = ReadContext,
> = ChangeCommon<P, Q, B, R, T, C> &
  (
    | {
        handler(input: Input<P, Q, B>, context: ChangeContext<C>, prepared: T): HandlerResult<R>
        add?: never
      }
    // Instead of the handler, for a call that reads what there is and adds to it: it locks nothing and changes no row.
    | {
        add(input: Input<P, Q, B>, context: AddContext<C>, prepared: T): HandlerResult<R>
        handler?: never
      }
    // Both, where it depends on the call: `adds` says for which one `add` is enough.
    | {
        adds(input: Input<P, Q, B>, context: Pick<ReadContext, 'workspace'>): boolean
        add(input: Input<P, Q, B>, context: AddContext<C>, prepared: T): HandlerResult<R>
        handler(input: Input<P, Q, B>, context: ChangeContext<C>, prepared: T): HandlerResult<R>
      }
  )

export type Route =
  // biome-ignore lint/suspicious/noExplicitAny: the table holds routes of every shape; each was checked where it was made.
  | ReadRoute<any, any, any, CallContext>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | ChangeRoute<any, any, any, any, any, CallContext>
export type Method = Route['method']
export type ReadRouteOf = Extract<Route, { method: 'GET' }>

/** Whether a route reads one thing, whose answer has an ETag: no list, no bytes, no stream. */
export const isSingleRead = (route: Route): route is ReadRouteOf =>
  route.method === 'GET' &&
  route.response instanceof z.ZodObject &&
  !('next' in route.response.shape) &&
  !answersStream(route)

/** Whether a route heeds If-Match. */
export const isConditional = ({ method }: Route) => method !== 'GET' && method !== 'POST'

/** Ties the params, query, body and response of a reading route to its handler. */
export const read = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  R extends Shape = Shape,
>(
  route: Omit<ReadRoute<P, Q, R>, 'method'>,
): Route => ({ ...route, method: 'GET' })

/** The same for a route that changes something. */
export const change = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
  R extends Shape = Shape,
  T = undefined,
>(
  route: ChangeRoute<P, Q, B, R, T>,
): Route => route

/** A reading route of the administration. One below `/workspaces/{id}` is answered 404 unless the token sees that workspace. */
export const adminRead = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  R extends Shape = Shape,
>(
  route: Omit<ReadRoute<P, Q, R, AdminReadContext>, 'method' | 'door'>,
): Route => ({ ...route, method: 'GET', door: 'admin' })

/** The same for a route of the administration that changes something. */
export const adminChange = <
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
  R extends Shape = Shape,
  T = undefined,
>(
  route: Omit<ChangeRoute<P, Q, B, R, T, AdminReadContext>, 'door'>,
): Route => ({ ...route, door: 'admin' }) as Route
