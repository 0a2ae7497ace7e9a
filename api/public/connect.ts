import type { Context } from 'koa'
import { findLink } from '../../db/accounts/connect-links.ts'
import {
  beginConsent,
  findTicket,
  type Ticket,
  takeState,
} from '../../db/accounts/connect-tickets.ts'
import { connectAccount } from '../../db/inbox/connected.ts'
import { SealError, seal } from '../../db/secrets.ts'
import { askConsent, takeConsent } from '../../oauth/consent.ts'
import { plainCode } from '../../oauth/grants.ts'
import { type Provider, settingsOf, sourceOf } from '../../oauth/provider.ts'
import { OauthTrouble } from '../../oauth/trouble.ts'
import { oauthProviders, tokensFrom, whatToDo, whyOf } from '../../rules/oauth.ts'
import { escaped } from '../reference/docs/markdown.ts'
import type { Service } from '../serve.ts'
import { browserOf, knowBrowser } from './browser-cookie.ts'
import { comeBackToLink } from './link/consent.ts'
import { linkPage } from './link/link.ts'

// The page on which the owner of an account consents, its way to the provider, and the way back. The link is the proof: it is
// sent to one person, and leads nowhere but to the consent of one account. It may be opened on several devices; the one whose
// button is pressed gets a cookie, without which nobody comes back. Otherwise whoever has the link could send the provider's
// address to somebody else, whose click there would connect their mailbox.
// One file, because each step ends with words of its own for the owner.

/** The address at which the provider sends the owner back; it has to be entered there. */
const callbackOf = (publicUrl: string) => `${publicUrl}/connect/callback`

export async function connectPage(ctx: Context, service: Service) {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('X-Content-Type-Options', 'nosniff')
  const way: Way = {}
  try {
    if (/^\/connect\/callback\/?$/.test(ctx.path)) await comeBack(ctx, service, way)
    else await setOut(ctx, service, way)
  } catch (error) {
    if (!(error instanceof OauthTrouble || error instanceof SealError)) throw error
    const isSealed = error instanceof SealError
    const code = isSealed ? 'password_unreadable' : error.code
    const word = isSealed ? undefined : error.word
    // The code was used already, or took too long.
    if (code === 'consent_needed') return refuse(ctx, service, way, word ?? 'invalid_grant')
    const { ticket } = way
    const from = tokensFrom(ticket?.oauth)
    const why = whyOf(code, word, from)
    const todo = ticket && whatToDo(code, { id: ticket.connection, oauth: ticket.oauth }, 'API')
    log(ctx, service, way, { code, why, more: todo })
    const isAway = code === 'oauth_unreachable' || code === 'oauth_busy'
    const title = oauthTitle(ticket?.oauth)
    const isUnknown = code === 'oauth_unconfigured' && title !== undefined
    if (isAway) say(ctx, 502, sayings.unreachable)
    else if (code === 'oauth_error') say(ctx, 502, sayings.refused(code))
    else if (isUnknown) say(ctx, 503, sayings.unknown(title))
    else say(ctx, 500, sayings.refused(code))
  }
}

/** Whose way it is, once that is known. */
type Way = { ticket?: Ticket }

/** Tells the operator why an account could not be connected. Neither the owner nor their link is named. */
function log(
  ctx: Context,
  service: Service,
  { ticket }: Way,
  { code, why = code, more }: { code: string; why?: string; more?: string | undefined },
) {
  const connection = ticket?.connection
  ctx.state['log'] = {
    ...ctx.state['log'],
    code,
    ...(connection && { connection }),
    isLogged: true,
  }
  const text = `The account ${connection} was not connected (${why}).${more ? ` ${more}` : ''}`
  service.log.warn({ connection, code }, text)
}

/** The provider sends the owner back without a consent, or with one that is worth nothing. */
function refuse(ctx: Context, service: Service, way: Way, error: string) {
  const isDenied = error === 'access_denied'
  const more = isDenied ? 'The owner has not agreed.' : 'The provider refuses.'
  log(ctx, service, way, { code: 'consent_refused', why: error, more })
  say(ctx, isDenied ? 403 : 502, isDenied ? sayings.denied : sayings.failed(error))
}

const oauthTitle = (oauth: Ticket['oauth'] | undefined) =>
  oauth === 'google' || oauth === 'microsoft' ? oauthProviders[oauth].title : undefined

