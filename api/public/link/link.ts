import type { Context } from 'koa'
import { ZodError } from 'zod'
import {
  findLinkAgain,
  giveTryBack,
  type Link,
  madeFor,
  takeLink,
  takeTry,
} from '../../../db/accounts/connect-links.ts'
import { beginConsent } from '../../../db/accounts/connect-tickets.ts'
import type { TriedLogin, VerificationRequest } from '../../../db/accounts/tables.ts'
import { connectMailbox, type Linked } from '../../../db/inbox/linked.ts'
import { type SecretKey, seal } from '../../../db/secrets.ts'
import { askConsent, takeConsent } from '../../../oauth/consent.ts'
import { type Provider as Issuer, settingsOf, sourceOf } from '../../../oauth/provider.ts'
import { OauthTrouble } from '../../../oauth/trouble.ts'
import { comparedForm, domainOf, readEmail } from '../../../rules/addresses.ts'
import type { LoginProblem } from '../../../rules/answers/login.ts'
import { usualEmailLimits } from '../../../rules/budgets.ts'
import { oauthProviders } from '../../../rules/oauth.ts'
import { ledBack } from '../../../rules/return-to.ts'
import type { Found } from '../../../rules/servers/found.ts'
import {
  isExpectedHost,
  type Provider,
  providerOfDomain,
  providerOfHost,
} from '../../../rules/servers/providers.ts'
import { ApiError } from '../../http/errors.ts'
import { openUnproven } from '../../http/unproven.ts'
import type { Service } from '../../serve.ts'
import { Password, ServerEdit, serverOf } from '../../shapes/mail-servers.ts'
import { browserOf, knowBrowser } from '../browser-cookie.ts'
import {
  addressPage,
  type Entered,
  type Frame,
  loginPage,
  messagePage,
  styleSource,
  type Wrong,
} from './page.ts'
import { verify } from './verify.ts'
import {
  adviceOn,
  type Fault,
  languages,
  type PageLanguage,
  type Problem,
  type Words,
  words,
} from './words.ts'

// The page of a link with which the owner of a mailbox connects it. It asks for the address, and then leads to the consent of the
// provider, or asks for the password, shows to which servers that goes, and tries it. Nothing is kept between the steps but in the
// form; the password is not shown again. One file, because each step ends with one of the others.

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

/** `redirectUri`: where a provider sends the owner back. */
type At = { ctx: Context; service: Service; link: Link; frame: Frame; redirectUri: string }

const sayIn = ({ frame }: At): Words => words[frame.language]

// What was sent.

type Form = Entered & {
  password: string
  language: PageLanguage | undefined
  isCancelled: boolean
  /** It has the fields of the second step. */
  isLogin: boolean
}

const formBytes = 16 * 1024

async function readForm(ctx: Context): Promise<Form> {
  const pieces: Buffer[] = []
  const intake = openUnproven(ctx)
  try {
    await intake.receive(ctx, formBytes, (piece) => void pieces.push(piece))
  } finally {
    intake.close()
  }
  const given = new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
  const line = (name: string) => (given.get(name) ?? '').trim().slice(0, 320)
  return {
    account: line('account'),
    user: line('user'),
    imapHost: line('imapHost').toLowerCase(),
    imapPort: line('imapPort'),
    smtpHost: line('smtpHost').toLowerCase(),
    smtpPort: line('smtpPort'),
    password: given.get('password') ?? '',
    language: languageIn(given.getAll('lang').at(-1)),
    isCancelled: given.has('cancel'),
    isLogin: given.has('password'),
  }
}

const languageIn = (text: string | null | undefined) => languages.find((one) => one === text)

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

// Where the mailbox is.

