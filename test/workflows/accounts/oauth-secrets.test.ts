import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import { closeSessions } from '../../../activities/outgoing/sessions.ts'
import { givenClient } from '../../support/given.ts'
import { givenOauth } from '../../support/given-login.ts'
import { testProvider } from '../../support/oauth.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'
import { tokenSmtp } from '../../support/token-mail.ts'

describe('the secrets of a login by OAuth 2.0', function () {
  this.timeout(180_000)
  let service: TestService
  const lines: string[] = []
  before(async function () {
    this.timeout(120_000)
    service = await startService({ ownLinks: true, logged: (line) => void lines.push(line) })
    await service.work(this.test?.ctx, {}, { only: ['rows', 'send', 'remote'] })
  })
  after(() => service.close())

  it('are nowhere in clear after a consent, a refresh, failed ones and letters', async function () {
    const { db } = service
    const provider = await testProvider({ clientSecret: 'the-secret-of-this-client-8d1f' })
    const smtp = await tokenSmtp(provider.accepts)
    const { call, connections, ...workspace } = await service.workspace()
    const [id] = connections
    const account = await givenOauth(service, id, provider, { smtpPort: smtp.port })
    const answers: string[] = []
    const asked: typeof call = async (...args) => {
      const answer = await call(...args)
      answers.push(answer.text, JSON.stringify([...answer.headers]))
      return answer
    }
    const consent = async () => {
      const { url } = (await asked('POST', `/channels/${id}/connect`, {})).body
      const pressed = await fetch(url, { method: 'POST', redirect: 'manual' })
      const question = await (await fetch(pressed.headers.get('location') ?? '')).text()
      const [, href = ''] = /id="yes" href="([^"]+)"/.exec(question) ?? []
      const cookie = pressed.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      const page = await fetch(href.replaceAll('&amp;', '&'), { headers: { cookie } })
      answers.push(await page.text())
      return page.status
    }
    const send = async () => {
      const { conversation } = await givenClient(
        db,
        { ...workspace, connections },
        service.clock.now(),
      )
      const path = `/conversations/${conversation}/messages`
      const { status, body } = await asked('POST', path, { text: 'Hello.' })
      equal(status, 200)
      return body.id as string
    }
    const state = async (message: string) =>
      (await asked('GET', `/messages/${message}`)).body.state as string
    const sent = (message: string) =>
      eventually(
        () => state(message),
        (now) => now === 'sent',
        30_000,
      )
    const problem = async () =>
      (await asked('GET', '/channels')).body.channels.find((one: { id: string }) => one.id === id)
        .problem

    provider.settings.account = 'somebody@else.example'
    equal(await consent(), 403)
    provider.settings.account = account
    equal(await consent(), 200)
    await sent(await send())
    provider.expireTokens()
    // A session that is kept goes on without a login.
    closeSessions(id)
    await sent(await send())
    equal(provider.counts.refreshes, 1)
    provider.expireTokens()
    // A token that a mail server refuses is replaced once a minute at most, and the last one was replaced a minute ago.
    await db
      .updateTable('logins')
      .set({ replacedAt: new Date(Date.now() - 61_000) })
      .where('id', '=', id)
      .execute()
    provider.settings.fails = { status: 503 }
    closeSessions(id)
    const waiting = await send()
    await eventually(problem, (now) => now !== null, 30_000)
    provider.settings.fails = undefined
    provider.revoke(account)
    equal((await asked('POST', '/senders/health/check', { connection: id })).status, 200)
    await eventually(problem, (now) => now === 'consent_needed', 30_000)
    equal(await consent(), 200)
    await sent(waiting)
    equal(smtp.taken.length, 3)

    for (const path of [
      '',
      '/audit',
      '/events?limit=200',
      '/notifications',
      '/channels',
      '/senders/health',
    ])
      await asked('GET', path)
    const places = {
      logs: lines.join('\n'),
      answers: answers.join('\n'),
      histories: await histories(this.test?.ctx as Context, workspace.id),
      rows: await allRows(),
    }
    for (const text of Object.values(places)) ok(text.length > 1000)
    ok(places.rows.includes(id) && places.histories.includes(id) && places.logs.includes(id))
    // The secret, a code and a verifier for each consent, and the tokens.
    ok(provider.secrets.size >= 12, `${provider.secrets.size} secrets`)
    const found = Object.entries(places).flatMap(([place, text]) =>
      [...provider.secrets]
        .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
        .map((secret) => `${place}: ${secret}`),
    )
    deepEqual(found, [])
  })

  /** A secret as it is, as bytes in hex, and in base64 wherever it begins, as in the login of a mail server. */
  function formsOf(secret: string): string[] {
    const inBase64 = [0, 1, 2].map((before) => {
      const text = Buffer.from('x'.repeat(before) + secret).toString('base64')
      return text.slice(before === 0 ? 0 : 4, -4)
    })
    return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...inBase64]
  }

  /** All that Temporal holds of a workspace's workflows. */
  async function histories(context: Context, workspace: string): Promise<string> {
    const client = await testClient(context)
    const texts: string[] = []
    for await (const info of client.workflow.list()) {
      if (!info.workflowId.includes(workspace)) continue
      const { workflowId, runId } = info
      texts.push(workflowId, JSON.stringify(info.memo ?? {}))
      texts.push(textIn(await client.workflow.getHandle(workflowId, runId).fetchHistory()))
    }
    return texts.join('\n')
  }

  /** Every text and every payload in a value. */
  function textIn(value: unknown): string {
    if (typeof value === 'string') return value
    if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
    if (value === null || typeof value !== 'object') return ''
    return Object.entries(value)
      .map(([name, inner]) => `${name} ${textIn(inner)}`)
      .join('\n')
  }

  /** What a dump of the database holds. */
  async function allRows(): Promise<string> {
    const { db } = service
    const tables = await sql<{ name: string }>`
      select quote_ident(table_name) as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db)
    ok(tables.rows.some(({ name }) => name === 'logins'))
    const texts: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await sql<{
        row: string
      }>`select t::text as row from ${sql.raw(name)} t`.execute(db)
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  }
})