async function setOut(ctx: Context, service: Service, way: Way) {
  const token = /^\/connect\/([\w-]{20,200})\/?$/.exec(ctx.path)?.[1]
  if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) {
    ctx.set('Allow', 'GET, HEAD, POST')
    return say(ctx, 405, sayings.notValid)
  }
  const ticket = token === undefined ? undefined : await findTicket(service.db, token)
  const link = token === undefined || ticket ? undefined : await findLink(service.db, token)
  if (link) return linkPage(ctx, service, link, callbackOf(service.deployment.publicUrl))
  if (ctx.method === 'POST') ctx.req.resume()
  if (!ticket) return say(ctx, 404, sayings.notValid)
  way.ticket = ticket
  const { provider } = providerOf(service, ticket)
  // A program that looks at links, such as a scanner of mail, only opens the page.
  if (ctx.method !== 'POST')
    return say(ctx, 200, sayings.question(ticket, provider.title), provider.issuer)
  const { publicUrl, webhookAllowPrivate } = service.deployment
  const { url, ...checks } = await askConsent(
    provider,
    { loginHint: loginsOf(ticket)[0] as string, redirectUri: callbackOf(publicUrl) },
    webhookAllowPrivate,
  )
  const browser = knowBrowser(ctx, publicUrl)
  if (!(await beginConsent(service.db, keyOf(service), ticket, { ...checks, browser })))
    return say(ctx, 404, sayings.notValid)
  ctx.status = 303
  ctx.set('Location', url)
  ctx.body = ''
}

async function comeBack(ctx: Context, service: Service, way: Way) {
  if (ctx.method !== 'GET') {
    ctx.set('Allow', 'GET')
    return say(ctx, 405, sayings.notValid)
  }
  const { deployment, db, clock } = service
  const answer = ctx.URL.searchParams
  const state = answer.get('state') ?? ''
  // It is no answer of a provider (RFC 6749, 4.1.2), and leaves the way back open for one.
  if (state === '' || !(answer.get('code') || answer.get('error')))
    return say(ctx, 400, sayings.notValid)
  const browser = browserOf(ctx, deployment.publicUrl)
  const found = await takeState(db, keyOf(service), { state, browser })
  const redirectUri = callbackOf(deployment.publicUrl)
  if (!found && (await comeBackToLink(ctx, service, { state, redirectUri }))) return
  if (found === 'another browser') return say(ctx, 403, sayings.elsewhere)
  if (!found) return say(ctx, 404, sayings.stale)
  const { ticket, ...secrets } = found
  way.ticket = ticket
  const { provider, settings } = providerOf(service, ticket)
  const current = new URL(`${redirectUri}${ctx.search}`)
  const checks = { ...secrets, state }
  const consent = await takeConsent(provider, current, checks, deployment.webhookAllowPrivate)
  if ('error' in consent) return refuse(ctx, service, way, plainCode(consent.error) ?? 'error')
  const expected = loginsOf(ticket)
  const { addresses, owner, accessToken, refreshToken, expiresAt } = consent
  if (addresses.length === 0) {
    const more = 'The provider does not say whose account it is.'
    log(ctx, service, way, { code: 'account_unproven', more })
    return say(ctx, 403, sayings.nameless(ticket.account))
  }
  if (!addresses.some((address) => expected.includes(address))) {
    const more = 'Its owner has agreed as another account.'
    log(ctx, service, way, { code: 'another_account', more })
    return say(ctx, 403, sayings.another(ticket.account, addresses[0] as string))
  }
  const id = ticket.connection
  const sealed = (text: string, column: 'accessToken' | 'refreshToken') =>
    seal(keyOf(service), text, { in: `logins.${column}`, id })
  const connected = await connectAccount(
    db,
    ticket,
    {
      accessToken: sealed(accessToken, 'accessToken'),
      expiresAt,
      ...(refreshToken && { refreshToken: sealed(refreshToken, 'refreshToken') }),
      settings,
      owner,
    },
    clock.now(),
  )
  if (!connected) return say(ctx, 404, sayings.stale)
  if (connected === 'another') {
    const more = 'Somebody else with the same address consented before.'
    log(ctx, service, way, { code: 'another_owner', more })
    return say(ctx, 403, sayings.anotherOwner(ticket.account))
  }
  if (!connected.lasts)
    service.log.warn(
      { connection: id },
      `The provider gives no refresh token for ${id}, so this consent ends at ${expiresAt.toISOString()}. Add the scope with which it gives one, such as offline_access, to its scopes in the workspace file.`,
    )
  say(ctx, 200, sayings.done(ticket.account))
}

/** The names under which the account may be logged in to: its address, and a user that the operator's file gives. */
function loginsOf({ account, smtp, imap }: Ticket): string[] {
  const users = [imap?.user, smtp?.user, account]
  return [...new Set(users.flatMap((user) => (user ? [user.trim().toLowerCase()] : [])))]
}

function providerOf(service: Service, ticket: Ticket): { provider: Provider; settings: string } {
  const { connection: id, account, oauth, accountSecrets: secrets } = ticket
  const deps = { secretKey: keyOf(service), oauth: service.oauth }
  const source = sourceOf(deps, { id, account, oauth, secrets })
  if ('url' in source || source.grant !== 'authorization_code')
    throw new OauthTrouble('oauth_unconfigured')
  return { provider: source, settings: settingsOf(source) }
}

function keyOf({ secretKey }: Service) {
  if (secretKey === undefined) throw new OauthTrouble('oauth_unconfigured')
  return secretKey
}

