import type { Context } from 'koa'
import { takeLink } from '../../../db/accounts/connect-links.ts'
import { beginConsent } from '../../../db/accounts/connect-tickets.ts'
import { connectMailbox } from '../../../db/inbox/linked.ts'
import { seal } from '../../../db/secrets.ts'
import { askConsent, takeConsent } from '../../../oauth/consent.ts'
import { type Provider as Issuer, settingsOf, sourceOf } from '../../../oauth/provider.ts'
import { OauthTrouble } from '../../../oauth/trouble.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { oauthProviders } from '../../../rules/oauth.ts'
import type { Service } from '../../serve.ts'
import { browserOf } from '../browser-cookie.ts'
import { ended, finish } from './ends.ts'
import { languageIn } from './form.ts'
import { messagePage } from './page.ts'
import { redirect, show, showAddress, showPage } from './shown.ts'
import { type At, keyOf, logged, requestFor, sayIn } from './visit.ts'
import { languages, type PageLanguage, words } from './words.ts'

// The consent of a provider, in place of a password: the way there, and the way back.

export async function setOut(
  at: At,
  account: string,
  provider: 'google' | 'microsoft',
  browser: string,
) {
  const { ctx, service, link, frame, redirectUri } = at
  try {
    const { url, ...checks } = await askConsent(
      issuerOf(service, provider),
      { loginHint: account, redirectUri },
      service.deployment.webhookAllowPrivate,
    )
    const way = { ...checks, account, provider, language: frame.language, browser }
    if (!(await beginConsent(service.db, keyOf(service), link, way))) return ended(at)
    redirect(ctx, url)
  } catch (error) {
    if (!(error instanceof OauthTrouble)) throw error
    logged(at, error.code)
    const wrong = { fields: {}, login: [{ text: sayIn(at).problems.provider_away() }] }
    showAddress(at, 502, { account, wrong })
  }
}

/** Our client at a provider that is known by name. @throws OauthTrouble. */
function issuerOf(service: Service, oauth: 'google' | 'microsoft'): Issuer {
  const deps = { secretKey: keyOf(service), oauth: service.oauth }
  const source = sourceOf(deps, { id: '', account: '', oauth, secrets: null })
  if ('url' in source) throw new OauthTrouble('oauth_unconfigured')
  return source
}

/**
 * The owner of a mailbox comes back from its provider. False if it is not the way back of a link. The address of the link is not
 * kept, so whatever has gone wrong is said with the words to open it once more.
 */
export async function comeBackToLink(
  ctx: Context,
  service: Service,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<boolean> {
  const key = keyOf(service)
  const browser = browserOf(ctx, service.deployment.publicUrl)
  const found = await takeLink(service.db, key, { state, browser })
  if (!found) return false
  if (found === 'another browser' || browser === undefined) {
    const language = (ctx.acceptsLanguages([...languages]) || 'en') as PageLanguage
    const { elsewhereTitle: title, elsewhere } = words[language]
    showPage(ctx, 403, messagePage(language, { title, paragraphs: [elsewhere] }), null)
    return true
  }
  const { link, account, provider, verifier, nonce } = found
  const language = languageIn(found.language) ?? 'en'
  const frame = { language, asking: { workspace: link.workspaceName, member: link.memberName } }
  const at: At = { ctx, service, link, frame, redirectUri }
  const say = sayIn(at)
  const failed = (status: number, problem: BackWith, code: string = problem) => {
    logged(at, code)
    const paragraphs = [say.problems[problem](), say.openAgain]
    show(at, status, messagePage(language, { title: say.cancelledTitle, paragraphs }))
    return true
  }
  const current = new URL(`${redirectUri}${ctx.search}`)
  const issuer = issuerOf(service, provider)
  const checks = { state, verifier, nonce }
  const { webhookAllowPrivate } = service.deployment
  let consent: Awaited<ReturnType<typeof takeConsent>>
  try {
    consent = await takeConsent(issuer, current, checks, webhookAllowPrivate)
  } catch (error) {
    if (!(error instanceof OauthTrouble)) throw error
    const isAway = error.code === 'oauth_unreachable' || error.code === 'oauth_busy'
    return failed(502, isAway ? 'provider_away' : 'provider_failed', error.code)
  }
  if ('error' in consent) {
    const isDenied = consent.error === 'access_denied'
    return failed(isDenied ? 403 : 502, isDenied ? 'consent_denied' : 'provider_failed')
  }
  const { addresses, owner, accessToken, refreshToken, expiresAt } = consent
  if (!addresses.some((address) => comparedForm(address) === comparedForm(account)))
    return failed(403, 'another_account')
  const { smtp, imap } = oauthProviders[provider]
  const made = await connectMailbox(service.db, key, link, {
    request: requestFor(at, account, { smtp, imap, oauth: provider }),
    secrets: {},
    tokens: (id) => ({
      accessToken: seal(key, accessToken, { in: 'logins.accessToken', id }),
      expiresAt,
      ...(refreshToken && {
        refreshToken: seal(key, refreshToken, { in: 'logins.refreshToken', id }),
      }),
      settings: settingsOf(issuer),
      ...(owner !== undefined && { owner }),
    }),
    browser,
    now: service.clock.now(),
  })
  await finish(at, account, made, browser)
  return true
}

type BackWith = 'consent_denied' | 'another_account' | 'provider_failed' | 'provider_away'
