import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import { OAuth2Server } from 'oauth2-mock-server'
import type { Page } from 'playwright-core'
import { findConnection } from '../../../db/accounts/connections.ts'
import { accessTokenOf } from '../../../oauth/access-token.ts'
import { testBrowser } from '../../support/browser.ts'
import { eventsOf, shownEvents } from '../../support/events.ts'
import { secretKey } from '../../support/given.ts'
import { givenOauth } from '../../support/given-login.ts'
import { type TestProvider, testProvider } from '../../support/oauth.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('the page on which the owner of an account consents', function () {
  this.timeout(60_000)
  let service: TestService
  const lines: string[] = []
  before(async () => {
    service = await startService({ ownLinks: true, logged: (line) => void lines.push(line) })
  })
  after(() => service.close())

  async function given() {
    const provider = await testProvider()
    const workspace = await service.workspace()
    const [connection] = workspace.connections
    const account = await givenOauth(service, connection, provider, { smtpPort: 9, imapPort: 9 })
    provider.settings.account = account
    const link = async () => {
      const { status, body } = await workspace.call('POST', `/channels/${connection}/connect`, {})
      equal(status, 200)
      return body as { url: string; expiresAt: string }
    }
    const channel = async () =>
      (await workspace.call('GET', '/channels')).body.channels.find(
        ({ id }: { id: string }) => id === connection,
      )
    const kinds = async () =>
      (await shownEvents(service, workspace))
        .map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('channel.'))
    const { db, clock } = service
    const token = async (refused?: string) => {
      const row = await findConnection(db, connection)
      ok(row)
      return accessTokenOf({ db, clock, secretKey }, row, refused)
    }
    return { ...workspace, provider, connection, account, link, channel, kinds, token }
  }

  /** The provider stands in for those that are known by name. */
  const clients = ({ clientId, clientSecret, issuer }: TestProvider) => {
    const client = { clientId, clientSecret, issuer }
    Object.assign(service.oauth, { google: client, microsoft: client })
  }

  /** Without a browser: the button, the provider's question, and where its answer leads back to. */
  async function backFrom(url: string, answer: 'yes' | 'no' = 'yes', before?: string) {
    const pressed = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: before === undefined ? {} : { cookie: before },
    })
    equal(pressed.status, 303)
    const [cookie = ''] = (pressed.headers.get('set-cookie') ?? '').split(';')
    const question = await fetch(pressed.headers.get('location') ?? '')
    const [, href = ''] =
      new RegExp(`id="${answer}" href="([^"]+)"`).exec(await question.text()) ?? []
    return { back: href.replaceAll('&amp;', '&'), cookie }
  }
  const come = (back: string | URL, cookie?: string) =>
    fetch(back, { headers: cookie === undefined ? {} : { cookie } })
  async function walk(url: string, answer: 'yes' | 'no' = 'yes') {
    const { back, cookie } = await backFrom(url, answer)
    const page = await come(back, cookie)
    return { status: page.status, text: await page.text(), back, cookie }
  }

  it('is walked in a browser: question, provider, connected', async function () {
    const browser = await testBrowser(this.test?.ctx as Context)
    const { provider, account, link, channel, kinds, token, call, connection } = await given()
    equal((await channel()).problem, 'consent_needed')
    const { url, expiresAt } = await link()
    match(url, new RegExp(`^${service.url}/connect/[\\w-]{43}$`))
    ok(Math.abs(Date.parse(expiresAt) - Date.now() - 24 * 3_600_000) < 60_000)

    const page: Page = await browser.newPage()
    const faults: string[] = []
    // A browser also asks for an icon, which nobody has.
    page.on('console', (message) => {
      const text = message.text()
      if (message.type() === 'error' && !text.includes('404')) faults.push(text)
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(url)
    const text = await page.locator('main').innerText()
    ok(text.includes(account))
    ok(text.includes(new URL(provider.issuer).host))
    await page.getByRole('button').click()
    await page.locator('#yes').click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    deepEqual(faults, [])
    await page.goto(url)
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    await page.close()

    const [asked] = provider.asked
    deepEqual(
      ['response_type', 'code_challenge_method', 'login_hint', 'scope'].map((name) =>
        asked?.get(name),
      ),
      ['code', 'S256', account, 'openid email offline_access mail'],
    )
    for (const name of ['state', 'nonce', 'code_challenge']) ok(asked?.get(name), name)
    equal((await channel()).problem, null)
    deepEqual((await kinds()).sort(), ['channel.connected', 'channel.link_created'])
    ok(provider.accepts(account, await token()))
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual([line.action, line.resource], ['channel.connected', connection])
  })

  it('leaves neither ticket, code nor token in the log, the audit or other answers', async () => {
    const { provider, link, token, call } = await given()
    const { url } = await link()
    const { back } = await walk(url)
    const secrets = [
      url.split('/').at(-1),
      new URL(back).searchParams.get('code'),
      new URL(back).searchParams.get('state'),
      await token(),
      provider.clientSecret,
    ]
    const answers = await Promise.all(
      ['/audit', '/events', '/channels', '/notifications'].map((path) => call('GET', path)),
    )
    const shown = [...lines, ...answers.map(({ text }) => text)].join('\n')
    for (const secret of secrets) ok(secret && !shown.includes(secret))
    ok(lines.some((line) => line.includes('/connect/{ticket}')))
    ok(lines.some((line) => line.includes('/connect/callback')))
  })

  it('refuses a consent for another account, and the same link connects the right one', async () => {
    const { provider, account, link, channel, kinds } = await given()
    const { url } = await link()
    provider.settings.account = 'somebody@else.example'
    const other = await walk(url)
    equal(other.status, 403)
    ok(other.text.includes(account) && other.text.includes('somebody@else.example'))
    equal((await channel()).problem, 'consent_needed')
    deepEqual(await kinds(), ['channel.link_created'])
    provider.settings.account = account
    provider.settings.claims = { email_verified: false }
    equal((await walk(url)).status, 403)
    provider.settings.claims = { email: account.toUpperCase() }
    equal((await walk(url)).status, 200)
    equal((await channel()).problem, null)
  })

  it('says in plain words that the owner has not agreed, and that the provider is away', async () => {
    const { provider, link } = await given()
    const { url } = await link()
    const denied = await walk(url, 'no')
    equal(denied.status, 403)
    match(denied.text, /You have not agreed\. If that was a mistake, open the link once more\. It/)
    provider.settings.fails = { status: 503 }
    const away = await walk(url)
    equal(away.status, 502)
    match(away.text, /The provider does not answer/)
    provider.settings.fails = undefined
    // The code was used already, or took too long.
    provider.settings.fails = { status: 400, error: 'invalid_grant' }
    const late = await walk(url)
    equal(late.status, 502)
    match(late.text, /The provider says “invalid_grant”/)
    provider.settings.fails = undefined
    equal((await walk(url)).status, 200)
  })

  it('says in the log why an account could not be connected, and names nobody', async () => {
    const { provider, account, connection, link } = await given()
    const { url } = await link()
    const said = (text: string) =>
      lines.filter((line) => line.includes(connection) && line.includes(text)).length
    provider.settings.fails = { status: 400, error: 'unauthorized_client' }
    equal((await walk(url)).status, 500)
    equal(said('oauth_refused, unauthorized_client'), 1)
    provider.settings.fails = undefined
    equal((await walk(url, 'no')).status, 403)
    equal(said('access_denied'), 1)
    provider.settings.account = 'somebody@else.example'
    equal((await walk(url)).status, 403)
    equal(said('another account'), 1)
    const told = lines.join('\n')
    for (const secret of ['somebody@else.example', account, url.split('/').at(-1) as string])
      ok(!told.includes(secret))
  })

  it('of a provider that this service knows no client of says so', async () => {
    const { connection, link, channel } = await given()
    const set = (values: object) =>
      service.db.updateTable('connections').set(values).where('id', '=', connection).execute()
    await set({ oauth: JSON.stringify('google') })
    equal((await channel()).problem, 'consent_needed')
    const page = await fetch((await link()).url)
    equal(page.status, 503)
    match(await page.text(), /is not set up for Google yet \(oauth_unconfigured\)/)
    ok(lines.some((line) => line.includes(connection) && line.includes('OAUTH_GOOGLE_CLIENT_ID')))
    await set({ problem: 'oauth_unconfigured' })
    equal((await channel()).problem, 'oauth_unconfigured')
  })

  it('believes a provider whose clock is some minutes off', async () => {
    const { provider, link } = await given()
    provider.settings.aheadSeconds = 200
    equal((await walk((await link()).url)).status, 200)
    provider.settings.aheadSeconds = -800
    equal((await walk((await link()).url)).status, 200)
  })

  it('keeps the refresh token of before where a provider gives none again', async () => {
    const { provider, link, token } = await given()
    equal((await walk((await link()).url)).status, 200)
    provider.settings.refreshes = false
    equal((await walk((await link()).url)).status, 200)
    const first = await token()
    ok((await token(first)) !== first)
  })

  it('says in the log that a provider gives a consent that does not last', async () => {
    const { provider, connection, link } = await given()
    provider.settings.refreshes = false
    equal((await walk((await link()).url)).status, 200)
    ok(lines.some((line) => line.includes(connection) && line.includes('no refresh token')))
  })

  it('leads back once, with the latest state of its own link alone', async () => {
    const { link } = await given()
    const [first, second] = [await link(), await link()]
    const { back, cookie } = await walk(first.url)
    const replayed = await come(back, cookie)
    equal(replayed.status, 404)
    match(await replayed.text(), /open the link that you were given once more/)
    equal((await fetch(`${service.url}/connect/callback?code=x&state=y`)).status, 404)
    const cut = await fetch(`${service.url}/connect/callback`)
    equal(cut.status, 400)
    match(await cut.text(), /This link is not valid/)
    equal((await fetch(first.url)).status, 404)
    equal((await fetch(second.url)).status, 200)
    await service.db
      .updateTable('connectTickets')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute()
    equal((await fetch(second.url)).status, 404)
    equal((await fetch(second.url, { method: 'POST' })).status, 404)
  })

  it('leads back to the browser that set out alone', async () => {
    const { link, channel, kinds, account } = await given()
    const { url } = await link()
    const { back, cookie } = await backFrom(url)
    for (const other of [undefined, `connect=${'x'.repeat(43)}`, 'connect=', `${cookie}x`]) {
      const page = await come(back, other)
      equal(page.status, 403)
      const text = await page.text()
      match(text, /You come from another browser/)
      ok(!text.includes(account))
    }
    equal((await channel()).problem, 'consent_needed')
    deepEqual(await kinds(), ['channel.link_created'])
    equal((await come(back, cookie)).status, 200)
    equal((await channel()).problem, null)
  })

  it('keeps several ways of one browser open, and gives each other browser a cookie of its own', async () => {
    const [one, two] = [await given(), await given()]
    const first = await backFrom((await one.link()).url)
    const second = await backFrom((await two.link()).url, 'yes', first.cookie)
    equal(second.cookie, first.cookie)
    for (const { back } of [first, second]) equal((await come(back, first.cookie)).status, 200)
    const strange = await backFrom((await one.link()).url, 'yes', 'connect=short')
    ok(strange.cookie !== first.cookie && strange.cookie !== 'connect=short')
  })

  it('gives a cookie that no script reads, no other site sends and, over https, no other host sets', async () => {
    const { link } = await given()
    const cookieOf = async () => {
      const pressed = await fetch(`${service.url}${new URL((await link()).url).pathname}`, {
        method: 'POST',
        redirect: 'manual',
      })
      return pressed.headers.get('set-cookie') ?? ''
    }
    match(await cookieOf(), /^connect=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    const { publicUrl } = service.deployment
    service.deployment.publicUrl = 'https://post.firm.example'
    try {
      match(
        await cookieOf(),
        /^__Host-connect=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax$/,
      )
    } finally {
      service.deployment.publicUrl = publicUrl
    }
  })

  it('says who asks', async () => {
    const { id, link } = await given()
    await service.db
      .updateTable('workspaces')
      .set({ name: 'Kraft <Firm>' })
      .where('id', '=', id)
      .execute()
    const { name } = await service.db
      .selectFrom('members')
      .select('name')
      .where('workspace', '=', id)
      .executeTakeFirstOrThrow()
    const text = await (await fetch((await link()).url)).text()
    ok(text.includes(`${name} of Kraft &#60;Firm&#62; asks`), text)
  })

  it('always asks the owner, who may have agreed for somebody else before', async () => {
    const { provider, link, connection } = await given()
    const promptOf = async () => {
      await backFrom((await link()).url)
      return provider.asked.at(-1)?.get('prompt')
    }
    equal(await promptOf(), 'consent')
    const set = (oauth: unknown) =>
      service.db
        .updateTable('connections')
        .set({ oauth: JSON.stringify(oauth) })
        .where('id', '=', connection)
        .execute()
    clients(provider)
    for (const [oauth, prompt] of [
      ['google', 'consent'],
      ['microsoft', 'select_account consent'],
    ] as const) {
      await set(oauth)
      equal(await promptOf(), prompt)
    }
  })

  it('connects at Microsoft only whom it connected first', async () => {
    const { provider, link, connection, account, channel } = await given()
    clients(provider)
    await service.db
      .updateTable('connections')
      .set({ oauth: JSON.stringify('microsoft') })
      .where('id', '=', connection)
      .execute()
    const as = async (claims: object) => {
      provider.settings.claims = { preferred_username: account, ...claims }
      return walk((await link()).url)
    }
    equal((await as({ tid: 'firm', oid: 'ana' })).status, 200)
    for (const other of [{ tid: 'evil', oid: 'ana' }, { tid: 'firm', oid: 'eve' }, {}]) {
      const { status, text } = await as(other)
      equal(status, 403)
      match(text, /Somebody else has agreed/)
    }
    equal((await as({ tid: 'firm', oid: 'ana' })).status, 200)
    equal((await channel()).problem, null)
  })

  it('ends with the token, the member, the account and the workspace that it was made with', async () => {
    const ends = {
      'the token is revoked': ({ id }: { id: string }) =>
        service.db
          .updateTable('tokens')
          .set({ revokedAt: new Date() })
          .where('workspace', '=', id)
          .execute(),
      'the token has expired': ({ id }: { id: string }) =>
        service.db
          .updateTable('tokens')
          .set({ expiresAt: new Date(Date.now() - 1) })
          .where('workspace', '=', id)
          .execute(),
    }
    for (const [what, end] of Object.entries(ends)) {
      const { link, id } = await given()
      const { url } = await link()
      const { back, cookie } = await backFrom(url)
      equal((await fetch(url)).status, 200, what)
      await end({ id })
      equal((await fetch(url)).status, 404, what)
      equal((await fetch(url, { method: 'POST' })).status, 404, what)
      equal((await come(back, cookie)).status, 404, what)
    }
    // The rest is what the table says: they go with what they refer to.
    const { rows } = await sql<{ to: string }>`select confrelid::regclass::text as to
      from pg_constraint where conrelid = 'connect_tickets'::regclass and confdeltype = 'c'
      order by 1`.execute(service.db)
    deepEqual(
      rows.map(({ to }) => to),
      ['connections', 'members', 'workspaces'],
    )
  })

  it('still leads back after an address that is no answer of the provider', async () => {
    const { provider, link, channel } = await given()
    const way = await backFrom((await link()).url)
    const back = new URL(way.back)
    const code = back.searchParams.get('code')
    back.searchParams.delete('code')
    equal((await come(back, way.cookie)).status, 400)
    back.searchParams.set('code', code ?? '')
    equal((await come(back, way.cookie)).status, 200)
    equal((await channel()).problem, null)
    provider.settings.nonce = 'of somebody else'
    equal((await walk((await link()).url)).status, 502)
  })

  it('is kept by no cache, framed by no site, and runs no script', async () => {
    const { link } = await given()
    const { headers, status } = await fetch((await link()).url)
    equal(status, 200)
    deepEqual(
      ['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) =>
        headers.get(name),
      ),
      ['no-store', 'no-referrer', 'nosniff'],
    )
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      ok(policy.includes(rule), rule)
    equal((await fetch((await link()).url, { method: 'PUT' })).status, 405)
  })

  it('is made for accounts of the workspace alone that log in by a consent', async () => {
    const { call, connections, connection } = await given()
    const other = await service.workspace()
    const asked = (path: string, by = call) => by('POST', `/channels/${path}/connect`, {})
    equal((await asked(connection, other.call)).status, 404)
    equal((await asked('con_none')).status, 404)
    const { status, body } = await asked(connections[1])
    deepEqual([status, body.code], [409, 'invalid_state'])
    const lines = async () =>
      (await call('GET', '/audit')).body.entries.filter(
        ({ action }: { action: string }) => action === 'channel.link_created',
      )
    deepEqual(await lines(), [])
    const { url, expiresAt } = (await asked(connection)).body
    const [line, ...more] = await lines()
    deepEqual([line.resource, line.after, more], [connection, { expiresAt }, []])
    const events = await eventsOf(call, ({ kind }) => kind === 'channel.link_created', 1)
    const secret = url.split('/').at(-1)
    ok(!JSON.stringify([line, events]).includes(secret))
  })

  it('is shown in the reference by an example that is a link', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { content: Content }> }>>
    }
    type Content = Record<string, { example: Record<string, unknown> }>
    const exampleOf = (path: string, method: string) => {
      const found = Object.entries(paths).find(([one]) => one.endsWith(path))
      return found?.[1][method]?.responses['200']?.content['application/json']?.example ?? {}
    }
    match(String(exampleOf('/channels/{id}/connect', 'post')['url']), /\/connect\/[\w-]{43}$/)
  })

  it('is made by the operator’s command too', async () => {
    const { call, connection, connections } = await given()
    const run = async (id: string) => {
      const env = {
        ...process.env,
        ...{ DATA_DIR: '/nowhere', DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.url },
      }
      const child = spawn(process.execPath, ['dev/operator/connect.ts', id], { env })
      let [out, trouble] = ['', '']
      child.stdout.on('data', (text) => {
        out += text
      })
      child.stderr.on('data', (text) => {
        trouble += text
      })
      const [code] = await once(child, 'close')
      return { code, out, trouble }
    }
    const { code, out, trouble } = await run(connection)
    equal(code, 0, trouble)
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual([line.action, line.resource, line.member], ['channel.link_created', connection, ''])
    ok(!JSON.stringify(line).includes(out.trim().split('/').at(-1) ?? ''))
    equal((await walk(out.trim())).status, 200)
    for (const other of [connections[1], 'con_none']) {
      const refused = await run(other)
      deepEqual([refused.code, refused.out], [1, ''])
    }
  })

  it('works with another maker’s provider', async () => {
    const { account, connection, link, channel, token } = await given()
    const server = new OAuth2Server()
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    const issuer = server.issuer.url ?? ''
    server.service.on('beforeTokenSigning', ({ payload }) =>
      Object.assign(payload, { email: account }),
    )
    await givenOauth(
      service,
      connection,
      { issuer, clientId: 'c', clientSecret: 's' },
      { smtpPort: 9 },
    )
    const pressed = await fetch((await link()).url, { method: 'POST', redirect: 'manual' })
    const [cookie] = (pressed.headers.get('set-cookie') ?? '').split(';')
    const away = await fetch(pressed.headers.get('location') ?? '', { redirect: 'manual' })
    const page = await come(away.headers.get('location') ?? '', cookie)
    equal(page.status, 200)
    match(await page.text(), /Connected/)
    equal((await channel()).problem, null)
    const grants: string[] = []
    server.service.on('beforeResponse', (_, { body }) => void grants.push(body.grant_type))
    ok(await token(await token()))
    deepEqual(grants, ['refresh_token'])
    await server.stop()
  })
})