async function lookUp(at: At, account: string, browser: string) {
  const found = await find(at, account)
  if (found === 'too_many' || found === 'late') return showLate(at, account, found)
  const provider = found?.provider ?? providerOfDomain(domainOf(account))
  const consent = provider?.oauth && at.service.oauth?.[provider.oauth]
  if (provider?.oauth && consent) return setOut(at, account, provider.oauth, browser)
  if (provider && !provider.imap && !found?.imap)
    return showAddress(at, 422, {
      account,
      wrong: { fields: {}, login: [{ text: sayIn(at).problems.no_access(provider.name) }] },
    })
  return showLogin(at, 200, { entered: enteredWith(account, found), found, provider })
}

/** The servers of a mailbox; undefined if its domain names none. */
async function find(at: At, account: string): Promise<Found | undefined | 'too_many' | 'late'> {
  const { service, link } = at
  const request = { ...requestFor(at, account, { smtp: null, imap: null }), discover: true }
  const outcome = await verify(service, keyOf(service), link, request, {})
  return typeof outcome === 'string' ? outcome : outcome.found
}

const enteredWith = (account: string, found: Found | undefined): Entered => {
  const { imap, smtp } = found ?? {}
  const user = imap?.user ?? smtp?.user ?? account
  return {
    account,
    user: user === account ? '' : user,
    imapHost: imap?.host ?? '',
    imapPort: String(imap?.port ?? 993),
    smtpHost: smtp?.host ?? '',
    smtpPort: String(smtp?.port ?? 465),
  }
}

// The consent of a provider.

