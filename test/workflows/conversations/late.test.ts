import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const hour = 3_600_000

describe('what falls due while everything is stopped', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: MailSink
  let all: Awaited<ReturnType<typeof givenAll>>
  let stuck: Awaited<ReturnType<typeof givenStuck>>
  before(async function () {
    service = await startService()
    mail = await testMail()
    const queue = { taskQueue: `test-${randomUUID()}`, only: ['rows', 'send', 'remote'] as const }
    const worker = await service.work(this.test?.ctx, {}, queue)
    all = await givenAll()
    stuck = await givenStuck()
    for (const [, operation] of [...all.asked, ...stuck.asked])
      await eventually(operation, ({ state }) => state === 'waiting')

    // Their timers fire at the real server while no worker runs, and two hours of the business clock pass.
    await worker.stop()
    const { workflow } = await testClient(this.test?.ctx)
    await workflow.getHandle(stuck.lost).terminate()
    await sleep(Math.max(0, Date.parse(all.at(last)) - service.clock.now().getTime()))
    await service.clock.set(new Date(all.began.getTime() + 2 * hour).toISOString())
    await service.work(this.test?.ctx, {}, queue)
  })
  after(() => service.close())

  // In seconds from the beginning: late enough for all to be asked for and to wait, on a busy machine too.
  const [first, last] = [8, 11]

  async function givenAll() {
    const workspace = await given()
    const { at, talk, ask } = workspace
    const talks = [await talk(0), await talk(1), await talk(0)]
    const snoozed = [await talk(0), await talk(1), await talk(0)]
    const tasked = await talk(0)
    // Requested in another order than they are due, in conversations of two accounts.
    const moments = [9, 5, 8, 3, 6, 4, 10, 2, 7, 11, 1, 0].map((n) => first + n / 4)
    const asked: [number, () => Promise<Body>][] = []
    for (const [i, due] of moments.entries()) {
      const { path } = talks[i % 3] as Talk
      const body = { text: `Due ${due}`, sendAt: at(due) }
      asked.push([due, await ask('POST', `${path}/messages`, body)])
    }
    for (const [i, due] of [first + 2, first + 1, first + 2.5].entries())
      asked.push([due, await ask('PATCH', snoozed[i]?.path ?? '', { snoozeUntil: at(due) })])
    const task = { text: 'Write: Hello.', due: at(first + 2) }
    asked.push([first + 2, await ask('POST', `${tasked.path}/tasks`, task)])
    return { ...workspace, talks, snoozed, tasked, moments, asked }
  }

  async function givenStuck() {
    const workspace = await given()
    const { at, talk, ask, id } = workspace
    const [lost, late] = [await talk(0), await talk(0)]
    const key = randomUUID()
    const asked: Asked[] = [
      [lost, await ask('POST', `${lost.path}/messages`, { text: 'Lost', sendAt: at(first) }, key)],
      [late, await ask('POST', `${late.path}/messages`, { text: 'Late', sendAt: at(first + 1) })],
    ]
    return { ...workspace, asked, lost: `${id}:${key}` }
  }

  it('is done at once when work resumes, in the order of its due times, and shows how late it is', async () => {
    const { id, call, asked, talks, moments, snoozed, tasked } = all
    for (const [due, operation] of asked) {
      const { state, result } = await eventually(
        operation,
        ({ endedAt }) => endedAt !== null,
        60_000,
      )
      equal(state, 'done')
      const late = Math.floor(2 * 3600 - due)
      ok(result.lateBy >= late && result.lateBy < late + 60, `${due}: ${JSON.stringify(result)}`)
    }
    const clients = talks.map(({ email }) => email)
    deepEqual(
      mail
        .messages()
        .filter(({ to }) => to.some((address) => clients.includes(address)))
        .map(({ text }) => text?.trim()),
      moments.toSorted((a, b) => a - b).map((due) => `Due ${due}`),
    )
    const woken = await service.db
      .selectFrom('events')
      .select('resource')
      .where('workspace', '=', id)
      .where('kind', '=', 'conversation.woken')
      .orderBy('xid')
      .orderBy('id')
      .execute()
    deepEqual(
      woken.map(({ resource }) => `/conversations/${resource}`),
      [snoozed[1]?.path, snoozed[0]?.path, snoozed[2]?.path],
    )
    for (const { path } of snoozed) equal((await call('GET', path)).body.state, 'open')
    await comesTo(() => mail.messages().filter(({ to }) => to.includes(tasked.email)).length, 1)
  })

  it('is not delayed by what is stuck', async () => {
    const [[lost, lostOne], [late, lateOne]] = stuck.asked as [Asked, Asked]
    equal((await eventually(lateOne, ({ endedAt }) => endedAt !== null, 60_000)).state, 'done')
    const to = [lost.email, late.email]
    deepEqual(
      mail
        .messages()
        .filter((message) => to.includes(message.to[0] ?? ''))
        .map(({ text }) => text?.trim()),
      ['Late'],
    )
    equal((await lostOne()).endedAt, null)
  })

  type Talk = { email: string; path: string }
  type Asked = [Talk, () => Promise<Body>]
  // biome-ignore lint/suspicious/noExplicitAny: an answer as a client reads it.
  type Body = any

  /** A new workspace with its conversations and calls; times are in seconds from now. */
  async function given() {
    const { db, clock } = service
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, call, connections } = workspace
    const began = clock.now()
    return {
      ...workspace,
      began,
      at: (seconds: number) => new Date(began.getTime() + seconds * 1000).toISOString(),
      talk: async (account: 0 | 1): Promise<Talk> => {
        const email = `client-${randomUUID()}@client.example`
        const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], began)
        const conversation = { person, connection: connections[account], from: email, at: began }
        return { email, path: `/conversations/${await givenConversation(db, id, conversation)}` }
      },
      ask: async (method: string, path: string, body: object, key: string = randomUUID()) => {
        const reply = await call(method, path, body, { key })
        equal(reply.status, 200, reply.text)
        return async (): Promise<Body> => (await call('GET', `/operations/${key}`)).body
      },
    }
  }
})