function say(ctx: Context, status: number, said: Said, issuer?: string) {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.set('Content-Security-Policy', policyWith(issuer))
  ctx.body = show(said)
}

/**
 * The form leads to us, and from there to the provider, which may send its user on to another of its own sites. Browsers hold
 * all of that way to `form-action`; the page itself has no other form, and no script.
 */
const policyWith = (issuer: string | undefined) => {
  const onward = issuer === undefined ? '' : ` 'self' https: ${new URL(issuer).origin}`
  return `default-src 'none'; style-src 'unsafe-inline'; form-action${onward || " 'none'"}; base-uri 'none'; frame-ancestors 'none'`
}

// What the pages of a consent say. Whoever reads them owns a mailbox and knows nothing of this service.

type Said = { title: string; paragraphs: string[]; button?: string; isGood?: boolean }

const again = 'Open the link once more and try again. It works for a day.'

const sayings = {
  question: ({ account, workspaceName, memberName }: Ticket, provider: string): Said => ({
    title: `Connect ${account}`,
    paragraphs: [
      `${memberName ? `${memberName} of ${workspaceName}` : workspaceName} asks to send mail from ${account} and to read the answers, with Postroom. If you do not know who that is, close this page.`,
      `You go on to ${provider}, log in there as ${account}, and agree. Your password stays with ${provider}.`,
      `You can take it back at any time in the settings of your account at ${provider}.`,
    ],
    button: `Continue with ${provider}`,
  }),
  done: (account: string): Said => ({
    title: 'Connected',
    paragraphs: [
      `${account} is connected. What was waiting for it goes out now. You may close this page.`,
    ],
    isGood: true,
  }),
  another: (account: string, given: string): Said => ({
    title: 'This is another account',
    paragraphs: [
      `You have agreed as ${given}, but this link is for ${account}. Nothing was connected.`,
      `Log out at the provider, or choose another account there, and log in as ${account}. ${again}`,
    ],
  }),
  anotherOwner: (account: string): Said => ({
    title: 'This is another account',
    paragraphs: [
      `Somebody else has agreed for ${account} before, and the provider says that you are not the same. Nothing was connected.`,
      'If the mailbox was made anew, tell the operator of this service.',
    ],
  }),
  elsewhere: {
    title: 'You come from another browser',
    paragraphs: [
      'This way to the provider was begun in another browser, or your browser keeps no cookies. Nothing was connected.',
      'If somebody sent you an address of the provider, do not open it. If you began here yourself, allow cookies for this page, and open the link that you were given once more.',
    ],
  } as Said,
  nameless: (account: string): Said => ({
    title: 'It is not clear whose account this is',
    paragraphs: [
      `The provider does not confirm that you have agreed as ${account}. Nothing was connected.`,
      'If your address there is not verified yet, verify it and open the link once more. Otherwise tell the operator of this service: the provider has to say the e-mail address of who agrees (the scopes openid and email).',
    ],
  }),
  denied: {
    title: 'Nothing was connected',
    paragraphs: [
      'You have not agreed. If that was a mistake, open the link once more. It works for a day.',
    ],
  } as Said,
  failed: (error: string): Said => ({
    title: 'The provider refuses',
    paragraphs: [
      `The provider says “${error}”. Nothing was connected.`,
      `${again} If it happens again, tell the operator of this service what the provider says; in many firms an administrator has to allow Postroom first.`,
    ],
  }),
  unknown: (provider: string): Said => ({
    title: 'It cannot be connected yet',
    paragraphs: [
      `Postroom is not set up for ${provider} yet (oauth_unconfigured). Please tell the operator of this service.`,
    ],
  }),
  refused: (code: string): Said => ({
    title: 'It cannot be connected now',
    paragraphs: [
      `Something is not set up as the provider expects it (${code}). Nothing was connected. Please tell the operator of this service.`,
    ],
  }),
  unreachable: {
    title: 'The provider does not answer',
    paragraphs: [`Nothing was connected. ${again}`],
  } as Said,
  stale: {
    title: 'This step was taken already',
    paragraphs: [
      'You have come back from the provider once before, or with another try of yours. If you have seen that your account is connected, all is well.',
      'Otherwise open the link that you were given once more, and start again.',
    ],
  } as Said,
  notValid: {
    title: 'This link is not valid',
    paragraphs: [
      'It has been used, it is older than a day, or it was cut short. Ask for a new one where you got it from.',
    ],
  } as Said,
}

const show = ({ title, paragraphs, button, isGood }: Said) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
p { overflow-wrap: anywhere }
button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border-radius: .5rem; border: 0; cursor: pointer;
  background: #1a56db; color: #fff }
button:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px }
.good::before { content: "✓ "; color: #15803d }
</style></head><body><main><h1${isGood ? ' class="good"' : ''}>${escaped(title)}</h1>
${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
${button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`}</main></body></html>
`
