import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { givenConversation, givenPeople } from '../support/given.ts'
import { testMail } from '../support/mail.ts'
import { eventually, startService, type TestService } from '../support/service.ts'

const hour = 3_600_000

describe('what falls due while everything is stopped', function () {
  this.timeout(240_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is done at once when work begins again, in the order of its moments, and says how late', async function () {
    const { db, clock } = service
    const mail = await testMail()
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, call, connections } = workspace
    const queue = `test-${randomUUID()}`
    const worker = await service.work(this, {}, queue)
    // The timers of these run out at the real server while nobody works.
    const began = clock.now()
    const at = (seconds: number) => new Date(began.getTime() + seconds * 1000).toISOString()
    const talk = async () => {
      const email = `client-${randomUUID()}@client.example`
      const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], began)
      const given = { person, connection: connections[0], from: email, at: began }
      return { email, path: `/conversations/${await givenConversation(db, id, given)}` }
    }
    const ask = async (method: string, path: string, body: object) => {
      const key = randomUUID()
      const reply = await call(method, path, body, { key })
      equal(reply.status, 200, reply.text)
      return async () => (await call('GET', `/operations/${key}`)).body
    }
    const [spoken, snoozed, tasked] = [await talk(), await talk(), await talk()]
    const messages = `${spoken.path}/messages`
    // Asked for in another order than they are due.
    const asked = [
      [25, await ask('POST', messages, { text: 'Third', sendAt: at(25) })],
      [24, await ask('POST', messages, { text: 'Second', sendAt: at(24) })],
      [20, await ask('POST', messages, { text: 'First', sendAt: at(20) })],
      [23, await ask('PATCH', snoozed.path, { snoozeUntil: at(23) })],
      [22, await ask('POST', `${tasked.path}/tasks`, { text: 'Write: Hello.', due: at(22) })],
    ] as const
    for (const [, operation] of asked)
      await eventually(operation, ({ state }) => state === 'waiting')

    await worker.stop()
    await sleep(Math.max(0, Date.parse(at(26)) - clock.now().getTime()))
    // Two hours of the business clock go by.
    clock.set(new Date(began.getTime() + 2 * hour).toISOString())
    await service.work(this, {}, queue)
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
    deepEqual(
      mail
        .messages()
        .filter(({ to }) => to.includes(spoken.email))
        .map(({ text }) => text?.trim()),
      ['First', 'Second', 'Third'],
    )
    equal((await call('GET', snoozed.path)).body.state, 'open')
    await eventually(
      async () => mail.messages().filter(({ to }) => to.includes(tasked.email)),
      ({ length }) => length === 1,
    )
  })
})
