import type { Context } from 'koa'
import { domainOf } from '../../../rules/addresses.ts'
import type { Found } from '../../../rules/servers/found.ts'
import type { Provider } from '../../../rules/servers/providers.ts'
import { addressPage, type Entered, loginPage, styleSource, type Wrong } from './page.ts'
import { type At, sayIn } from './visit.ts'
import { adviceOn, type Problem } from './words.ts'

// What the owner of a mailbox is answered with: a page with its headers, or the way to another site.

export function showLate(at: At, account: string, why: 'too_many' | 'late') {
  const say = sayIn(at)
  const text = why === 'too_many' ? say.problems.tries() : say.busy
  const wrong = { fields: {}, login: [{ text }] }
  if (why === 'too_many') at.ctx.set('Retry-After', '3600')
  showAddress(at, why === 'too_many' ? 429 : 503, { account, wrong })
}

export function showAddress(
  at: At,
  status: number,
  { account, wrong }: { account: string; wrong?: Wrong | undefined },
) {
  const isFixed = at.link.account !== null
  show(at, status, addressPage(at.frame, { account, isFixed, wrong }))
}

export function showLogin(
  at: At,
  status: number,
  {
    entered,
    found,
    provider,
    wrong,
  }: {
    entered: Entered
    found?: Found | undefined
    provider?: Provider | undefined
    wrong?: Wrong | undefined
  },
) {
  const say = sayIn(at)
  const domain = domainOf(entered.account)
  const isBare = entered.imapHost === '' && entered.smtpHost === ''
  const unexpected = found?.unexpected ?? []
  const notice =
    provider?.oauth === 'microsoft'
      ? say.problems.consent()
      : isBare
        ? say.problems.no_server(domain)
        : unexpected.length > 0
          ? say.unexpected(domain, unexpected.join(', '))
          : undefined
  const wantsAppPassword = provider?.appPassword === 'always'
  const before: Problem | undefined = wantsAppPassword
    ? 'app_password'
    : provider?.switchOn
      ? 'imap_off'
      : undefined
  const hints = wrong || !before ? [] : adviceOn(before, provider, say)
  const isFixed = at.link.account !== null
  const page = { entered, isFixed, wantsAppPassword, hints, notice, wrong }
  show(at, status, loginPage(at.frame, page))
}

export const show = ({ ctx, link }: At, status: number, body: string) =>
  showPage(ctx, status, body, link.returnTo)

export function showPage(ctx: Context, status: number, body: string, returnTo: string | null) {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.set('Content-Security-Policy', policy(returnTo))
  ctx.body = body
}

/**
 * The forms lead to us, and from there to a provider, which may send its user on to other sites of theirs, or back to who has asked.
 * Browsers hold all of that way to `form-action`.
 */
function policy(returnTo: string | null) {
  const back = returnTo?.startsWith('http:') ? ` ${new URL(returnTo).origin}` : ''
  return `default-src 'none'; style-src ${styleSource}; form-action 'self' https:${back}; base-uri 'none'; frame-ancestors 'none'`
}

export function redirect(ctx: Context, url: string) {
  ctx.status = 303
  ctx.set('Location', url)
  ctx.body = ''
}
