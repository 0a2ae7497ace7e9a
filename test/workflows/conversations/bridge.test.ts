import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import { enqueueSignal } from '../../../db/operations/outbox.ts'
import { givenMessenger, startBridge, type TestBridge, tell } from '../../support/bridge.ts'
import { followed } from '../../support/followed.ts'
import { openRaw } from '../../support/raw.ts'
import { reaches, type SharedService, sharedService } from '../../support/service.ts'

const received = (text: string, more = {}) => ({
  type: 'message.received',
  data: { from: { address: '+49 171 1234567', name: 'Cleo' }, text, ...more },
})

describe('a bridge', function () {
  this.timeout(60_000)
  let service: SharedService
  let bridge: TestBridge
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })
  beforeEach(async () => {
    bridge = await startBridge()
  })
  afterEach(() => bridge.stop())

  async function chat(given: { url: string } | null = bridge) {
    const workspace = await service.workspace()
    const { call, id: own } = workspace
    const account = await givenMessenger(service.db, workspace, given)
    const incoming = (event: { type: string; data: unknown }, options = {}) =>
      tell(service.url, account, event, options)
    const list = async () => (await call('GET', '/conversations')).body.conversations
    const messages = async (conversation: string) =>
      (await call('GET', `/conversations/${conversation}/messages`)).body.messages
    const begun = async () => {
      const { status, text } = await incoming(received('What does it cost?'), { id: 'in-1' })
      equal(status, 204, text)
      return (await list())[0].id as string
    }
    const send = async (conversation: string, text: string, more = {}) => {
      const key = randomUUID()
      const { status, body } = await call(
        'POST',
        `/conversations/${conversation}/messages`,
        { text, ...more },
        { key },
      )
      equal(status, 200)
      return { id: body.id as string, workflow: `${own}:${key}`, ...followed(call, key, 40_000) }
    }
    return { ...workspace, account, incoming, list, messages, begun, send }
  }

  describe('that sends something', () => {
    it('opens a conversation with the person of that number, and a chat is one conversation', async () => {
      const { begun, incoming, list, messages, call } = await chat()
      const conversation = await begun()
      equal((await incoming(received('And when?'), { id: 'in-2' })).status, 204)
      const [one, ...more] = await list()
      deepEqual([one.kind, one.state, more.length], ['messenger', 'open', 0])
      deepEqual(
        (await messages(conversation)).map(({ text }: { text: string }) => text),
        ['And when?', 'What does it cost?'],
      )
      equal((await call('GET', `/people/${one.person}`)).body.phone, '+491711234567')
    })

    it('has an event recorded once, however often it sends it', async () => {
      const { incoming, list, messages } = await chat()
      const same = received('Once', {
        files: [
          { name: 'a.txt', type: 'text/plain', content: Buffer.from('a').toString('base64') },
        ],
      })
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => incoming(same, { id: 'same' })),
      )
      deepEqual([...new Set(answers.map(({ status }) => status))], [204])
      const [one] = await list()
      const all = await messages(one.id)
      deepEqual([all.length, all[0].files], [1, 1])
    })

    it('is refused without its signature, with a wrong one, and with an old one', async () => {
      const { incoming, list, account } = await chat()
      const event = received('Let me in')
      const minutes = 60_000
      const other = `whsec_${Buffer.from('another secret of 32 bytes or so').toString('base64')}`
      const refused = [
        await incoming(event, { secret: other }),
        await incoming(event, { but: { 'webhook-signature': '' } }),
        await incoming(event, { but: { 'webhook-signature': 'v1,AAAA' } }),
        await incoming(event, { but: { 'webhook-id': 'another' } }),
        await incoming(event, { at: new Date(Date.now() - 6 * minutes) }),
        await incoming(event, { at: new Date(Date.now() + 6 * minutes) }),
      ]
      deepEqual([...new Set(refused.map(({ status }) => status))], [401])
      deepEqual(await list(), [])
      for (const path of ['%00', 'x/y', ''])
        equal((await tell(service.url, path, event)).status, 404)
      const get = await fetch(`${service.url}/bridge/${account}`)
      deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
      equal((await incoming(event, { body: `"${'x'.repeat(17 << 20)}"` })).status, 413)
    })

    it('is refused in the same way on a connection without a bridge, and on an unknown one', async () => {
      const { incoming, connections } = await chat(null)
      equal((await incoming(received('x'))).status, 401)
      for (const path of [connections[0], 'con_unknown'])
        equal((await tell(service.url, path, received('x'))).status, 401)
    })

    it('is not waited for when its signature header cannot be right, for as long whether or not it exists', async () => {
      const { account, connections } = await chat()
      const now = Math.floor(Date.now() / 1000)
      const right = {
        'webhook-id': 'x',
        'webhook-timestamp': now,
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      }
      const announced = (path: string, headers: object) =>
        openRaw(service.url, 'POST', `/bridge/${path}`, { 'Content-Length': 16 << 20, ...headers })
      for (const wrong of [
        {},
        { ...right, 'webhook-id': 'x'.repeat(256) },
        { ...right, 'webhook-timestamp': now - 400 },
        { ...right, 'webhook-timestamp': 'soon' },
        { ...right, 'webhook-signature': 'v1,AAAA' },
        { ...right, 'webhook-signature': `v2,${Buffer.alloc(32).toString('base64')}` },
      ]) {
        const raw = announced(account, wrong)
        equal((await raw.answered()).status, 401)
        raw.destroy()
      }
      const paths = [account, connections[0] ?? '', 'con_unknown']
      const held = paths.map((path) => announced(path, right))
      await new Promise((resolve) => setTimeout(resolve, 300))
      for (const raw of held) equal(raw.status(), undefined)
      for (const raw of held) raw.destroy()
      for (const path of paths) {
        const raw = announced(path, { ...right, 'Content-Length': 9 })
        raw.write('{"a":"b"}')
        equal((await raw.answered()).status, 401)
        raw.destroy()
      }
    })

    it('may send sixteen megabytes', async () => {
      const { incoming, list, messages } = await chat()
      const content = Buffer.alloc(11 << 20, 7).toString('base64')
      const files = [{ name: 'a.bin', type: 'application/octet-stream', content }]
      equal((await incoming(received('Large', { files }))).status, 204)
      equal((await messages((await list())[0].id))[0].files, 1)
    })

    it('may send event types not known yet, but nothing malformed', async () => {
      const { incoming } = await chat()
      equal((await incoming(received('a\0b\ud800c'))).status, 204)
      equal((await incoming({ type: 'typing.started', data: {} })).status, 204)
      equal((await incoming({ type: 'message.received', data: { text: 'no sender' } })).status, 422)
      equal((await incoming({ type: '', data: null }, { body: '{' })).status, 400)
      const gone = { type: 'message.status', data: { message: 'msg_none', state: 'sent' } }
      equal((await incoming(gone)).status, 404)
    })
  })

  describe('that carries our messages', () => {
    it('gets the message once, and its answer is recorded', async () => {
      const { begun, send, messages } = await chat()
      const conversation = await begun()
      const message = await send(conversation, 'Ten a month.')
      const { state, result } = await message.ended()
      deepEqual([state, result.state], ['done', 'sent'])
      const [taken, ...more] = bridge.taken
      deepEqual(
        [taken?.id, taken?.to, taken?.text, taken?.inReplyTo, more.length],
        [...[message.id, '+49 171 1234567', 'Ten a month.', 'in-1', 0]],
      )
      equal((await messages(conversation))[0].state, 'sent')
    })

    it('gets the files of a message with it', async () => {
      const { id: workspace, begun, send } = await chat()
      const sendAt = new Date(service.clock.now().getTime() + 2_000).toISOString()
      const message = await send(await begun(), 'The offer', { sendAt })
      const content = Buffer.alloc(600_000, 'offer')
      const file = { name: '見積.pdf', type: 'application/pdf' }
      await service.db
        .insertInto('files')
        .values({
          ...{ id: newId('fil'), workspace, message: message.id, size: content.length, content },
          ...file,
        })
        .execute()
      equal((await message.ended()).state, 'done')
      deepEqual(bridge.taken.at(-1)?.files, [{ ...file, content: content.toString('base64') }])
    })

    /** Has a message that was put off tried at once: after 15, 30 and 60 seconds it would be tried anyway. */
    async function hasten(message: Awaited<ReturnType<Awaited<ReturnType<typeof chat>>['send']>>) {
      await message.waitsFor('next_try')
      const { db } = service
      await db
        .updateTable('messages')
        .set({ nextTryAt: null })
        .where('id', '=', message.id)
        .execute()
      await enqueueSignal(db as never, message.workflow, 'changed')
    }

    it('that took a message before the connection broke is asked, and does not get it twice', async () => {
      const { begun, send } = await chat()
      const conversation = await begun()
      for (const twist of ['drop-after', 'nonsense', 500] as const) {
        bridge.twists.post.push(twist)
        const message = await send(conversation, `After ${twist}`)
        if (twist === 500) await hasten(message)
        const { state } = await message.ended()
        equal(state, 'done', String(twist))
        equal(bridge.taken.filter(({ id }) => id === message.id).length, 1)
        // A 500 means that nothing was taken, so it is handed over again under the same id.
        equal(bridge.posts.filter((id) => id === message.id).length, twist === 500 ? 2 : 1)
      }
    })

    it('that does not know the message gets it again', async () => {
      const { begun, send } = await chat()
      bridge.twists.post.push('drop-before', 429, 503)
      const message = await send(await begun(), 'Again')
      await message.waitsFor('next_try')
      for (let i = 0; i < 3; i++) {
        await hasten(message)
        await reaches(() => bridge.posts.length, i + 2)
      }
      equal((await message.ended()).state, 'done')
      equal(bridge.taken.length, 1)
    })

    it('that is away keeps the message queued', async () => {
      const { begun, send } = await chat()
      const conversation = await begun()
      await bridge.stop()
      const message = await send(conversation, 'Anybody?')
      await message.waitsFor('next_try')
      await bridge.restart()
      equal(bridge.posts.length, 0)
    })

    it('that refuses it gives the reason', async () => {
      const { begun, send, call } = await chat()
      const conversation = await begun()
      bridge.twists.post.push({ status: 422, body: { reason: 'recipient_unknown' } })
      const { state, result } = await (await send(conversation, 'No')).ended()
      deepEqual([state, result.reason], ['failed', 'recipient_unknown'])
      bridge.twists.post.push({ status: 400, body: { reason: 'Cleo, +49 171 1234567' } })
      equal((await (await send(conversation, 'No')).ended()).result.reason, 'refused')
      const { accounts } = (await call('GET', '/senders/health')).body
      equal(accounts.find((a: { channel: string }) => a.channel === 'messenger').used.day, 0)
    })

    it('that cannot tell leaves the message unconfirmed, until it can', async () => {
      const { begun, send, incoming, call, account } = await chat()
      const conversation = await begun()
      bridge.twists.post.push('drop-after', 'drop-after')
      bridge.twists.get.push(500, 500)
      const told = await send(conversation, 'Did you get it?')
      await told.waitsFor('resolve')
      const asked = await send(conversation, 'And this?')
      await asked.waitsFor('resolve')
      const status = { message: told.id, state: 'delivered', id: 'b-1' }
      equal((await incoming({ type: 'message.status', data: status })).status, 204)
      equal((await told.ended()).state, 'done')
      // The next check of the account settles the other one.
      const { body } = await call('POST', '/senders/health/check', { connection: account })
      ok(body.accounts)
      equal((await asked.ended()).state, 'done')
      equal(bridge.posts.length, 2)
    })

    it('that fails to deliver in the end reports it', async () => {
      const { begun, send, incoming, messages, call } = await chat()
      const conversation = await begun()
      const message = await send(conversation, 'Hello')
      await message.ended()
      const status = { message: message.id, state: 'failed', reason: 'blocked_by_recipient' }
      for (const _ of ['once', 'twice'])
        equal((await incoming({ type: 'message.status', data: status })).status, 204)
      const [first] = await messages(conversation)
      equal(first.state, 'failed')
      const { notifications } = (await call('GET', '/notifications')).body
      equal(notifications.filter((n: { kind: string }) => n.kind === 'message.failed').length, 1)
    })
  })

  it('is alive while it says that it is', async () => {
    const { call, account } = await chat()
    const channel = async () => {
      await call('POST', '/senders/health/check', { connection: account })
      const { channels } = (await call('GET', '/channels')).body
      return channels.find(({ id }: { id: string }) => id === account)
    }
    deepEqual(await channel().then(({ alive, problem }) => [alive, problem]), [true, null])
    bridge.twists.health = 500
    deepEqual(await channel().then(({ alive, problem }) => [alive, problem]), [
      false,
      'bridge_error_500',
    ])
    await bridge.stop()
    equal((await channel()).problem, 'bridge_unreachable')
    await bridge.restart()
  })

  it('fails a message when it is missing', async () => {
    const { send, id, db, account, clock } = { ...(await chat(null)), ...service }
    const now = clock.now()
    const person = `per_${id}`
    await db
      .insertInto('people')
      .values({
        id: person,
        workspace: id,
        name: 'Cleo',
        city: '',
        jobTitle: '',
        company: '',
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db
      .insertInto('addresses')
      .values({
        workspace: id,
        kind: 'phone',
        value: '+491711',
        given: '+491711',
        person,
        position: 0,
      })
      .execute()
    const conversation = `cnv_${id}`
    await db
      .insertInto('conversations')
      .values({
        id: conversation,
        workspace: id,
        person,
        connection: account,
        kind: 'messenger',
        subject: '',
        lastMessageAt: now,
        waitingSince: now,
      })
      .execute()
    const { state, result } = await (await send(conversation, 'Hello')).ended()
    deepEqual([state, result.reason], ['failed', 'no_bridge'])
  })
})
