import { giveTryBack, takeTry } from '../../../db/accounts/connect-links.ts'
import type { TriedLogin } from '../../../db/accounts/tables.ts'
import { connectMailbox } from '../../../db/inbox/linked.ts'
import { domainOf } from '../../../rules/addresses.ts'
import type { LoginProblem } from '../../../rules/answers/login.ts'
import {
  isExpectedHost,
  type Provider,
  providerOfDomain,
  providerOfHost,
} from '../../../rules/servers/providers.ts'
import { ended, finish } from './ends.ts'
import type { Form } from './form.ts'
import { type Entered, messagePage, type Wrong } from './page.ts'
import { enteredWith, find, readServers } from './servers.ts'
import { show, showLate, showLogin } from './shown.ts'
import { verify } from './verify.ts'
import { type At, keyOf, requestFor, sayIn } from './visit.ts'
import { adviceOn } from './words.ts'

// The login with a password: it is tried at the servers, and what is wrong is said in plain words.

export async function logIn(at: At, form: Form, browser: string): Promise<void> {
  const { service, link } = at
  const { account, password } = form
  const say = sayIn(at)
  const entered = form.imapHost || form.smtpHost ? form : undefined
  if (!entered) return logInWhereFound(at, form, browser)
  const { fields, servers } = readServers(at, entered, password)
  const provider = providerOfHost(entered.imapHost) ?? providerOfDomain(domainOf(account))
  if (!servers) return showLogin(at, 422, { entered, provider, wrong: { fields } })
  const left = await takeTry(service.db, link)
  if (left === undefined) return ended(at, { browser, account })
  const request = requestFor(at, account, servers)
  const secrets = { smtp: password, imap: password }
  const outcome = await verify(service, keyOf(service), link, request, secrets)
  const tried = typeof outcome === 'string' ? outcome : [outcome.imap, outcome.smtp]
  const isIn = typeof tried !== 'string' && tried.every((one) => one?.outcome === 'ok')
  const isGuess = typeof tried !== 'string' && tried.some((one) => one && isWrongPassword(one))
  if (!isGuess) await giveTryBack(service.db, link)
  if (isIn) {
    const made = await connectMailbox(service.db, keyOf(service), link, {
      request,
      secrets,
      browser,
      now: service.clock.now(),
    })
    return finish(at, account, made, browser)
  }
  if (tried === 'late' || tried === 'too_many') return showLate(at, account, tried)
  if (isGuess && left === 0) {
    const page = { title: say.closedTitle, paragraphs: [say.closed] }
    return show(at, 422, messagePage(at.frame.language, page))
  }
  const wrong = wrongLogin(at, entered, tried as TriedLogin[], provider)
  if (isGuess) wrong.more?.push(say.triesLeft(left))
  showLogin(at, 422, { entered, provider, wrong })
}

/** A form without servers: those that were found are taken where they may be, without having been shown. */
async function logInWhereFound(at: At, form: Form, browser: string): Promise<void> {
  const { account } = form
  const found = await find(at, account)
  if (found === 'too_many' || found === 'late') return showLate(at, account, found)
  const entered = enteredWith(account, found)
  const areExpected = [entered.imapHost, entered.smtpHost].every(
    (host) => host !== '' && isExpectedHost(host, domainOf(account)),
  )
  const user = form.user || entered.user
  if (areExpected) return logIn(at, { ...form, ...entered, user }, browser)
  const wrong = { fields: {}, more: [sayIn(at).retype] }
  showLogin(at, 422, { entered: { ...entered, user }, found, provider: found?.provider, wrong })
}

/** Whether a login may have been a guess. */
const isWrongPassword = (tried: TriedLogin) =>
  tried.outcome === 'login_failed' && guessed.includes(tried.problem)
const guessed: readonly TriedProblem[] = ['wrong_password', 'app_password']

type TriedProblem = LoginProblem | 'server_unreachable'

function wrongLogin(
  at: At,
  { imapHost, smtpHost, account }: Entered,
  [imap, smtp]: (TriedLogin | null)[],
  provider: Provider | undefined,
): Wrong {
  const say = sayIn(at)
  const told = [
    { host: imapHost, tried: imap },
    { host: smtpHost, tried: smtp },
  ].flatMap(({ host, tried }): { host: string; problem: TriedProblem; said?: string }[] => {
    if (!tried || tried.outcome === 'ok') return []
    if (tried.outcome === 'server_unreachable') return [{ host, problem: tried.outcome }]
    return [{ host, problem: tried.problem, ...(tried.words && { said: tried.words }) }]
  })
  const login = told
    .map(({ host, problem, said }) => ({ text: say.problems[problem](host), said }))
    // Both servers of a provider mean the same by the same password.
    .filter(({ text }, n, all) => n === 0 || text !== all[0]?.text)
  const problem = told[0]?.problem
  const steps = problem ? adviceOn(problem, provider, say) : []
  const name = provider?.name ?? domainOf(account)
  const help = provider?.help ? { text: say.help(name), url: provider.help } : undefined
  const todo = steps.length > 0 || help ? { title: say.howTo(name), steps, help } : undefined
  const isPassword = told.some(({ problem: one }) => guessed.includes(one))
  const fields = isPassword ? { password: say.faults.passwordAgain } : {}
  return { fields, login, ...(todo && { todo }), more: [] }
}
