import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenConversation, givenPeople } from '../support/given.ts'
import { eventually } from '../support/service.ts'
import { type SkippedTime, startSkippedTime } from './skipped-time.ts'

const minute = 60_000

describe('what falls due while everything is stopped', function () {
  this.timeout(60_000)
  // As for the other tests on skipped time: a busy machine may pass a moment by.
  this.retries(2)
  let time: SkippedTime
  before(async function () {
    this.timeout(120_000)
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())
  beforeEach(() => time.begin('2026-11-23T09:00:00Z'))

  it('is done at once when work begins again, in the order of its moments, and says how late', async () => {
    const { service, mail } = time
    const { db } = service
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, call, connections } = workspace
    const began = service.clock.now()
    const at = (minutes: number) => new Date(began.getTime() + minutes * minute).toISOString()
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
      [50, await ask('POST', messages, { text: 'Third', sendAt: at(50) })],
      [40, await ask('POST', messages, { text: 'Second', sendAt: at(40) })],
      [30, await ask('POST', messages, { text: 'First', sendAt: at(30) })],
      [45, await ask('PATCH', snoozed.path, { snoozeUntil: at(45) })],
      [35, await ask('POST', `${tasked.path}/tasks`, { text: 'Write: Hello.', due: at(35) })],
    ] as const
    for (const [, operation] of asked)
      await eventually(operation, ({ state }) => state === 'waiting')

    await time.awayUntil(at(150))
    for (const [due, operation] of asked) {
      const { state, result } = await eventually(operation, ({ endedAt }) => endedAt !== null)
      equal(state, 'done')
      const late = (150 - due) * 60
      ok(result.lateBy >= late && result.lateBy < late + 1_200, `${due}: ${JSON.stringify(result)}`)
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
