import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { beginHold } from '../../support/holding.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { startReceiver } from '../../support/receiver.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'

const run = promisify(execFile)

describe('what is held', function () {
  this.timeout(180_000)
  let service: TestService
  let mail: MailSink
  let worker: { stop(): Promise<void> }
  const taskQueue = `holds-${randomUUID()}`
  before(async function () {
    service = await startService()
    mail = await testMail()
    worker = await service.work(this.test?.ctx, {}, { taskQueue })
  })
  after(() => service.close())

  const hold = (...args: string[]) =>
    run(process.execPath, ['dev/operator/hold.ts', ...args], {
      env: { ...process.env, DATABASE_URL: service.databaseUrl },
    })

  async function given() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call, id } = workspace
    const client = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${client.conversation}/messages`
    const send = async (text = 'Hello.', more = {}) => {
      const key = randomUUID()
      const { status, body, text: said } = await call('POST', path, { text, ...more }, { key })
      equal(status, 200, said)
      return { id: body.id as string, ...followed(call, key) }
    }
    const arrived = () => mail.messages().filter(({ to }) => to.includes(client.email)).length
    const admin = (await service.administration({ client: 'Billing' })).call
    const own = (await service.administration({ client: 'Shop', workspace: id })).call
    const at = `/workspaces/${id}`
    const patch = async (held: { why: string } | null, by = admin) => {
      const { status, body, text } = await by('PATCH', at, { held })
      equal(status, 200, text)
      return body
    }
    const told = async (kind: string) =>
      (await call('GET', '/notifications')).body.notifications.filter(
        (one: { kind: string }) => one.kind === kind,
      )
    return { ...workspace, ...client, send, arrived, admin, own, at, patch, told, path }
  }

  it('messages of a workspace wait and say why, and go by themselves when the hold ends', async () => {
    const { send, arrived, patch, call, path, told, id } = await given()
    const body = await patch({ why: 'The invoice is not paid.' })
    deepEqual(
      { ...body.held, since: undefined },
      {
        ...{ why: 'The invoice is not paid.', setBy: 'administration', client: 'Billing' },
        since: undefined,
      },
    )
    const message = await send()
    const waiting = await message.waitsFor('held')
    deepEqual([waiting.why, waiting.until], ['The invoice is not paid.', null])
    equal((await call('GET', path)).status, 200)
    equal(arrived(), 0)
    equal((await patch(null)).held, undefined)
    equal((await message.ended()).state, 'done')
    equal(arrived(), 1)
    deepEqual(
      [...(await told('workspace.held')), ...(await told('workspace.released'))].map(
        ({ text }: { text: string }) => text,
      ),
      [
        'The workspace is held: The invoice is not paid. Nothing is sent until that ends; reading and writing go on.',
        'The workspace is no longer held: what has waited is sent now.',
      ],
    )
    const { body: audit } = await call('GET', '/audit')
    const actions = audit.entries.map(({ action }: { action: string }) => action)
    ok(actions.includes('workspace.held') && actions.includes('workspace.released'))
    // Events wait for transactions that began before theirs, also of other tests.
    const kinds = async () =>
      (await call('GET', '/events')).body.events
        .filter(({ resource }: { resource: string }) => resource === id)
        .map(({ kind }: { kind: string }) => kind)
    deepEqual(await eventually(kinds, (all) => all.length === 2), [
      'workspace.held',
      'workspace.released',
    ])
  })

  it('campaigns say that they are held and why, and go on', async () => {
    const campaign = await givenCampaign(service, mail, { people: 3, places: [1] })
    const { id, move, sending, letters, arrived, call } = campaign
    const admin = (await service.administration()).call
    const patch = (held: unknown) => admin('PATCH', `/workspaces/${id}`, { held })
    equal((await patch({ why: 'Too many complaints' })).status, 200)
    const { key } = await move('running')
    const held = await sending()
    deepEqual([held.now, held.blockedBy, held.nextAt], [false, 'held', null])
    deepEqual(held.held, { why: 'Too many complaints' })
    await followed(call, key).waitsFor('held')
    equal(letters().length, 0)
    equal((await patch(null)).status, 200)
    await arrived(3)
    equal((await sending()).held, undefined)
  })

  it('nothing is posted to webhooks, and all of it once when the hold ends', async () => {
    const { call, patch, product } = await given()
    const receiver = await startReceiver()
    const { body: webhook } = await call('POST', '/webhooks', {
      ...{ url: receiver.url, kinds: ['product.edited'] },
    })
    await patch({ why: 'Moving' })
    deepEqual((await call('GET', `/webhooks/${webhook.id}`)).body.held, { why: 'Moving' })
    for (const goal of ['sale', 'demo', 'sale'])
      equal((await call('PATCH', `/products/${product}`, { goal })).status, 200)
    await sleep(250)
    equal(receiver.got.length, 0)
    await patch(null)
    await comesTo(() => receiver.got.length, 3)
    equal((await call('GET', `/webhooks/${webhook.id}`)).body.held, undefined)
    await receiver.close()
  })

  it('nothing is posted to webhooks that is due at the moment of the call', async () => {
    const { id, call, product, patch } = await given()
    const receiver = await startReceiver()
    await call('POST', '/webhooks', { url: receiver.url, kinds: ['product.edited'] })
    const held = await beginHold(service.db, id)
    equal((await call('PATCH', `/products/${product}`, { goal: 'sale' })).status, 200)
    // A post that did not wait for the hold that is being set would be here by now.
    await sleep(1_000)
    equal(receiver.got.length, 0)
    await held.set()
    // Nor is it posted once the hold is set.
    await sleep(1_000)
    equal(receiver.got.length, 0)
    await held.end()
    // Whoever ends a hold tells the workers.
    await patch({ why: 'For its end' })
    await patch(null)
    await comesTo(() => receiver.got.length, 1)
    await receiver.close()
  })

  it('tests of letters and of webhooks are not put off: they say so, and nothing goes out', async () => {
    const { id, call, campaign, people, write, connections } = await givenCampaign(service, mail, {
      ...{ people: 1, places: [] },
    })
    const templates = [{ place: 1, subject: 'Hello', text: 'Hello.' }]
    equal((await write({ templates })).status, 200)
    const admin = (await service.administration()).call
    const patch = (held: unknown) => admin('PATCH', `/workspaces/${id}`, { held })
    const receiver = await startReceiver()
    const { body: webhook } = await call('POST', '/webhooks', { url: receiver.url })
    const [member] = (await call('GET', '/members')).body.members
    const tests = () =>
      mail
        .messages()
        .filter(({ to, subject }) => to[0] === member.email && subject?.startsWith('[Test]')).length
    const test = { person: people[0], place: 1, to: member.email }
    const ofLetter = async () => (await write({ test })).body.test
    const ofWebhook = async () =>
      (await call('POST', `/webhooks/${webhook.id}/test`, {})).body.problem
    const held = { to: member.email, state: 'failed', code: 'held' }

    await patch({ why: 'Not paid' })
    const key = randomUUID()
    const first = await write({ test }, key)
    deepEqual(first.body.test, held, first.text)
    equal(await ofWebhook(), 'held')
    await patch(null)
    // What was answered stays the answer, and is not sent later.
    deepEqual((await write({ test }, key)).body.test, held)
    equal(receiver.got.filter(({ text }) => text.includes('webhook.test')).length, 0)
    equal(tests(), 0)

    const { host } = await service.db
      .selectFrom('connections')
      .select(sql<string>`smtp ->> 'host'`.as('host'))
      .where('id', '=', connections[0] as string)
      .executeTakeFirstOrThrow()
    await hold('host', host, '--why', 'It is moved')
    deepEqual(await ofLetter(), held)
    equal(await ofWebhook(), null)
    await hold('off')
    deepEqual(await ofLetter(), { ...held, state: 'sent', code: null })
    equal(tests(), 1)
    equal((await call('GET', `/campaigns/${campaign}`)).body.funnel.sent, 0)
    await receiver.close()
  })

  it('a call that holds is answered after the last claim, however they race', async () => {
    const { id, call, patch, connections } = await given()
    const clients = await Promise.all(
      Array.from({ length: 4 }, () =>
        givenClient(service.db, { id, connections }, service.clock.now()),
      ),
    )
    const send = async (conversation: string) =>
      equal(
        (await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello.' })).status,
        200,
      )
    const claimed = async () =>
      (
        await service.db
          .selectFrom('messages')
          .select('id')
          .where('workspace', '=', id)
          .where('claimedAt', 'is not', null)
          .execute()
      ).length
    const emails = clients.map(({ email }) => email)
    const arrived = () =>
      mail.messages().filter(({ to }) => emails.includes(to[0] as string)).length
    let sent = 0
    let crossed = 0
    for (let round = 0; round < 15; round++) {
      const sending = clients.map(({ conversation }) => send(conversation))
      sent += sending.length
      // As soon as one of the round, or none, is claimed: the others race with the hold.
      if (round % 3 > 0) await reaches(claimed, sent - sending.length + (round % 3), 30_000)
      await patch({ why: `Round ${round}` })
      const before = await claimed()
      await Promise.all(sending)
      if (before < sent) crossed++
      await sleep(200)
      equal(await claimed(), before, `round ${round}`)
      await patch(null)
      await comesTo(claimed, sent, 30_000)
    }
    ok(crossed > 0)
    await comesTo(arrived, sent, 30_000)
  })

  it('holds of the operator and of applications stand beside each other', async () => {
    const { send, arrived, patch, own, admin, at, id } = await given()
    await hold('workspace', id, '--why', 'Abuse is looked into')
    const both = await patch({ why: 'We are moving' }, own)
    deepEqual(
      [both.held.setBy, both.held.why, both.held.others[0].setBy, both.held.others[0].client],
      ['operator', 'Abuse is looked into', 'workspace', 'Shop'],
    )
    const message = await send()
    await message.waitsFor('held')
    equal((await patch(null, own)).held.setBy, 'operator')
    for (const by of [own, admin]) {
      const { status, body } = await by('PATCH', at, { held: null })
      deepEqual([status, body.code], [409, 'invalid_state'])
      match(body.detail ?? body.message ?? JSON.stringify(body), /operator/)
    }
    await patch({ why: 'Also by us' })
    const { status } = await own('PATCH', at, { held: null })
    equal(status, 409)
    const listed = (await own('GET', '/workspaces')).body.workspaces[0]
    deepEqual(
      [listed.held.setBy, listed.held.others.map((one: { setBy: string }) => one.setBy)],
      ['operator', ['administration']],
    )
    equal(arrived(), 0)
    await hold('off', 'workspace', id)
    equal((await message.ended()).state, 'done')
  })

  it('a held host keeps its accounts from sending, and everything goes on after a restart of the worker', async function () {
    const { send, arrived, id, call, told } = await given()
    const accounts = () => service.db.updateTable('connections').where('workspace', '=', id)
    await accounts()
      .set({
        smtp: JSON.stringify({
          ...{ host: 'localhost', port: mail.smtpPort, tls: 'none', user: 'x' },
        }),
      })
      .execute()
    const { stderr } = await hold('host', 'LOCALHOST', '--why', 'Their server is being moved')
    match(stderr, /^The accounts at localhost \(1 workspace\) are held/)
    const message = await send()
    equal((await message.waitsFor('held')).why, 'Their server is being moved')
    equal((await told('workspace.held')).length, 1)
    const { stdout } = await hold()
    match(stdout, /^host localhost\toperator\t\S+\tTheir server is being moved\n$/)
    await worker.stop()
    match((await hold('off')).stderr, /^host localhost: no longer held/)
    equal(arrived(), 0)
    worker = await service.work(this.test?.ctx as never, {}, { taskQueue })
    equal((await message.ended()).state, 'done')
    equal((await call('GET', '/channels')).status, 200)
    match((await hold()).stderr, /Nothing is held/)
  })

  it('everything may be held', async () => {
    const { send, arrived, admin } = await given()
    await hold('all', '--why', 'The database is being moved')
    const { body } = await admin('GET', '/workspaces')
    ok(body.workspaces.every((one: { held?: { why: string } }) => one.held))
    const message = await send()
    await message.waitsFor('held')
    equal(arrived(), 0)
    match((await hold('off')).stderr, /^all: no longer held/)
    await message.ended()
    equal(arrived(), 1)
  })

  it('mails to the guests of a meeting wait', async () => {
    const { call, patch } = await given()
    await patch({ why: 'Not now' })
    const guest = `guest-${randomUUID()}@client.example`
    const day = new Date(service.clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
    const { status, text } = await eventually(
      () =>
        call('POST', '/calendar/meetings', {
          ...{ title: 'Demo', day, start: '10:00', minutes: 30, guests: [guest] },
        }),
      (reply) => reply.status !== 504,
    )
    equal(status, 200, text)
    const arrived = () => mail.messages().filter(({ to }) => to.includes(guest)).length
    // An invitation that did not wait would be here by now.
    await sleep(500)
    equal(arrived(), 0)
    await patch(null)
    await comesTo(arrived, 1)
  })

  it('refuses what it does not understand', async () => {
    const { admin, at } = await given()
    for (const body of [{ held: {} }, { held: { why: ' ' } }, { held: true }]) {
      const { status } = await admin('PATCH', at, body)
      equal(status, 422, JSON.stringify(body))
    }
    for (const args of [
      ['all'],
      ['host', 'x'],
      ['workspace', 'wsp_none', '--why', 'x'],
      ['off', 'host'],
    ])
      await hold(...args).then(
        () => ok(false, args.join(' ')),
        (error) => equal(error.code, 1),
      )
  })
})
