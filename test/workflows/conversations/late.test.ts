import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const hour = 3_600_000

describe('what falls due while everything is stopped', function () {
  this.timeout(240_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is done at once when work resumes, in the order of its due times, and shows how late it is', async function () {
    const { db, clock } = service
    const mail = await testMail()
    const workspace = await given(mail)
    const { began, at, talk, ask, call } = workspace
    const queue = `test-${randomUUID()}`
    const worker = await service.work(this, {}, { taskQueue: queue })
    const [first, second, third] = [await talk(0), await talk(1), await talk(0)]
    const snoozed = [await talk(0), await talk(1), await talk(0)]
    const tasked = await talk(0)
    // Requested in another order than they are due, in conversations of two accounts.
    const moments = [25, 21, 24, 19, 22, 20, 26, 18, 23, 27, 17, 16]
    const talks = [first, second, third]
    const asked: [number, () => Promise<Body>][] = []
    for (const [i, due] of moments.entries()) {
      const { path } = talks[i % 3] as Talk
      const body = { text: `Due ${due}`, sendAt: at(due) }
      asked.push([due, await ask('POST', `${path}/messages`, body)])
    }
    for (const [i, due] of [24, 22, 26].entries())
      asked.push([due, await ask('PATCH', snoozed[i]?.path ?? '', { snoozeUntil: at(due) })])
    asked.push([
      22,
      await ask('POST', `${tasked.path}/tasks`, { text: 'Write: Hello.', due: at(22) }),
    ])
    for (const [, operation] of asked)
      await eventually(operation, ({ state }) => state === 'waiting')

    // Their timers fire at the real server while no worker runs, and two hours of the business clock pass.
    await worker.stop()
    await sleep(Math.max(0, Date.parse(at(27)) - clock.now().getTime()))
    await clock.set(new Date(began.getTime() + 2 * hour).toISOString())
    await service.work(this, {}, { taskQueue: queue })
    for (const [due, operation] of asked) {
      const { state, result } = await eventually(
        operation,
        ({ endedAt }) => endedAt !== null,
        60_000,
      )
      equal(state, 'done')
      const late = 2 * 3600 - due
      ok(result.lateBy >= late && result.lateBy < late + 60, `${due}: ${JSON.stringify(result)}`)
    }
    const clients = talks.map(({ email }) => email)
    deepEqual(
      mail
        .messages()
        .filter(({ to }) => to.some((address) => clients.includes(address)))
        .map(({ text }) => text?.trim()),
      moments.toSorted().map((due) => `Due ${due}`),
    )
    const woken = await db
      .selectFrom('events')
      .select('resource')
      .where('workspace', '=', workspace.id)
      .where('kind', '=', 'conversation.woken')
      .orderBy('xid')
      .orderBy('id')
      .execute()
    deepEqual(
      woken.map(({ resource }) => `/conversations/${resource}`),
      [snoozed[1]?.path, snoozed[0]?.path, snoozed[2]?.path],
    )
    for (const { path } of snoozed) equal((await call('GET', path)).body.state, 'open')
    await eventually(
      async () => mail.messages().filter(({ to }) => to.includes(tasked.email)),
      ({ length }) => length === 1,
    )
  })

  it('is not delayed by what is stuck', async function () {
    const { clock } = service
    const mail = await testMail()
    const { at, talk, ask, id } = await given(mail)
    const queue = `test-${randomUUID()}`
    const worker = await service.work(this, {}, { taskQueue: queue })
    const [stuck, other] = [await talk(0), await talk(0)]
    const key = randomUUID()
    const lost = await ask('POST', `${stuck.path}/messages`, { text: 'Lost', sendAt: at(8) }, key)
    const late = await ask('POST', `${other.path}/messages`, { text: 'Late', sendAt: at(10) })
    for (const operation of [lost, late])
      await eventually(operation, ({ state }) => state === 'waiting')
    await worker.stop()
    await (await testClient()).workflow.getHandle(`${id}:${key}`).terminate()
    await sleep(Math.max(0, Date.parse(at(10)) - clock.now().getTime()))
    await service.work(this, {}, { taskQueue: queue })
    equal((await eventually(late, ({ endedAt }) => endedAt !== null, 60_000)).state, 'done')
    deepEqual(
      mail.messages().map(({ text }) => text?.trim()),
      ['Late'],
    )
    equal((await lost()).endedAt, null)
  })

  type Talk = { email: string; path: string }
  // biome-ignore lint/suspicious/noExplicitAny: an answer as a client reads it.
  type Body = any

  /** A new workspace with its conversations and calls; times are in seconds from now. */
  async function given(mail: { smtpPort: number }) {
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
