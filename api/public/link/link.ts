import type { Context } from 'koa'
import type { Link } from '../../../db/accounts/connect-links.ts'
import { comparedForm, domainOf, readEmail } from '../../../rules/addresses.ts'
import { playedServers } from '../../../rules/sandbox/mode.ts'
import { providerOfDomain } from '../../../rules/servers/providers.ts'
import type { Service } from '../../serve.ts'
import { browserOf, knowBrowser } from '../browser-cookie.ts'
import { setOut } from './consent.ts'
import { cancelled, ended } from './ends.ts'
import { type Form, languageIn, readForm } from './form.ts'
import { logIn } from './log-in.ts'
import type { Frame } from './page.ts'
import { enteredWith, find } from './servers.ts'
import { showAddress, showLate, showLogin } from './shown.ts'
import { type At, sayIn } from './visit.ts'
import { languages, type PageLanguage } from './words.ts'

// The page of a link with which the owner of a mailbox connects it. It asks for the address, and then leads to the consent of the
// provider, or asks for the password, shows to which servers that goes, and tries it. Nothing is kept between the steps but in the
// form; the password is not shown again.

export async function linkPage(ctx: Context, service: Service, link: Link, redirectUri: string) {
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined
  const at: At = { ctx, service, link, frame: frameOf(ctx, link, form), redirectUri }
  const { publicUrl } = service.deployment
  const isReader = form !== undefined && browserOf(ctx, publicUrl) !== undefined
  const browser = knowBrowser(ctx, publicUrl)
  if (!link.isOpen) return ended(at, form && { browser, account: form.account })
  if (!form) return showAddress(at, 200, { account: link.account ?? '' })
  // A form that another site has sent comes without the cookie, as does that of a browser that keeps none.
  if (!isReader) {
    const wrong = { fields: {}, more: [sayIn(at).cookies] }
    return showAddress(at, 403, { account: link.account ?? form.account, wrong })
  }
  if (form.isCancelled) return cancelled(at)
  const account = readAccount(at, form)
  if (account === undefined) return
  if (form.isLogin) return logIn(at, { ...form, account }, browser)
  return lookUp(at, account, browser)
}

function frameOf(ctx: Context, link: Link, form: Form | undefined): Frame {
  ctx.vary('Accept-Language')
  const asked = form?.language ?? languageIn(ctx.URL.searchParams.get('lang'))
  const language = asked ?? (ctx.acceptsLanguages([...languages]) || 'en')
  return {
    language: language as PageLanguage,
    asking: { workspace: link.workspaceName, member: link.memberName },
  }
}

/** The address; undefined once the page has asked for another one. */
function readAccount(at: At, { account }: Form): string | undefined {
  const { link } = at
  const say = sayIn(at)
  const read = readEmail(account)
  if (!read) {
    const wrong = { fields: { account: say.faults.account } }
    showAddress(at, 422, { account: link.account ?? account, wrong })
    return undefined
  }
  if (link.account !== null && comparedForm(link.account) !== read.value) {
    showAddress(at, 422, { account: link.account, wrong: { fields: { fixed: say.faults.fixed } } })
    return undefined
  }
  return read.given
}

async function lookUp(at: At, account: string, browser: string) {
  const found = await find(at, account)
  if (found === 'too_many' || found === 'late') return showLate(at, account, found)
  // The owner of a mailbox of a sandbox is led to no provider.
  const isPlayed = found?.smtp?.host === playedServers.smtp.host
  const provider = isPlayed ? undefined : (found?.provider ?? providerOfDomain(domainOf(account)))
  const consent = provider?.oauth && at.service.oauth?.[provider.oauth]
  if (provider?.oauth && consent) return setOut(at, account, provider.oauth, browser)
  if (provider && !provider.imap && !found?.imap)
    return showAddress(at, 422, {
      account,
      wrong: { fields: {}, login: [{ text: sayIn(at).problems.no_access(provider.name) }] },
    })
  return showLogin(at, 200, { entered: enteredWith(account, found), found, provider })
}
