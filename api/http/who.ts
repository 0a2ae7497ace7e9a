import type { Db } from '../../db/database.ts'
import { findToken, isTokenLike, type TokenRow, tokenUsed } from '../../db/workspace/tokens.ts'
import type { Scope } from '../../rules/scopes.ts'
import { ApiError } from './errors.ts'

// Bearer tokens as in RFC 6750: a call without a token gets the bare challenge, one with a bad token
// error="invalid_token".

const lastNoted = new Map<string, number>()
const minute = 60_000

/** The caller, by the Authorization header. @throws ApiError 401. */
export async function authenticate(db: Db, header: string | undefined): Promise<TokenRow> {
  // A missing token, another scheme, or our scheme without a token: such a caller did not know what to send (RFC
  // 6750, 3.1).
  if (!header || !/^Bearer +\S/i.test(header)) throw tokenMissing()
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1]
  const row = token && isTokenLike(token) ? await findToken(db, token) : undefined
  if (!row || row.revokedAt) throw tokenRefused('invalid_token')
  if (row.expiresAt.getTime() <= Date.now()) throw tokenRefused('token_expired')
  if (Date.now() - (lastNoted.get(row.id) ?? 0) > minute) {
    lastNoted.set(row.id, Date.now())
    tokenUsed(db, row.id).catch(() => lastNoted.delete(row.id))
  }
  return row
}

export const tokenMissing = () =>
  new ApiError('token_missing', 'Send Authorization: Bearer <ACCESS_TOKEN>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

const refusals = {
  invalid_token: 'The token is not valid.',
  token_expired: 'The token has expired.',
}

export function tokenRefused(code: keyof typeof refusals) {
  const message = refusals[code]
  return new ApiError(code, message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  })
}

/**
 * For a call whose scopes depend on its body, before the body is read: the token needs one of `sets` in any case.
 * @throws ApiError insufficient_scope naming `strictest`.
 */
export function allowAny(held: string[], sets: Scope[][], strictest: Scope[]) {
  if (sets.some((needed) => needed.every((scope) => held.includes(scope)))) return
  allow(held, strictest)
}

/** @throws ApiError insufficient_scope naming every scope that the call needs. */
export function allow(held: string[], needed: Scope[]) {
  if (needed.every((scope) => held.includes(scope))) return
  throw scopeLacking(needed)
}

export function scopeLacking(needed: Scope[]) {
  const list = needed.join(' ')
  return new ApiError('insufficient_scope', `This call needs the scope ${needed.join(' and ')}.`, {
    members: { scopes: needed },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${list}"` },
  })
}
