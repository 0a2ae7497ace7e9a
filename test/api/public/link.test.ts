import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Context } from 'mocha'
import type { BrowserContext, Page } from 'playwright-core'
import type { Ask } from '../../../activities/ports/mail/discover.ts'
import { testBrowser } from '../../support/browser.ts'
import { testDovecot } from '../../support/dovecot.ts'
import { shownEvents } from '../../support/events.ts'
import { testProvider } from '../../support/oauth.ts'
import { guardedSmtp } from '../../support/refusing-mail.ts'
import { startService, type TestService } from '../../support/service.ts'

const password = 'secret'
const app = 'http://127.0.0.1:1'

describe('the page on which the owner of a mailbox connects it', function () {
  this.timeout(90_000)
  let service: TestService
  let imapPort: number
  let smtp: Awaited<ReturnType<typeof guardedSmtp>>
  let admin: Awaited<ReturnType<TestService['administration']>>
  const lines: string[] = []
  /** What the name servers say of a domain. */
  const srv = new Map<string, { imap: string; smtp: string }>()
  const askServers: Ask = {
    mx: async () => [],
    async srv(name) {
      const [service = '', , ...rest] = name.split('.')
      const found = srv.get(rest.join('.'))
      const hosts = { _imaps: found?.imap, _submissions: found?.smtp } as Record<string, string>
      const host = hosts[service]
      if (!host) return []
      return [{ name: host, port: service === '_imaps' ? 993 : 465, priority: 0, weight: 0 }]
    },
    document: async () => undefined,
  }
  before(async function () {
    imapPort = (await testDovecot(this.test?.ctx as Context)).port
    smtp = await guardedSmtp(password)
    service = await startService({
      ownLinks: true,
      returnOrigins: ['https://app.example.com', app],
      logged: (line) => void lines.push(line),
    })
    admin = await service.administration()
    await service.work(this.test?.ctx as Context, { askServers }, { only: ['rows', 'remote'] })
  })
  after(() => service.close())

  let count = 0
  async function given(asked: object = {}) {
    const workspace = await service.workspace()
    const domain = `firm-${++count}.example`
    const account = `bo@${domain}`
    const link = async (more: object = {}, by = admin.call) => {
      const body = { member: workspace.member, ...asked, ...more }
      const made = await by('POST', `/workspaces/${workspace.id}/links`, body)
      equal(made.status, 200, made.text)
      return made.body as { url: string; expiresAt: string }
    }
    const servers = {
      imapHost: '127.0.0.1',
      imapPort: String(imapPort),
      smtpHost: '127.0.0.1',
      smtpPort: String(smtp.port),
    }
    const connections = async () => {
      const { channels } = (await workspace.call('GET', '/channels')).body
      return channels.filter((one: { account: string }) => one.account === account)
    }
    const kinds = async () =>
      (await shownEvents(service, workspace))
        .map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('channel.'))
    return { ...workspace, domain, account, link, servers, connections, kinds }
  }

  /** Sends forms as a browser does, with the cookie of the page. */
  function reader(language = 'en') {
    let cookie = ''
    return async (url: string, form?: Record<string, string>) => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { 'accept-language': language, ...(cookie && { cookie }) },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const { status, headers } = response
      return { status, headers, text: await response.text() }
    }
  }

  it('is walked in a browser, in German: a wrong password, the right one, and back', async function () {
    const browser = await testBrowser(this.test?.ctx as Context)
    const { link, account, servers, connections, kinds, id } = await given()
    const { url } = await link({ returnTo: `${app}/done?tenant=5` })
    const context: BrowserContext = await browser.newContext({
      locale: 'de-DE',
      colorScheme: 'dark',
      viewport: { width: 400, height: 800 },
      javaScriptEnabled: false,
    })
    const page: Page = await context.newPage()
    const shots = process.env['SHOTS']
    let shot = 0
    const seen = async () => {
      if (shots) await page.screenshot({ path: `${shots}/link-${++shot}.png`, fullPage: true })
    }
    await page.goto(url)
    await page.getByRole('heading', { name: 'Ihr Postfach verbinden' }).waitFor()
    ok((await page.locator('main').innerText()).includes('Ana Ruiz von'))
    await seen()
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByRole('alert').waitFor()
    await seen()
    await page.getByLabel('Ihre E-Mail-Adresse').fill(account)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Am Postfach anmelden' }).waitFor()
    await seen()
    const fill = async (secret: string) => {
      await page.getByLabel('Passwort Ihres Postfachs').fill(secret)
      if (!(await page.locator('#imapHost').isVisible())) await page.locator('summary').click()
      for (const [name, value] of Object.entries(servers))
        await page.locator(`#${name}`).fill(value)
    }
    await fill('falsch')
    await seen()
    await page.getByRole('button', { name: 'Verbinden' }).click()
    await page.getByRole('alert').waitFor()
    const alert = await page.getByRole('alert').innerText()
    match(alert, /127\.0\.0\.1 nimmt diesen Benutzernamen und dieses Passwort nicht an/)
    match(alert, /Sie haben noch 4 Versuche\./)
    equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert')
    equal(await page.locator('#password').inputValue(), '')
    await seen()
    deepEqual(await connections(), [])
    // The application is there: the navigation to it ends before the next one begins.
    await page.route(`${app}/**`, (route) => route.fulfill({ body: 'Done.' }))
    const left = page.waitForRequest((request) => request.url().startsWith(app))
    await fill(password)
    await page.getByRole('button', { name: 'Verbinden' }).click()
    const ledTo = (await left).url()
    await page.waitForURL(ledTo)
    const [connection] = await connections()
    equal(ledTo, `${app}/done?tenant=5&connection=${connection.id}&state=connected`)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor()
    await seen()
    await context.close()

    deepEqual([connection.account, connection.member !== ''], [account, true])
    deepEqual((await kinds()).sort(), [
      'channel.connected',
      'channel.created',
      'channel.link_created',
    ])
    const rows = await valuesOf(service, id)
    for (const secret of [password, 'falsch', url.split('/').at(-1) as string]) {
      ok(!rows.some((row) => row.includes(secret)), secret)
      ok(!lines.some((line) => line.includes(`"${secret}"`) || line.includes(`/${secret}`)), secret)
    }
    ok(!lines.some((line) => line.includes(account)))
  })

  it('asks for nothing but what is needed: the whole login by one form', async () => {
    const { link, account, servers, connections, member } = await given()
    const read = reader()
    const { url, expiresAt } = await link()
    match(url, new RegExp(`^${service.url}/connect/[\\w-]{43}$`))
    ok(Math.abs(Date.parse(expiresAt) - Date.now() - 72 * 3_600_000) < 60_000)
    const first = await read(url)
    equal(first.status, 200)
    match(first.text, /<html lang="en">/)
    match(first.text, /name="account"/)
    const user = `user-${count}`
    const done = await read(url, { account, password, user, ...servers })
    equal(done.status, 200, done.text)
    match(done.text, /Your mailbox is connected/)
    const [connection] = await connections()
    deepEqual([connection.member, connection.alive, connection.name], [member, true, account])
    equal(smtp.logins.at(-1)?.user, user)
    // A second click is answered as the first one; nobody else is.
    equal((await read(url, { account, password, ...servers })).status, 200)
    equal((await read(url)).status, 410)
    const other = reader()
    equal((await other(url)).status, 410)
    equal((await other(url, { account, password, ...servers })).status, 410)
  })

  it('takes a form only from a browser that has its cookie', async () => {
    const { link, account, servers, connections } = await given()
    const { url } = await link()
    const body = new URLSearchParams({ account, password, ...servers })
    const strange = await fetch(url, { method: 'POST', body })
    equal(strange.status, 403)
    match(strange.headers.get('set-cookie') ?? '', /^connect=[\w-]{43}; .*SameSite=Lax$/)
    ok(!(await strange.text()).includes(password))
    deepEqual(await connections(), [])
  })

  it('leads back with what has become of it, and to the origins of the operator alone', async () => {
    const { link, id, member } = await given()
    const { url } = await link({ returnTo: 'https://app.example.com/x?state=a' })
    const read = reader()
    await read(url)
    const cancelled = await read(url, { cancel: 'yes' })
    deepEqual(
      [cancelled.status, cancelled.headers.get('location')],
      [303, 'https://app.example.com/x?state=cancelled'],
    )
    equal((await read(url)).status, 200)
    const plain = await link()
    equal((await read(plain.url, { cancel: 'yes' })).status, 200)
    for (const returnTo of [
      'https://app.example.com.evil.example/',
      'http://app.example.com/',
      '/',
    ]) {
      const body = { member, returnTo }
      const refused = await admin.call('POST', `/workspaces/${id}/links`, body)
      deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/returnTo'])
    }
  })

  it('ends with five wrong passwords', async () => {
    const { link, account, servers, connections } = await given()
    const { url } = await link()
    const read = reader()
    await read(url)
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, text } = await read(url, { account, password: `wrong-${left}`, ...servers })
      equal(status, 422)
      ok(!text.includes(`wrong-${left}`))
      match(
        text,
        left === 0 ? /The password was wrong too often/ : /does not accept this user name/,
      )
    }
    equal((await read(url)).status, 410)
    equal((await read(url, { account, password, ...servers })).status, 410)
    deepEqual(await connections(), [])
  })

  it('ends when it expires, and with the token, the member and the workspace it was made with', async () => {
    const { link, id } = await given()
    const own = await service.administration({ workspace: id })
    const [kept, gone] = [await link(), await link({}, own.call)]
    const read = reader()
    equal((await read(gone.url)).status, 200)
    await service.db
      .updateTable('adminTokens')
      .set({ revokedAt: new Date() })
      .where('workspace', '=', id)
      .execute()
    equal((await read(gone.url)).status, 410)
    equal((await read(kept.url)).status, 200)
    await service.db
      .updateTable('connectTickets')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('workspace', '=', id)
      .execute()
    equal((await read(kept.url)).status, 410)
    equal((await read(`${service.url}/connect/${'x'.repeat(43)}`)).status, 404)
  })

  it('sends no password to hosts that its domain names elsewhere before it has shown them', async () => {
    const { link, account, domain, connections } = await given()
    srv.set(domain, { imap: 'mail.elsewhere.example', smtp: 'mail.elsewhere.example' })
    const { url } = await link()
    const read = reader()
    await read(url)
    const tries = async () =>
      (
        await service.db
          .selectFrom('verifications')
          .selectAll()
          .where('account', '=', account)
          .execute()
      ).filter(({ isLookUp }) => !isLookUp)
    const shown = await read(url, { account, password })
    equal(shown.status, 422)
    match(shown.text, /says that its mailboxes are at mail\.elsewhere\.example/)
    match(shown.text, /name="imapHost" type="text" value="mail\.elsewhere\.example"/)
    deepEqual(await tries(), [])
    const asked = await read(url, { account })
    equal(asked.status, 200)
    match(asked.text, /says that its mailboxes are at mail\.elsewhere\.example/)
    deepEqual(await connections(), [])
  })

  it('names each field that is wrong, and the servers that do not answer', async () => {
    const { link, account, servers } = await given()
    const { url } = await link()
    const read = reader()
    await read(url)
    const bad = await read(url, {
      account,
      password: '',
      imapHost: 'not a host',
      imapPort: 'x',
      smtpHost: '',
      smtpPort: '0',
    })
    equal(bad.status, 422)
    for (const name of ['password', 'imapHost', 'imapPort', 'smtpHost', 'smtpPort']) {
      match(bad.text, new RegExp(`<a href="#${name}">`))
      match(bad.text, new RegExp(`aria-describedby="[^"]*${name}-error"`))
    }
    const away = await read(url, { account, password, ...servers, imapPort: '1025' })
    equal(away.status, 422)
    match(away.text, /No mail server answers at 127\.0\.0\.1/)
    const proton = await read(url, { account: 'bo@proton.me' })
    equal(proton.status, 422)
    match(proton.text, /Proton lets no other program/)
    for (const address of ['', 'bo', 'bo@', '<b>@x'])
      equal((await read(url, { account: address })).status, 422)
  })

  it('is for its one address, if it has one', async () => {
    const { link, account, servers } = await given()
    const { url } = await link({ account: account.toUpperCase() })
    const read = reader()
    match((await read(url)).text, new RegExp(`value="${account}"[^>]* readonly`))
    const other = await read(url, { account: 'eve@evil.example', password, ...servers })
    equal(other.status, 422)
    match(other.text, /This link is for another address/)
    equal((await read(url, { account, password, ...servers })).status, 200)
  })

  it('adds no mailbox twice', async () => {
    const { link, account, servers, connections } = await given()
    for (const status of [200, 409]) {
      const { url } = await link()
      const read = reader()
      await read(url)
      equal((await read(url, { account, password, ...servers })).status, status)
    }
    equal((await connections()).length, 1)
  })

  it('leads to the consent of a provider, and back to who has asked', async () => {
    const provider = await testProvider()
    const { clientId, clientSecret, issuer } = provider
    Object.assign(service.oauth, { google: { clientId, clientSecret, issuer } })
    const { link, call } = await given()
    const account = `bo-${count}@gmail.com`
    const { url } = await link({ returnTo: 'https://app.example.com/' })
    const consent = async (as: string, answer = 'yes', cookieOf = reader('de')) => {
      provider.settings.account = as
      await cookieOf(url)
      const away = await cookieOf(url, { account })
      equal(away.status, 303, away.text)
      const question = await (await fetch(away.headers.get('location') ?? '')).text()
      const [, href = ''] = new RegExp(`id="${answer}" href="([^"]+)"`).exec(question) ?? []
      return { back: href.replaceAll('&amp;', '&'), cookieOf }
    }
    const denied = await consent(account, 'no')
    const said = await denied.cookieOf(denied.back)
    equal(said.status, 403)
    match(said.text, /Sie haben bei Ihrem Anbieter nicht zugestimmt/)
    const other = await consent('eve@gmail.com')
    equal((await other.cookieOf(other.back)).status, 403)
    const { back, cookieOf } = await consent(account)
    equal((await reader()(back)).status, 403)
    const done = await cookieOf(back)
    equal(done.status, 303, done.text)
    const { channels } = (await call('GET', '/channels')).body
    const made = channels.find((one: { account: string }) => one.account === account)
    equal(
      done.headers.get('location'),
      `https://app.example.com/?connection=${made.id}&state=connected`,
    )
    equal(made.problem, null)
    equal(provider.asked.at(-1)?.get('prompt'), 'consent')
    delete service.oauth.google
  })

  it('is kept by no cache, framed by no site, and runs no script', async () => {
    const { link } = await given()
    const { headers, text } = await reader()((await link()).url)
    equal(headers.get('cache-control'), 'no-store')
    equal(headers.get('referrer-policy'), 'no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "style-src 'sha256-"])
      ok(policy.includes(rule), rule)
    ok(!/<script|javascript:|src=|@import|url\(/.test(text))
  })

  it('speaks the language of its reader, who may take the other one', async () => {
    const { link, account } = await given()
    const { url } = await link()
    const read = reader('de-AT,de;q=0.9')
    match((await read(url)).text, /<html lang="de">/)
    match((await read(`${url}?lang=en`)).text, /<html lang="en">/)
    match(
      (await read(url, { account, lang: 'en' })).text,
      /<html lang="en">.*Log in to your mailbox/s,
    )
    match((await reader('fr')(url)).text, /<html lang="en">/)
  })

  it('shows its address once, and is made for members of the workspace alone', async () => {
    const { id, member } = await given()
    const other = await service.workspace()
    const body = { member, expiresInHours: 168 }
    const ask = (given: object, key: string) =>
      admin.call('POST', `/workspaces/${id}/links`, given, { key })
    const key = `links-${id}`
    const [first, again] = [await ask(body, key), await ask(body, key)]
    equal(first.body.url, again.body.url)
    const nothing = { member, account: null, expiresInHours: null, returnTo: null }
    const usual = await ask(nothing, `${key}-null`)
    equal(usual.status, 200, usual.text)
    const hours = (Date.parse(usual.body.expiresAt) - Date.now()) / 3_600_000
    ok(hours > 71 && hours <= 72.1, `${hours} hours`)
    for (const wrong of [
      { member: other.member },
      { member, expiresInHours: 169 },
      { member, account: 'x' },
      {},
    ])
      equal((await ask(wrong, JSON.stringify(wrong).replaceAll(' ', ''))).status, 422)
  })
})

/** The values in the rows of a workspace in which a secret could be. */
async function valuesOf({ db }: TestService, workspace: string) {
  const tables = [
    'connectTickets',
    'verifications',
    'connections',
    'audit',
    'outbox',
    'events',
  ] as const
  const values: string[] = []
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().where('workspace', '=', workspace).execute()
    for (const row of rows) values.push(...Object.values(row).map((value) => JSON.stringify(value)))
  }
  return values
}
