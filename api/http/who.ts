import type { Db } from '../../db/database.ts'
import {
  type AdminTokenRow,
  adminTokenUsed,
  findAdminToken,
} from '../../db/workspace/admin-tokens.ts'
import {
  type EarlierOperation,
  findToken,
  findTokenAndOperations,
  isTokenLike,
  type TokenKind,
  type TokenRow,
  tokenUsed,
} from '../../db/workspace/tokens.ts'
import { gathered } from '../../process/limits/gather.ts'
import type { AnyScope } from '../../rules/scopes.ts'
import { ApiError } from './errors.ts'

// Bearer tokens as in RFC 6750: a call without a token gets the bare challenge, one with a bad token
// error="invalid_token".

const lastNoted = new Map<string, number>()
const minute = 60_000

export type Caller = { token: TokenRow; earlier: EarlierOperation | undefined }

/**
 * The caller, by the Authorization header, and the operation that an earlier call with `key` has made. Calls of one caller that
 * come at once are looked up together, and none before it came: a token that was revoked before is refused.
 * @throws ApiError 401.
 */
export const findCaller = gathered<Db, string | undefined, Caller>(async (db, header, asked) => {
  const keys = [...new Set(asked.filter((key) => key !== undefined))]
  const given = givenIn(header, 'prm')
  const { token: row, operations } = given ? await find(db, given, keys) : nobody
  const token = living(row)
  noteUse(token.id, () => tokenUsed(db, token.id))
  return asked.map((key) => ({ token, earlier: operations.find((one) => one.key === key) }))
})

const nobody = { token: undefined, operations: [] }

/** The token of a call to the administration, by the Authorization header. @throws ApiError 401. */
export async function findAdmin(db: Db, header: string): Promise<AdminTokenRow> {
  const given = givenIn(header, 'pra')
  const token = living(given ? await findAdminToken(db, given) : undefined)
  noteUse(token.id, () => adminTokenUsed(db, token.id))
  return token
}

/** Notes, once a minute, that a token is used. */
function noteUse(id: string, note: () => Promise<unknown>) {
  if (Date.now() - (lastNoted.get(id) ?? 0) <= minute) return
  lastNoted.set(id, Date.now())
  note().catch(() => lastNoted.delete(id))
}

const find = async (db: Db, token: string, keys: string[]) =>
  keys.length > 0
    ? findTokenAndOperations(db, token, keys)
    : { token: await findToken(db, token), operations: [] }

/** The token in a header, if it has the form of one of this kind. @throws ApiError token_missing. */
function givenIn(header: string, kind: TokenKind): string | undefined {
  // A missing token, another scheme, or our scheme without a token: such a caller did not know what to send (RFC
  // 6750, 3.1).
  if (!/^Bearer +\S/i.test(header)) throw tokenMissing()
  const given = /^Bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1]
  return given && isTokenLike(given, kind) ? given : undefined
}

/** @throws ApiError 401 unless the token is there and still good. */
function living<T extends { revokedAt: Date | null; expiresAt: Date }>(token: T | undefined): T {
  if (!token || token.revokedAt) throw tokenRefused('invalid_token')
  if (token.expiresAt.getTime() <= Date.now()) throw tokenRefused('token_expired')
  return token
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
export function allowAny(held: string[], sets: AnyScope[][], strictest: AnyScope[]) {
  if (sets.some((needed) => needed.every((scope) => held.includes(scope)))) return
  allow(held, strictest)
}

/** @throws ApiError insufficient_scope naming every scope that the call needs. */
export function allow(held: string[], needed: AnyScope[]) {
  if (needed.every((scope) => held.includes(scope))) return
  throw scopeLacking(needed)
}

export function scopeLacking(needed: AnyScope[]) {
  const list = needed.join(' ')
  return new ApiError('insufficient_scope', `This call needs the scope ${needed.join(' and ')}.`, {
    members: { scopes: needed },
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${list}"` },
  })
}
