import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenPeople } from '../support/given.ts'
import { type MailSink, testMail } from '../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../support/service.ts'

// The moments around a claim, held open by a mail server that takes its time.

const day = { day: 100, week: 500, gapSeconds: 0 }

describe('a campaign letter on its way', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink

  before(async function () {
    mail = await testMail()
    service = await sharedService(this.test?.ctx)
  })
  beforeEach(() => mail.script({}))

  /** A running campaign to one person, whose letter is stopped at a step of the mail server until `goOn`. */
  async function heldAt(step: 'onAuth' | 'onData', limits = day) {
    const room = await service.workspace({ smtpPort: mail.smtpPort, limits })
    const email = `p-${randomUUID()}@client.example`
    await givenPeople(service.db, room.id, [{ name: 'Cleo', email }], service.clock.now())
    const segment = (await room.call('POST', '/segments', { query: 'everyone' })).body.id
    const made = await room.call('POST', '/campaigns', {
      goal: 'Book a demo',
      segment,
      agent: room.agent,
    })
    const path = `/campaigns/${made.body.id}`
    await room.call('POST', `${path}/letters`, { write: [1], agree: [1] })

    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    mail.script({
      [step]: async () => {
        reached.resolve()
        await released.promise
      },
    })
    const move = async (to: string, key: string = randomUUID()) =>
      (await room.call('POST', `${path}/state`, { to }, { key })).body
    const run = randomUUID()
    await move('running', run)
    await reached.promise
    const touch = async () => (await room.call('GET', `${path}/touches`)).body.touches[0]
    return {
      ...room,
      path,
      move,
      run,
      touch,
      goOn: released.resolve,
      settledAs: (state: string) => eventually(touch, (letter) => letter.state === state, 30_000),
      ended: (key: string) =>
        eventually(
          () => room.call('GET', `/operations/${key}`),
          ({ body }) => body.endedAt !== null,
        ),
      arrived: () => mail.messages().filter(({ to }) => to.includes(email)).length,
    }
  }

  it('is not claimed when its account begins to open before a pause and is ready only after it', async () => {
    const letter = await heldAt('onAuth')
    const key = randomUUID()
    equal((await letter.move('paused', key)).inFlight, 0)
    letter.goOn()
    await letter.ended(key)
    await letter.ended(letter.run)
    deepEqual([(await letter.touch()).state, letter.arrived()], ['queued', 0])
    await letter.move('running')
    await letter.settledAs('sent')
    equal(letter.arrived(), 1)
  })

  it('arrives when it was claimed before a pause, which counts it and waits for it', async () => {
    const letter = await heldAt('onData')
    const key = randomUUID()
    equal((await letter.move('paused', key)).inFlight, 1)
    const waiting = await eventually(
      () => letter.call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'waiting',
    )
    equal(waiting.body.waitingFor, 'in_flight')
    letter.goOn()
    await letter.settledAs('sent')
    equal((await letter.ended(key)).body.state, 'done')
    equal(letter.arrived(), 1)
  })

  it('is not claimed for a person who unsubscribes while its account is being opened', async () => {
    const letter = await heldAt('onAuth')
    // A letter gets its link with its claim; the person follows the link of another letter.
    const token = randomUUID()
    await service.db
      .updateTable('touches')
      .set({ token })
      .where('id', '=', (await letter.touch()).id)
      .execute()
    equal((await fetch(`${service.url}/u/${token}`, { method: 'POST' })).status, 200)
    letter.goOn()
    equal((await letter.settledAs('failed')).reason, 'unsubscribed')
    equal(letter.arrived(), 0)
  })

  it("is not claimed when a message has used up the day's limit meanwhile", async () => {
    const letter = await heldAt('onAuth', { ...day, day: 1 })
    await service.db
      .insertInto('connectionUsage')
      .values({ connection: letter.connections[0], day: '2026-11-23', used: 1 })
      .execute()
    letter.goOn()
    const held = await eventually(
      () => letter.call('GET', letter.path),
      ({ body }) => body.campaign.sending.blockedBy === 'day_limit',
    )
    equal(held.body.campaign.sending.now, false)
    deepEqual([(await letter.touch()).state, letter.arrived()], ['queued', 0])
  })
})
