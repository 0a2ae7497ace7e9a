import type { AnyScope } from '../../rules/scopes.ts'
import { ApiError } from './errors.ts'

// Calls per token and minute, in windows of one minute of real time, counted by each API process for itself.

export type Rates = { reads: number; changes: number; sends: number }
type Kind = keyof Rates
type Window = { minute: number; used: number }

const windows = new Map<string, Window>()
let swept = 0

/** The kind of a call before its body is known. */
export const kindOf = (method: string, scopeSets: AnyScope[][]): Kind => {
  if (method === 'GET') return 'reads'
  return scopeSets.every((scopes) => scopes.includes('send')) ? 'sends' : 'changes'
}

/**
 * Counts one call, whatever its outcome, and answers the headers that show the calls left (IETF drafts RateLimit and
 * RateLimit-Policy).
 * @throws ApiError rate_limited with Retry-After.
 */
export function countCall(token: string, kind: Kind, rates: Rates) {
  const limit = rates[kind]
  const minute = Math.floor(Date.now() / 60_000)
  if (minute !== swept) {
    for (const [key, window] of windows) if (window.minute < minute) windows.delete(key)
    swept = minute
  }
  const key = `${token} ${kind}`
  const window = windows.get(key) ?? { minute, used: 0 }
  windows.set(key, window)
  window.used++

  const reset = 60 - Math.floor((Date.now() / 1000) % 60)
  const headers = {
    'RateLimit-Policy': `"${kind}";q=${limit};w=60`,
    RateLimit: `"${kind}";r=${Math.max(0, limit - window.used)};t=${reset}`,
  }
  if (window.used > limit) throw tooMany(limit, kind, { ...headers, 'Retry-After': String(reset) })
  return headers
}

export const tooMany = (limit: number, kind: Kind, headers: Record<string, string>) =>
  new ApiError('rate_limited', `More than ${limit} ${kind} in this minute.`, { headers })
