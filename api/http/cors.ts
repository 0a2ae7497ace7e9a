import type { Middleware } from 'koa'
import { prefix } from './prefix.ts'

// Calls of scripts in browsers, from the origins that the operator names (https://fetch.spec.whatwg.org/#http-cors-protocol). Tokens
// travel in a header that the script itself sets, never in cookies, so no answer allows credentials.

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Range'
const answerHeaders =
  'Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
// Chromium keeps the answer to a preflight no longer than two hours.
const preflightSeconds = 7_200

/** Every origin may call. */
export const anyOrigin = '*'

const documents = new Set(['/openapi.json', '/openapi.yaml', '/openapi-3.0.json'])

const isForScripts = (path: string) =>
  path === prefix || path.startsWith(`${prefix}/`) || documents.has(path)

/** Tells browsers which origins may call; without origins it changes nothing. */
export function cors(origins: readonly string[]): Middleware {
  const isAny = origins.includes(anyOrigin)
  return async (ctx, next) => {
    if (origins.length === 0 || !isForScripts(ctx.path)) return next()
    // A cache must not give the answer for one origin to another.
    if (!isAny) ctx.vary('Origin')
    const origin = ctx.get('Origin')
    if (origin === '' || !(isAny || origins.includes(origin))) return next()
    ctx.set('Access-Control-Allow-Origin', isAny ? anyOrigin : origin)
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
      ctx.set('Access-Control-Expose-Headers', answerHeaders)
      return next()
    }
    ctx.state['log'] = { pattern: 'preflight' }
    ctx.set({
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightSeconds),
    })
    ctx.status = 204
  }
}
