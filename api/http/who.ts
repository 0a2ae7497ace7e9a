import type { Db } from '../../db/database.ts'
import { findToken, isTokenLike, type TokenRow, tokenUsed } from '../../db/workspace/tokens.ts'
import type { Scope } from '../../rules/scopes.ts'
import { ApiError } from './errors.ts'

// Bearer tokens as RFC 6750 has them: a call without one gets the bare challenge, a bad one error="invalid_token".

const lastNoted = new Map<string, number>()
const minute = 60_000

/** Who calls, by the Authorization header. @throws ApiError 401. */
export async function authenticate(db: Db, header: string | undefined): Promise<TokenRow> {
  // No token is also a scheme that is not ours, or ours alone: such a caller did not know what to send (RFC 6750, 3.1).
  if (!header || !/^Bearer +\S/i.test(header))
    throw new ApiError('token_missing', 'Send Authorization: Bearer <ACCESS_TOKEN>.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1]
  const row = token && isTokenLike(token) ? await findToken(db, token) : undefined
  if (!row || row.revokedAt) throw refused('invalid_token', 'The token is not a live one.')
  if (row.expiresAt.getTime() <= Date.now())
    throw refused('token_expired', 'The token has expired.')
  if (Date.now() - (lastNoted.get(row.id) ?? 0) > minute) {
    lastNoted.set(row.id, Date.now())
    tokenUsed(db, row.id).catch(() => lastNoted.delete(row.id))
  }
  return row
}

const refused = (code: 'invalid_token' | 'token_expired', message: string) =>
  new ApiError(code, message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  })

/**
 * For a call whose scopes hang on its body, before that is read: it needs one of `sets`, whatever it asks for.
 * @throws ApiError insufficient_scope naming `strictest`.
 */
export function allowAny(held: string[], sets: Scope[][], strictest: Scope[]) {
  if (sets.some((needed) => needed.every((scope) => held.includes(scope)))) return
  allow(held, strictest)
}

/** @throws ApiError insufficient_scope naming every scope the call needs. */
export function allow(held: string[], needed: Scope[]) {
  if (needed.every((scope) => held.includes(scope))) return
  const list = needed.join(' ')
  throw new ApiError('insufficient_scope', `This call needs the scope ${needed.join(' and ')}.`, {
    members: { scopes: needed },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${list}"` },
  })
}
