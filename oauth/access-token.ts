import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  claimLogin,
  findLogin,
  keepTokens,
  type Login,
  needConsent,
  releaseLogin,
} from '../db/accounts/logins.ts'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { seal, unseal } from '../db/secrets.ts'
import { tokensFrom, whatToDo, whyOf } from '../rules/oauth.ts'
import { type Fresh, fromClientCredentials, fromTokenServer, refresh } from './grants.ts'
import { needsOwner, type OauthAccount, type OauthDeps, settingsOf, sourceOf } from './provider.ts'
import { type OauthCode, OauthTrouble } from './trouble.ts'

// The access token of an account: the one that is kept while it is good, and else a new one, for which one process at a time
// asks. A new refresh token is committed before its access token is used, and the former one stays until then. A process that
// dies between the provider's answer and the commit leaves the former one: the next process asks with it as soon as the claim
// has ended, which is within the time for which providers that replace refresh tokens still accept it. Where one does not, its
// owner has to consent again, and gets one notification.

export type TokenDeps = OauthDeps & {
  db: Db
  clock: Clock
  log?: { warn(facts: object, text: string): void }
  crash?(point: string): void
  /** How long it may ask before another one may; by default 15 seconds. */
  claimMs?: number
}

const firstPauseMs = 50
const longestPauseMs = 500
const waitMs = 20_000
// A mail server that refuses tokens for another reason makes nobody ask for one at each try.
const replacedApartMs = 60_000

/**
 * A good access token of an account. `refused` is one that a mail server has refused: it is replaced, once a minute at most.
 * @throws OauthTrouble; SealError.
 */
export async function accessTokenOf(
  deps: TokenDeps,
  account: OauthAccount,
  refused?: string,
): Promise<string> {
  const { db } = deps
  const settings = settingsOf(sourceOf(deps, account))
  const by = randomUUID()
  const until = Date.now() + waitMs
  const atFirst = await findLogin(db, account.id)
  let login: Login | undefined = atFirst
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const good = login && goodToken(deps, account, login, settings, refused)
    if (good !== undefined) return good
    const isKnown = login?.state === 'consent_needed' && login.settings === settings
    if (isKnown && needsOwner(account)) throw new OauthTrouble('consent_needed')
    // Whoever had the claim could not get one: that counts for all who waited for it.
    const failedMeanwhile = login?.failedAt && +login.failedAt !== +(atFirst?.failedAt ?? 0)
    if (login?.problem && failedMeanwhile) throw new OauthTrouble(login.problem as OauthCode)
    if (!login?.isClaimed) {
      const claimed = await claimLogin(db, account.id, by, deps.claimMs)
      if (claimed) return await renew(deps, account, { ...claimed, isClaimed: true }, by, refused)
    }
    if (Date.now() > until) throw new OauthTrouble('oauth_busy')
    await sleep(pauseMs)
    login = await findLogin(db, account.id)
  }
}

function goodToken(
  { secretKey }: OauthDeps,
  { id }: OauthAccount,
  login: Login,
  settings: string,
  refused: string | undefined,
): string | undefined {
  const { accessToken, expiresAt, replacedAt } = login
  if (accessToken === null || login.settings !== settings) return undefined
  if (expiresAt === null || expiresAt.getTime() <= Date.now()) return undefined
  const token = unseal<string>(secretKey, accessToken, { in: 'logins.accessToken', id })
  if (token !== refused) return token
  const wasReplaced = replacedAt !== null && replacedAt.getTime() > Date.now() - replacedApartMs
  return wasReplaced ? token : undefined
}

/** Gets a new token under the claim, unless another one has done so just before. */
async function renew(
  deps: TokenDeps,
  account: OauthAccount,
  login: Login,
  by: string,
  refused: string | undefined,
): Promise<string> {
  const { db, secretKey, clock } = deps
  const { id } = account
  try {
    const source = sourceOf(deps, account)
    const settings = settingsOf(source)
    const good = goodToken(deps, account, login, settings, refused)
    if (good !== undefined) {
      await releaseLogin(db, id, by, null)
      return good
    }
    const fresh = await askFor(deps, account, login, settings)
    deps.crash?.('after-token')
    const { accessToken, refreshToken, expiresAt } = fresh
    const kept = await keepTokens(db, id, login.version, {
      accessToken: seal(secretKey, accessToken, { in: 'logins.accessToken', id }),
      expiresAt,
      ...(refreshToken !== undefined && {
        refreshToken: seal(secretKey, refreshToken, { in: 'logins.refreshToken', id }),
      }),
      settings,
      replaces: refused !== undefined,
    })
    if (kept) return accessToken
    // Others have kept newer ones meanwhile.
    const newer = await findLogin(db, id)
    const token = newer && goodToken(deps, account, newer, settings, refused)
    if (token === undefined) throw new OauthTrouble('oauth_busy')
    return token
  } catch (error) {
    const code = error instanceof OauthTrouble ? error.code : 'oauth_error'
    if (code === 'consent_needed' && needsOwner(account)) {
      const settings = settingsOf(sourceOf(deps, account))
      const isTold = await needConsent(db, id, login.version, settings, clock.now())
      if (isTold) deps.log?.warn({ connection: id, code }, endedText(account, error))
      // Not if others have kept newer tokens meanwhile, with the token that the provider has just refused.
      const newer = await findLogin(db, id)
      const good = newer && goodToken(deps, account, newer, settings, refused)
      if (good !== undefined) return good
    }
    await releaseLogin(db, id, by, code)
    throw error
  }
}

/** For the operator, at the moment when it happens: a campaign that waits, and a mailbox that is still open, say nothing. */
function endedText({ id, oauth }: OauthAccount, error: unknown) {
  const code = 'consent_needed'
  const word = error instanceof OauthTrouble ? error.word : undefined
  const why = whyOf(code, word, tokensFrom(oauth))
  return `The consent for the account ${id} has ended (${why}). ${whatToDo(code, { id, oauth })}`
}

async function askFor(
  deps: TokenDeps,
  account: OauthAccount,
  login: Login,
  settings: string,
): Promise<Fresh> {
  const source = sourceOf(deps, account)
  const allowPrivate = deps.webhookAllowPrivate === true
  if ('url' in source) return fromTokenServer(source, account, allowPrivate)
  if (source.grant === 'client_credentials') return fromClientCredentials(source, allowPrivate)
  const isOfProvider = login.settings === settings && login.refreshToken !== null
  if (!isOfProvider || login.refreshToken === null) throw new OauthTrouble('consent_needed')
  const place = { in: 'logins.refreshToken', id: account.id } as const
  return refresh(source, unseal<string>(deps.secretKey, login.refreshToken, place), allowPrivate)
}
