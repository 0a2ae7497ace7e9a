import { PostroomError, type Problem, Refusal } from './problems.ts'
import type { Answer, CallOptions } from './types.ts'

// One call: its attempts until there is a clear answer, all with the same key.

/** Where calls go, and how. */
export type Service = {
  /** The address of the API, without a slash at its end. */
  base: string
  token: () => string | Promise<string>
  fetch: typeof fetch
  timeoutMs: number
  retryForMs: number
}

export type Request = CallOptions & {
  method: string
  /** Behind the address of the API. */
  path: string
  key?: string | undefined
  headers?: Record<string, string>
  body?: unknown
  /** Reads the body of an answer; by default as JSON. */
  read?: (response: Response) => Promise<unknown>
}

const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Repeats the call, with the same key, while its answer is lost, or while the service says that it will be able to answer later. A
 * change without a key is never repeated. @throws Refusal, PostroomError no_answer or redirected, and the reason of the signal.
 */
export async function call<T>(service: Service, request: Request): Promise<Answer<T>> {
  const { method, key, signal } = request
  const until = Date.now() + (request.retryForMs ?? service.retryForMs)
  const mayRepeat = method === 'GET' || key !== undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce<T>(service, request)
    if ('answer' in outcome) return outcome.answer
    const pauseMs = pauseOf(outcome.retryAfterMs, attempt)
    if (!outcome.mayPass || !mayRepeat || Date.now() + pauseMs > until) throw outcome.error
    await pause(pauseMs, signal)
  }
}

type Outcome<T> =
  | { answer: Answer<T> }
  | { error: PostroomError; mayPass: boolean; retryAfterMs?: number | undefined }

async function tryOnce<T>(service: Service, request: Request): Promise<Outcome<T>> {
  const { method, path, key, signal } = request
  const says = (why: string) => `${method} ${path}: ${why}`
  const { timer, ended, settle } = limit(request.timeoutMs ?? service.timeoutMs, signal)
  try {
    const response = await send(service, request, ended)
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return {
        error: new PostroomError('redirected', says('a redirect, which is not followed'), { key }),
        mayPass: false,
      }
    if (!response.ok) return await refusalOf(response, says, key)
    const read = request.read ?? ((response: Response) => response.json())
    const body = (await read(response)) as T
    const of = (name: string) => response.headers.get(name) ?? undefined
    const answer: Answer<T> = {
      body,
      status: response.status,
      requestId: of('x-request-id'),
      etag: of('etag'),
      replayed: of('idempotent-replayed') === 'true',
      key,
    }
    return { answer }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof PostroomError) throw cause
    const why = timer.aborted ? 'no answer within its time' : `no answer (${textOf(cause)})`
    return { error: new PostroomError('no_answer', says(why), { key, cause }), mayPass: true }
  } finally {
    settle()
  }
}

const textOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

async function send(service: Service, request: Request, signal: AbortSignal) {
  const { method, path, key, headers, body } = request
  const token = await service.token()
  return service.fetch(`${service.base}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The token must not go where the service, or somebody in between, leads.
    redirect: 'manual',
    // The token is all that identifies the caller: no cookies, no page that is asked for a password, nothing of a cache.
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
}

// What may pass by itself. The service says so of its own refusals; what stands between may answer with the same numbers.
const passing = new Set([408, 429, 500, 502, 503, 504])

async function refusalOf(
  response: Response,
  says: (why: string) => string,
  key: string | undefined,
): Promise<Outcome<never>> {
  const text = await response.text()
  const problem = problemIn(text)
  const mayPass = passing.has(response.status) || problem?.code === 'idempotency_in_progress'
  const error = problem
    ? new Refusal(problem, key)
    : new PostroomError('no_answer', says(`${response.status} that is not of the service`), { key })
  return { error, mayPass, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) }
}

function problemIn(text: string): Problem | undefined {
  try {
    const problem = JSON.parse(text)
    return typeof problem?.code === 'string' && typeof problem.detail === 'string'
      ? problem
      : undefined
  } catch {
    return undefined
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Never earlier than the service says, and spread, so that those who were refused together do not come back together. */
export function pauseOf(givenMs: number | undefined, attempt: number, random = Math.random()) {
  if (givenMs !== undefined) return givenMs + random * Math.max(firstPauseMs, givenMs / 4)
  return (0.5 + random / 2) * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1))
}

/** Waits. @throws the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

export type Limit = ReturnType<typeof limit>

/** A signal that ends with the caller's or after so long; `settle` lets go of both. */
export function limit(ms: number, signal: AbortSignal | undefined) {
  const timed = new AbortController()
  const both = new AbortController()
  const end = () => both.abort(signal?.reason)
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  const start = () =>
    setTimeout(() => {
      timed.abort()
      both.abort(new Error('The time is over.'))
    }, ms)
  let running = start()
  return {
    /** Aborted if the time was over. */
    timer: timed.signal,
    ended: both.signal,
    /** The time begins anew. */
    renew() {
      clearTimeout(running)
      running = start()
    },
    /** The time stands still until it begins anew. */
    hold: () => clearTimeout(running),
    settle() {
      clearTimeout(running)
      signal?.removeEventListener('abort', end)
    },
  }
}
