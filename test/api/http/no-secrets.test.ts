import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { fingerprintOf } from '../../../api/http/body.ts'
import { hashedUnder } from '../../../db/secrets.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { searchAll } from '../../support/erased-person.ts'
import { secretKey } from '../../support/given.ts'
import { givenOauth } from '../../support/given-login.ts'
import { testMail } from '../../support/mail.ts'
import { testProvider } from '../../support/oauth.ts'
import { guardedSmtp } from '../../support/refusing-mail.ts'
import {
  adminCaller,
  eventually,
  type Reply,
  startService,
  type TestService,
} from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

// Secrets are given through every door, and then looked for wherever something is kept or told.

describe('a secret', function () {
  this.timeout(240_000)
  let service: TestService
  const lines: string[] = []
  before(async function () {
    const logged = (line: string) => void lines.push(line)
    service = await startService({ ownLinks: true, logged })
    const log = createLog('test', 'trace', { write: logged })
    await service.work(this.test?.ctx as Context, { log })
  })
  after(() => service.close())

  /** By the door that each came through. */
  const secrets = new Map<string, string>()
  const secret = (door: string, value = `Zz${randomBytes(15).toString('base64url')}`) => {
    secrets.set(door, value)
    return value
  }
  const answers: { door: string; text: string }[] = []
  const heard = (door: string, reply: Reply) => {
    answers.push({ door, text: `${reply.text} ${JSON.stringify([...reply.headers])}` })
    return reply
  }
  const told = (texts: string[]) =>
    [...secrets].flatMap(([door, value]) =>
      texts.some((text) => text.includes(value) || text.includes(encodeURIComponent(value)))
        ? [door]
        : [],
    )

  it('given through any door is told and kept nowhere but where it has to be, and there sealed', async () => {
    const { db } = service
    const right = secret('password of a connection')
    const smtp = await guardedSmtp(right)
    const mail = await testMail()
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, call, member, connections } = workspace
    const admin = await service.administration()
    const at = `/workspaces/${id}`
    const server = { host: '127.0.0.1', port: smtp.port }

    // The administration: a login that is refused, one that works, a change, a document, what is not to be set.
    const adding = { account: 'a@firm.example', member, smtp: server }
    const wrong = secret('wrong password of a connection')
    heard(
      'connections',
      await admin.call('POST', `${at}/connections`, { ...adding, password: wrong }),
    )
    const added = heard(
      'connections',
      await admin.call('POST', `${at}/connections`, { ...adding, password: right }),
    )
    equal(added.status, 200, added.text)
    const one = `${at}/connections/${added.body.connection.id}`
    heard('PATCH', await admin.call('PATCH', one, { password: secret('PATCH of a connection') }))
    const document = heard('document', await admin.call('GET', at)).body
    const connection = { id: `con_put_${id}`, kind: 'email', account: 'p@firm.example', member }
    const put = (more: object, query = '') =>
      admin.call('PUT', `${at}${query}`, { ...document, connections: [{ ...connection, ...more }] })
    const withPassword = { smtp: { ...server, password: secret('password of a document') } }
    heard('plan', await put(withPassword, '?plan=true'))
    equal(heard('PUT', await put(withPassword)).status, 200)
    const bridge = {
      url: 'https://bridge.example',
      secret: secret('secret of a bridge', randomBytes(32).toString('base64').replace(/=+$/, '')),
    }
    equal(
      heard('PUT', await put({ id: `con_b_${id}`, kind: 'messenger', account: 'x', bridge }))
        .status,
      422,
    )
    const unknown = {
      [secret('password in a member that is not known')]: secret(
        'value of a member that is not known',
      ),
    }
    heard('unknown', await admin.call('PATCH', one, unknown))
    secrets.delete('password in a member that is not known')

    // What is no JSON, has another type, or is as long as no password is.
    const odd = secret('password in what is no JSON')
    heard('malformed', await admin.call('PATCH', one, `{"password": "${odd}" oops`))
    heard('cut', await admin.call('PATCH', one, `{"password": "${odd}`))
    for (const password of [
      { value: secret('password in an object') },
      [secret('password in a list')],
      secret('password that is too long').repeat(50),
      `${secret('password with a line break')}\n`,
    ])
      equal(heard('odd', await admin.call('PATCH', one, { password })).status, 422)
    const inQuery = await admin.call('GET', `${at}?password=${secret('password in a query')}`)
    equal(heard('query', inQuery).status, 400)
    const withUser = `http://user:${secret('password in an address')}@127.0.0.1:9/hook`
    heard('webhook', await call('POST', '/webhooks', { url: withUser }))

    // Tokens: one that is made, and those that are no tokens.
    const key = randomUUID()
    const asked = { member, client: 'CRM', scopes: ['inbox:read'] }
    const token = await admin.call('POST', `${at}/tokens`, asked, { key })
    equal(token.status, 200, token.text)
    secret('token', token.body.token)
    secret('token of the tests', workspace.token)
    secret('token of the administration', admin.token)
    for (const prefix of ['prm_', 'pra_', ''])
      heard(
        '401',
        await call('GET', '/people', undefined, {
          token: secret(`wrong ${prefix}token`, `${prefix}${randomBytes(20).toString('hex')}`),
        }),
      )

    // Webhooks.
    const hookKey = randomUUID()
    const hook = { url: 'http://127.0.0.1:9/hook', kinds: ['person.created'] }
    const webhook = await call('POST', '/webhooks', hook, { key: hookKey })
    equal(webhook.status, 200, webhook.text)
    secret('secret of a webhook', webhook.body.secret)

    // The page for the owner of a mailbox.
    const link = await admin.call('POST', `${at}/links`, { member })
    secret('ticket of a mailbox', new URL(link.body.url).pathname.split('/').at(-1))
    const page = await fetch(link.body.url)
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
    const form = {
      ...{ account: 'l@firm.example', password: secret('password on the page') },
      ...{
        imapHost: '127.0.0.1',
        imapPort: String(smtp.port),
        smtpHost: '127.0.0.1',
        smtpPort: String(smtp.port),
      },
    }
    const tried = await fetch(link.body.url, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(form),
    })
    answers.push({
      door: 'page',
      text: (await tried.text()).replaceAll(new URL(link.body.url).pathname, ''),
    })

    // A consent.
    const provider = await testProvider({ clientSecret: secret('client secret') })
    provider.settings.account = await givenOauth(service, connections[1], provider, {
      smtpPort: 9,
      imapPort: 9,
    })
    const consent = (await call('POST', `/channels/${connections[1]}/connect`, {})).body
    secret('ticket of a consent', new URL(consent.url).pathname.split('/').at(-1))
    const pressed = await fetch(consent.url, { method: 'POST', redirect: 'manual' })
    const consentCookie = pressed.headers.get('set-cookie')?.split(';')[0] ?? ''
    const question = await (await fetch(pressed.headers.get('location') ?? '')).text()
    const back = (/id="yes" href="([^"]+)"/.exec(question)?.[1] ?? '').replaceAll('&amp;', '&')
    const done = await fetch(back, { headers: { cookie: consentCookie } })
    answers.push({ door: 'callback', text: await done.text() })
    equal(done.status, 200)
    for (const [i, value] of [...provider.secrets].entries()) secret(`of the provider, ${i}`, value)
    secret('state of a consent', new URL(back).searchParams.get('state') ?? '')

    // A bridge that nobody has, with a signature.
    await fetch(`${service.url}/bridge/${connections[0]}`, {
      ...{ method: 'POST', body: '{}' },
      headers: {
        'webhook-signature': `v1,${secret('signature of a bridge', randomBytes(32).toString('base64'))}`,
      },
    })

    // Words of letters are kept, and told to nobody who operates the service.
    const words = secret('words of a letter', `Quokka${randomBytes(6).toString('hex')}`)
    const sent = await call('POST', '/conversations', {
      to: 'k@x.example',
      via: connections[0],
      subject: words,
      text: words,
    })
    equal(sent.status, 200, sent.text)
    await eventually(
      async () => (await call('GET', `/messages/${sent.body.message.id}`)).body.state,
      (state) => state !== 'queued' && state !== 'sending',
      60_000,
    )

    // Answers are repeated without them after an hour.
    await db
      .updateTable('operations')
      .set({ acceptedAt: new Date(Date.now() - 61 * 60_000) })
      .where('workspace', '=', id)
      .execute()
    const later = [
      await admin.call('POST', `${at}/tokens`, asked, { key }),
      await call('POST', '/webhooks', hook, { key: hookKey }),
    ]
    deepEqual(
      later.map(({ status }) => status),
      [200, 200],
    )
    for (const reply of later) heard('repeat', reply)
    for (const path of [
      '/audit',
      '/events',
      '/operations',
      '/notifications',
      '/channels',
      '/webhooks',
      `/webhooks/${webhook.body.id}/deliveries`,
    ])
      heard(path, await call('GET', `${path}?limit=100`))
    for (const path of [at, `${at}/connections`, `${at}/tokens`, one])
      heard(path, await admin.call('GET', path))

    for (const { door, text } of answers) deepEqual(told([text]), [], `an answer: ${door}`)
    deepEqual(told(lines), [], 'the logs')
    ok(lines.length > 20)

    const rows = await searchAll(
      db,
      [...secrets.values()].map((value) => value.toLowerCase()),
    )
    const doors = rows.map((row) => {
      const [place, value] = row.split(': ')
      const door = [...secrets].find(([, one]) => one.toLowerCase() === value)?.[0]
      return `${place}: ${door}`
    })
    deepEqual(
      doors.filter((one) => !one.endsWith('words of a letter')),
      [],
      'the database',
    )
    deepEqual(
      doors.filter((one) => one.endsWith('words of a letter')).map((one) => one.split(':')[0]),
      [
        'conversations.subject',
        'messages.subject',
        'messages.text',
        'operations.answer_body',
        'search_words.words',
      ],
      'what is kept of a letter',
    )

    const client = await testClient()
    const histories: string[] = []
    for await (const { workflowId, memo, runId } of client.workflow.list({
      query: `WorkflowId STARTS_WITH "${id}"`,
    })) {
      const handle = client.workflow.getHandle(workflowId, runId)
      histories.push(
        JSON.stringify(memo ?? null),
        readable(await handle.fetchHistory()),
        readable((await handle.describe()).raw),
      )
    }
    ok(histories.length > 3, `${histories.length}`)
    deepEqual(told(histories), [], 'the histories')
  })

  it('cannot be tried against what an operation keeps of its call, and a repeat is known under the next key', async () => {
    const { id, member } = await service.workspace()
    const { token, call } = await service.administration({ workspace: id })
    const path = `/workspaces/${id}/connections`
    const password = 'Summer2026'
    const { port } = await guardedSmtp(password)
    const smtp = { host: '127.0.0.1', port, password }
    const [body, key] = [{ account: 'a@firm.example', member, smtp }, randomUUID()]
    const first = await eventually(
      () => call('POST', path, body, { key }),
      ({ status }) => status !== 504,
    )
    equal(first.status, 200, first.text)
    const { fingerprint } = await service.db
      .selectFrom('operations')
      .select('fingerprint')
      .where('workspace', '=', id)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    // All but the password is known to whoever has the database.
    const plain = fingerprintOf('POST', `/admin/v1${path}`, new URLSearchParams(), body)
    equal(fingerprint, hashedUnder(secretKey.current, plain))

    const next = await startService({
      databaseUrl: service.databaseUrl,
      secretKey: { current: 'the key that comes next', previous: secretKey.current },
    })
    const repeat = (url: string, given: object) =>
      adminCaller(url, token)('POST', path, given, { key })
    for (const { url } of [service, next]) {
      deepEqual((await repeat(url, body)).text, first.text)
      const other = { ...body, smtp: { ...smtp, password: 'Summer2027' } }
      equal((await repeat(url, other)).body.code, 'idempotency_key_reused')
    }
    await next.close()
  })
})

/** A history as text, with what its payloads hold. */
function readable(value: unknown): string {
  const texts: string[] = []
  const seen = (one: unknown): void => {
    if (one instanceof Uint8Array) texts.push(Buffer.from(one).toString('utf8'))
    else if (typeof one === 'string') texts.push(one)
    else if (Array.isArray(one)) one.forEach(seen)
    else if (one && typeof one === 'object')
      Object.entries(one).forEach(([name, inner]) => {
        texts.push(name)
        seen(inner)
      })
  }
  seen(value)
  return texts.join('\n')
}