async function setOut(at: At, account: string, provider: 'google' | 'microsoft', browser: string) {
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

// The password.

async function logIn(at: At, form: Form, browser: string): Promise<void> {
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
  if (isGuess && left === 0) return say422(at, say.closedTitle, [say.closed])
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

/** The servers as they were entered, by the rules of POST …/connections; without them, what is wrong with which field. */
function readServers(at: At, entered: Entered, password: string) {
  const { faults, problems } = sayIn(at)
  const { account, user } = entered
  const fields: Wrong['fields'] = {}
  if (!Password.safeParse(password).success) fields.password = faults.password
  // Each member by itself, so that all that is wrong is said at once.
  const sound = (kind: 'imap' | 'smtp', name: Fault, given: object, host: string) => {
    try {
      return serverOf(
        kind,
        ServerEdit.parse({ host: 'host.example', ...given }),
        { account },
        {
          mailAllowPrivate: at.service.deployment.mailAllowPrivate,
        },
      )
    } catch (error) {
      const isPrivate = error instanceof ApiError && error.code === 'private_address'
      if (!(error instanceof ApiError || error instanceof ZodError)) throw error
      fields[name] = isPrivate ? problems.private_address(host) : faults[name]
      return undefined
    }
  }
  const server = (kind: 'imap' | 'smtp', host: string, port: string) => {
    const named = sound(kind, `${kind}Host`, { host }, host)
    const reached = sound(kind, `${kind}Port`, { port: Number(port) }, host)
    const known = sound(kind, 'user', user ? { user } : {}, host)
    return named && reached && known
      ? { ...reached, host: named.host, ...(known.user && { user: known.user }) }
      : undefined
  }
  const imap = server('imap', entered.imapHost, entered.imapPort)
  const smtp = server('smtp', entered.smtpHost, entered.smtpPort)
  const filesSent = imap && providerOfHost(imap.host)?.imap?.filesSent
  const isSound = imap && smtp && fields.password === undefined
  return {
    fields,
    servers: isSound ? { smtp, imap: { ...imap, ...(filesSent && { filesSent }) } } : undefined,
  }
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

/** What a connection is made from. */
function requestFor(
  { link, service }: At,
  account: string,
  how: Pick<VerificationRequest, 'smtp' | 'imap' | 'oauth'>,
): VerificationRequest {
  return {
    account,
    member: link.member,
    name: account,
    limits: usualEmailLimits,
    ...how,
    discover: false,
    publicOnly: !service.deployment.mailAllowPrivate,
    // The page itself keeps it, and uses up its link, in one transaction.
    save: 'never',
    client: link.clientId === null ? null : { id: link.clientId, name: link.clientName ?? '' },
    key: null,
    instance: '',
  }
}

// How it ends.

async function finish(at: At, account: string, made: Linked, browser: string) {
  const { service, link } = at
  const say = sayIn(at)
  if (made.outcome === 'connected') {
    if (!made.lasts)
      service.log.warn(
        { connection: made.connection },
        'The provider gives no refresh token, so this consent ends with its access token.',
      )
    return connected(at, made.connection, account)
  }
  // A second click has found what the first one has made.
  const now = await findLinkAgain(service.db, link)
  const before = now && madeFor(now, browser)
  if (before !== undefined) return connected(at, before, account)
  if (made.outcome === 'ended') return ended(at)
  service.log.info(
    { workspace: link.workspace },
    'A mailbox that is there already was not added again.',
  )
  show(
    at,
    409,
    messagePage(at.frame.language, {
      title: say.knownTitle,
      paragraphs: [say.known(link.workspaceName)],
    }),
  )
}

function connected(at: At, connection: string, account: string) {
  const { ctx, link, frame } = at
  if (link.returnTo)
    return redirect(ctx, ledBack(link.returnTo, { state: 'connected', connection }))
  const say = sayIn(at)
  const paragraphs = [say.done(account)]
  show(at, 200, messagePage(frame.language, { title: say.doneTitle, paragraphs, isGood: true }))
}

function cancelled(at: At) {
  const { ctx, link, frame } = at
  if (link.returnTo) return redirect(ctx, ledBack(link.returnTo, { state: 'cancelled' }))
  const say = sayIn(at)
  show(
    at,
    200,
    messagePage(frame.language, { title: say.cancelledTitle, paragraphs: [say.cancelled] }),
  )
}

/** The link has ended; for a second click of the browser that has ended it, as it should. */
function ended(at: At, reader?: { browser: string; account: string }) {
  const { link, frame } = at
  const made = reader && madeFor(link, reader.browser)
  if (made !== undefined) return connected(at, made, reader?.account ?? '')
  const say = sayIn(at)
  show(at, 410, messagePage(frame.language, { title: say.goneTitle, paragraphs: [say.gone] }))
}

const say422 = (at: At, title: string, paragraphs: string[]) =>
  show(at, 422, messagePage(at.frame.language, { title, paragraphs }))

function showLate(at: At, account: string, why: 'too_many' | 'late') {
  const say = sayIn(at)
  const text = why === 'too_many' ? say.problems.tries() : say.busy
  const wrong = { fields: {}, login: [{ text }] }
  if (why === 'too_many') at.ctx.set('Retry-After', '3600')
  showAddress(at, why === 'too_many' ? 429 : 503, { account, wrong })
}

function showAddress(
  at: At,
  status: number,
  { account, wrong }: { account: string; wrong?: Wrong | undefined },
) {
  const isFixed = at.link.account !== null
  show(at, status, addressPage(at.frame, { account, isFixed, wrong }))
}

function showLogin(
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

const show = ({ ctx, link }: At, status: number, body: string) =>
  showPage(ctx, status, body, link.returnTo)

function showPage(ctx: Context, status: number, body: string, returnTo: string | null) {
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

function redirect(ctx: Context, url: string) {
  ctx.status = 303
  ctx.set('Location', url)
  ctx.body = ''
}

/** Tells the operator; neither the owner nor their link is named. */
function logged({ ctx, service, link }: At, code: string) {
  ctx.state['log'] = { ...ctx.state['log'], code, isLogged: true }
  service.log.warn({ workspace: link.workspace, code }, 'A mailbox was not connected by its link.')
}

function keyOf({ secretKey }: Service): SecretKey {
  if (secretKey === undefined) throw new OauthTrouble('oauth_unconfigured')
  return secretKey
}
