import { randomUUID } from 'node:crypto'
import {
  clientCredentialsGrant,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { z } from 'zod'
import { exchange } from '../process/network/exchange.ts'
import { signed } from '../process/network/signature.ts'
import { mayStayPrivate } from './bounded-fetch.ts'
import { configurationOf, type OauthAccount, type Provider, type TokenServer } from './provider.ts'
import { type OauthCode, OauthTrouble, unreachable } from './trouble.ts'

// The three ways to a new access token once an account is set up.

/** In clear. `expiresAt` is the moment from which it is no longer used. */
export type Fresh = { accessToken: string; expiresAt: Date; refreshToken?: string }

const usualMs = 10 * 60_000

/**
 * A token is replaced a minute before it expires, so that no login runs into its end; one that lives for less than ten minutes,
 * when nine tenths of its life are over.
 */
export function freshOf(answer: TokenEndpointResponse, askedAt: number): Fresh {
  const lifeMs = answer.expires_in === undefined ? usualMs : answer.expires_in * 1000
  return {
    accessToken: answer.access_token,
    expiresAt: usableUntil(askedAt, lifeMs),
    ...(answer.refresh_token && { refreshToken: answer.refresh_token }),
  }
}

const usableUntil = (from: number, lifeMs: number) =>
  new Date(from + lifeMs - Math.min(60_000, lifeMs / 10))

/** RFC 6749, section 6. @throws OauthTrouble: consent_needed if the refresh token is of no use any more. */
export async function refresh(provider: Provider, refreshToken: string, allowPrivate: boolean) {
  const askedAt = Date.now()
  return inOurWords(async () => {
    const configuration = await configurationOf(provider, allowPrivate)
    return freshOf(await refreshTokenGrant(configuration, refreshToken), askedAt)
  })
}

/** RFC 6749, section 4.4. @throws OauthTrouble. */
export async function fromClientCredentials(provider: Provider, allowPrivate: boolean) {
  const askedAt = Date.now()
  return inOurWords(async () => {
    const configuration = await configurationOf(provider, allowPrivate)
    const scope = provider.scopes.join(' ')
    const { accessToken, expiresAt } = freshOf(
      await clientCredentialsGrant(configuration, scope ? { scope } : {}),
      askedAt,
    )
    return { accessToken, expiresAt }
  })
}

const Served = z.looseObject({
  accessToken: z
    .string()
    .max(20_000)
    .regex(/^[\x21-\x7e]+$/),
  expiresAt: z.iso.datetime({ offset: true }),
})

/** A token of the customer's own server; the request is signed as those to bridges are. @throws OauthTrouble. */
export async function fromTokenServer(
  { url, secret }: TokenServer,
  { id, account }: Pick<OauthAccount, 'id' | 'account'>,
  allowPrivate: boolean,
): Promise<Fresh> {
  const askedAt = Date.now()
  const body = JSON.stringify({ connection: id, account })
  const answer = await exchange({
    method: 'POST',
    url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...signed([secret], randomUUID(), body),
    },
    body,
    timeoutMs: 10_000,
    answerLimit: 64 * 1024,
    publicOnly: !mayStayPrivate(url, allowPrivate),
  })
  if (answer.problem !== null) throw unreachable(answer.problem)
  const { status } = answer
  const word = `status ${status}`
  if (status === 408 || status === 429 || status >= 500)
    throw new OauthTrouble('oauth_unreachable', word)
  if (status >= 400) throw new OauthTrouble('oauth_refused', word)
  if (status >= 300) throw new OauthTrouble('oauth_error', word)
  const { accessToken, expiresAt } = served(answer.body)
  return {
    accessToken,
    expiresAt: usableUntil(askedAt, Math.max(0, Date.parse(expiresAt) - askedAt)),
  }
}

function served(body: string) {
  const read = Served.safeParse(parsed(body))
  if (read.success) return read.data
  throw new OauthTrouble('oauth_error', String(read.error.issues[0]?.path[0] ?? 'no JSON object'))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// A person has to do something at the provider: the grant was revoked or has expired, a password was changed, or a further
// factor is asked for (RFC 6749, 5.2; OpenID Connect Core, 3.1.2.6).
const ofOwner = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
])
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

function codeOf(error: unknown): OauthCode {
  if (error instanceof OauthTrouble) return error.code
  if (error instanceof ResponseBodyError) {
    if (ofOwner.has(error.error)) return 'consent_needed'
    const isPassing = passing.has(error.error) || error.status >= 500 || error.status === 429
    return isPassing ? 'oauth_unreachable' : 'oauth_refused'
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return error.status >= 500 ? 'oauth_unreachable' : 'oauth_refused'
  const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown }
  if (code === 'OAUTH_TIMEOUT') return 'oauth_unreachable'
  // The answer has a status of its own where it is no JSON: a gateway before the provider.
  if (cause instanceof Response) return cause.status >= 500 ? 'oauth_unreachable' : 'oauth_error'
  return cause === undefined ? 'oauth_error' : codeOf(cause)
}

/** Errors of the protocol may hold what a provider says of a person, so codes alone are passed on. @throws OauthTrouble. */
export async function inOurWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OauthTrouble) throw error
    throw new OauthTrouble(codeOf(error), await wordOf(error))
  }
}

/** A provider's word, if it is one of the protocol's codes; its sentences may name a person. */
export const plainCode = (word: unknown) =>
  typeof word === 'string' && /^[a-z0-9_]{1,60}$/.test(word) ? word : undefined

async function wordOf(error: unknown): Promise<string | undefined> {
  if (error instanceof ResponseBodyError) return plainCode(error.error)
  if (!(error instanceof WWWAuthenticateChallengeError)) return wordIn(error)
  const body = (await error.response.json().catch(() => null)) as { error?: unknown } | null
  return plainCode(body?.error) ?? plainCode(error.cause[0]?.parameters['error'])
}

function wordIn(error: unknown): string | undefined {
  const { cause } = (error ?? {}) as { cause?: unknown }
  if (cause instanceof OauthTrouble) return cause.word
  if (cause instanceof Response) return `status ${cause.status}`
  return cause === undefined ? undefined : wordIn(cause)
}
