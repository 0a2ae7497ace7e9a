import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Context } from 'mocha'
import { testBrowser } from '../../support/browser.ts'
import { testDovecot } from '../../support/dovecot.ts'
import { secretKey } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { guardedSmtp } from '../../support/refusing-mail.ts'
import {
  adminCaller,
  allAdminScopes,
  type Caller,
  caller,
  eventually,
  startService,
  type TestService,
} from '../../support/service.ts'

// What an application does for a new customer, by its calls alone, and what the owner of the mailbox does on the one page that is
// shown to them. The one command is the operator's, for the token.

const password = 'secret'

describe('a customer of an application', function () {
  this.timeout(180_000)
  let service: TestService
  let dovecot: Awaited<ReturnType<typeof testDovecot>>
  let smtp: Awaited<ReturnType<typeof guardedSmtp>>
  let product: Awaited<ReturnType<typeof startProduct>>
  before(async function () {
    dovecot = await testDovecot(this.test?.ctx as Context)
    smtp = await guardedSmtp(password)
    product = await startProduct()
    service = await startService({ ownLinks: true, returnOrigins: [product.url] })
    const only = ['rows', 'remote', 'send', 'mail'] as const
    await service.work(this.test?.ctx as Context, { mailWaitMs: 300 }, { only })
  })
  after(() => service?.close())

  it('gets a workspace, a member and a token, connects a mailbox, writes, is answered and answers', async function () {
    const browser = await testBrowser(this.test?.ctx as Context)
    const admin = adminCaller(service.url, await adminToken(service))
    const done = async (call: Caller, method: string, path: string, body?: unknown) => {
      const reply = await call(method, path, body)
      equal(reply.status, 200, reply.text)
      return reply.body
    }

    const at = '/workspaces/wsp_bakery'
    const workspace = { id: 'wsp_bakery', name: 'Bäckerei Ruiz', timezone: 'Europe/Berlin' }
    const { changes } = await done(admin, 'PUT', at, { workspace })
    equal(changes.length, 1)
    const person = { name: 'Ana Ruiz', email: 'ana@bakery.example' }
    const member = (await done(admin, 'POST', `${at}/members`, person)).id
    const { token } = await done(admin, 'POST', `${at}/tokens`, {
      ...{ member, client: 'CRM', scopes: ['inbox:read', 'inbox:write', 'send'] },
    })
    const returnTo = `${product.url}/settings?tab=mail`
    const { url } = await done(admin, 'POST', `${at}/links`, { member, returnTo })

    // The owner of the mailbox, on a telephone.
    const page = await browser.newPage({
      ...{ locale: 'de-DE', viewport: { width: 400, height: 800 } },
      ...{ javaScriptEnabled: false },
    })
    await page.goto(url)
    ok((await page.locator('main').innerText()).includes('Ana Ruiz von Bäckerei Ruiz'))
    await page.getByLabel('Ihre E-Mail-Adresse').fill('ana@bakery.example')
    await page.getByRole('button', { name: 'Weiter' }).click()
    const logIn = async (secret: string) => {
      await page.getByLabel('Passwort Ihres Postfachs').fill(secret)
      await page.getByRole('button', { name: 'Verbinden' }).click()
    }
    for (const [name, value] of [
      ['imapHost', '127.0.0.1'],
      ['imapPort', String(dovecot.port)],
      ['smtpHost', '127.0.0.1'],
      ['smtpPort', String(smtp.port)],
    ] as const)
      await page.locator(`#${name}`).fill(value)
    await logIn('falsch')
    const alert = await page.getByRole('alert').innerText()
    match(alert, /Das hat noch nicht geklappt/)
    match(alert, /127\.0\.0\.1 nimmt diesen Benutzernamen und dieses Passwort nicht an/)
    match(alert, /Sie haben noch 4 Versuche/)
    deepEqual((await done(admin, 'GET', `${at}/connections`)).connections, [])
    await logIn(password)
    await page.getByRole('heading', { name: 'Willkommen zurück' }).waitFor()
    const back = new URL(page.url())
    const [connection] = (await done(admin, 'GET', `${at}/connections`)).connections
    equal(back.href, `${product.url}/settings?tab=mail&connection=${connection.id}&state=connected`)
    await page.close()
    deepEqual(
      [connection.account, connection.member, connection.alive, connection.problem],
      ['ana@bakery.example', member, true, null],
    )

    // The application hears of it, writes for its customer, and shows what comes back.
    const call = caller(service.url, token)
    const heard = await eventually(
      () => done(call, 'GET', '/events?kinds=channel.connected&from=2020-01-01T00:00:00Z&wait=20'),
      ({ events }) => events.length > 0,
    )
    deepEqual(
      heard.events.map(({ resource }: { resource: string }) => resource),
      [connection.id],
    )
    const client = 'Jörg Weiß <joerg@cafe.example>'
    const card = await done(call, 'POST', '/people', {
      ...{ name: 'Jörg Weiß', email: 'joerg@cafe.example', externalId: 'crm-1' },
    })
    const opened = await done(call, 'POST', '/conversations', {
      ...{ person: 'ext:crm-1', via: connection.id, subject: 'Brötchen' },
      text: 'Guten Tag Herr Weiß, wie viele Brötchen brauchen Sie?',
    })
    const [letter] = await eventually(
      async () => smtp.mails,
      ({ length }) => length === 1,
    )
    deepEqual(letter?.to, ['joerg@cafe.example'])
    match(letter?.raw ?? '', /^From: Ana Ruiz <ana@bakery\.example>\r$/m)
    const id = messageIdOf(letter?.raw ?? '')
    dovecot.put(
      'ana@bakery.example',
      [
        `From: ${client.replace(/^.*</, '=?utf-8?Q?J=C3=B6rg_Wei=C3=9F?= <')}`,
        'To: ana@bakery.example',
        'Subject: Re: =?utf-8?Q?Br=C3=B6tchen?=',
        'Message-ID: <answer-1@cafe.example>',
        `In-Reply-To: ${id}`,
        `References: ${id}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Zwölf bitte. Was kosten sie?',
        '',
      ].join('\r\n'),
    )
    const { conversations } = await eventually(
      () => done(call, 'GET', '/conversations?waitingFor=us'),
      ({ conversations: found }) => found.length > 0,
      60_000,
    )
    deepEqual(
      conversations.map((one: { id: string; person: string }) => [one.id, one.person]),
      [[opened.conversation.id, card.id]],
    )
    const path = `/conversations/${conversations[0].id}/messages`
    await done(call, 'POST', path, { text: 'Vier Euro.' })
    await eventually(
      async () => smtp.mails,
      ({ length }) => length === 2,
    )
    const answer = smtp.mails[1]?.raw ?? ''
    match(answer, /^In-Reply-To: <answer-1@cafe\.example>\r$/m)
    match(answer, /Vier Euro\./)
    const { messages } = await eventually(
      () => done(call, 'GET', path),
      ({ messages: all }) => all.every(({ state }: { state: string }) => state !== 'sending'),
    )
    deepEqual(
      messages.map((one: { direction: string; state: string }) => [one.direction, one.state]),
      [
        ['outbound', 'sent'],
        ['inbound', 'received'],
        ['outbound', 'sent'],
      ],
    )
    deepEqual((await done(call, 'GET', '/conversations?waitingFor=us')).conversations, [])
  })
})

const messageIdOf = (raw: string) => /^Message-ID: (<[^>]+>)/im.exec(raw)?.[1] ?? ''

/** As an operator makes it. */
async function adminToken({ databaseUrl }: TestService) {
  const scopes = allAdminScopes.join(',')
  const create = ['create', '--admin', '--client', 'Bakery Suite', '--scopes', scopes]
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'token', '--', ...create], {
    env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey.current },
  })
  match(stdout, /^pra_\w+\n$/)
  return stdout.trim()
}

/** The site of the application, to which the owner of the mailbox is led back. */
async function startProduct() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<h1>Willkommen zurück</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
