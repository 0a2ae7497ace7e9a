import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { resolve, retryNow } from '../../../workflows/signals.ts'
import { auditedActions } from '../../support/audited.ts'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

const monday = '2026-11-23T09:00:00Z'
const busy = { code: 451, text: 'busy' }

describe('sendMessage through days', function () {
  this.timeout(60_000)
  this.retries(retries)
  let time: SkippedTime

  before(async function () {
    this.timeout(120_000)
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())
  beforeEach(() => time.begin(monday))
  afterEach(() => time.mail.script({}))

  async function conversation() {
    const { service, mail } = time
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id: own, call } = workspace
    const client = await givenClient(service.db, workspace, service.clock.now())
    const { email, conversation: id } = client
    const send = async (text: string, sendAt?: string) => {
      const key = randomUUID()
      const { status, body } = await call(
        'POST',
        `/conversations/${id}/messages`,
        { text, sendAt },
        { key },
      )
      equal(status, 200)
      return {
        id: body.id as string,
        workflow: time.handle(`${own}:${key}`),
        ...followed(call, key),
      }
    }
    const arrived = () => mail.messages().filter(({ to }) => to.includes(email))
    const audited = async (action: string) =>
      (await auditedActions(call)).filter((one) => one === action).length
    return { ...workspace, conversation: id, email, send, arrived, audited }
  }

  it('sends in a year what is scheduled a year ahead, and not an hour before', async () => {
    const { send, arrived } = await conversation()
    const message = await send('A year has passed.', '2027-11-23T10:30:00+01:00')
    const waiting = await message.waitsFor('send_at')
    deepEqual([waiting.state, waiting.until], ['waiting', '2027-11-23T09:30:00.000Z'])
    await time.skipTo('2027-11-23T08:30:00Z')
    equal(arrived().length, 0)
    await time.skipTo('2027-11-23T09:31:00Z')
    const { state, result } = await message.ended()
    deepEqual([state, result.sentAt.slice(0, 16)], ['done', '2027-11-23T09:30'])
    equal(arrived().length, 1)
    const { events } = await message.workflow.fetchHistory()
    ok(events && events.length < 53 * 12, `${events?.length} events`)
  })

  it('sends at once what precedes a message scheduled for tomorrow', async () => {
    const { send, arrived } = await conversation()
    const later = await send('Tomorrow.', '2026-11-24T09:00:00Z')
    const now = await send('Today.')
    await now.ended()
    await time.skipTo('2026-11-24T10:00:00Z')
    await later.ended()
    deepEqual(
      arrived().map(({ text }) => text.trim()),
      ['Today.', 'Tomorrow.'],
    )
  })

  it('keeps its turn while the message before it is put off', async () => {
    const { send, arrived, email } = await conversation()
    let tries = 0
    time.mail.script({
      onRcpt: (address) => (address === email && ++tries <= 2 ? busy : undefined),
    })
    const first = await send('First.')
    await first.waitsFor('next_try')
    const second = await send('Second.')
    await second.waitsFor('turn')
    await time.skipTo('2026-11-23T09:05:00Z')
    await second.ended()
    deepEqual(
      arrived().map(({ text }) => text.trim()),
      ['First.', 'Second.'],
    )
    equal(tries, 4)
  })

  it('is put off for at most four days, and then fails', async () => {
    const { send, arrived, email } = await conversation()
    time.mail.script({ onRcpt: (address) => (address === email ? busy : undefined) })
    const message = await send('Nobody takes this.')
    await message.waitsFor('next_try')
    // Some four hundred attempts are skipped: only the clock jumps.
    await time.begin('2026-11-27T08:30:00Z')
    await time.skipTo('2026-11-27T08:55:00Z')
    equal((await message.operation()).state, 'waiting')
    await time.skipTo('2026-11-27T09:30:00Z')
    const { state, result } = await message.ended()
    deepEqual([state, result.reason], ['failed', 'undeliverable'])
    equal(arrived().length, 0)
  })

  describe('retryNow', () => {
    it('does not wait for the next attempt', async () => {
      const { send, arrived, email, audited } = await conversation()
      time.mail.script({ onRcpt: (address) => (address === email ? busy : undefined) })
      const message = await send('Once more.')
      await message.waitsFor('next_try')
      await time.skipTo('2026-11-23T09:50:00Z')
      time.mail.script({})
      const { until } = await message.waitsFor('next_try')
      ok(Date.parse(until) - (await time.now()).getTime() > 60_000, 'the next try is far')
      await message.workflow.executeUpdate(retryNow)
      await message.ended()
      equal(arrived().length, 1)
      equal(await audited('message.retried'), 1)
    })

    it('does not wait for an account that could not be opened', async () => {
      const { send, arrived } = await conversation()
      await time.mail.stop()
      const message = await send('Is anybody there?')
      await message.waitsFor('connection')
      await time.skipTo('2026-11-23T10:00:00Z')
      await time.mail.restart()
      const before = (await time.now()).getTime()
      await message.workflow.executeUpdate(retryNow)
      await message.ended()
      equal(arrived().length, 1)
      ok((await time.now()).getTime() - before < 10_000)
    })
  })

  describe('resolve', () => {
    /** A message that arrived although the service cannot know it. */
    async function unconfirmed() {
      const given = await conversation()
      let dropped = false
      time.mail.script({
        onAccepted: ({ to }) => {
          if (dropped || to[0] !== given.email) return undefined
          dropped = true
          return 'drop'
        },
      })
      const message = await given.send('Has it arrived?')
      await message.waitsFor('resolve')
      return { ...given, message }
    }

    it('counts it as sent, and sends nothing more', async () => {
      const { message, arrived, audited } = await unconfirmed()
      await time.skipTo('2026-11-25T09:00:00Z')
      equal((await message.operation()).waitingFor, 'resolve')
      await message.workflow.executeUpdate(resolve, { args: ['sent'] })
      const { state, result } = await message.ended()
      deepEqual([state, result.state], ['done', 'sent'])
      await time.ended(message.workflow.workflowId)
      equal(arrived().length, 1)
      equal(await audited('message.resolved'), 1)
    })

    it('sends it again under the Message-ID it had', async () => {
      const { message, arrived } = await unconfirmed()
      await message.workflow.executeUpdate(resolve, { args: ['again'] })
      const { result } = await message.ended()
      deepEqual(
        arrived().map(({ messageId }) => messageId),
        [result.messageId, result.messageId],
      )
    })

    for (const [outcome, letters] of [
      ['sent', 1],
      ['again', 2],
    ] as const)
      it(`does what a caller of the API says: ${outcome}`, async () => {
        const { message, arrived, call } = await unconfirmed()
        const [told] = (await call('GET', '/notifications')).body.notifications
        match(told.text, new RegExp(`POST /messages/${message.id}/resolve with the outcome`))
        const answer = await call('POST', `/messages/${message.id}/resolve`, { outcome })
        equal(answer.status, 200, answer.text)
        equal((await message.ended()).result.state, 'sent')
        await time.ended(message.workflow.workflowId)
        const ids = arrived().map(({ messageId }) => messageId)
        deepEqual([ids.length, new Set(ids).size], [letters, 1])
      })

    it('refuses an unknown outcome, and a message that needs no decision', async () => {
      const { message, send } = await unconfirmed()
      await rejects(message.workflow.executeUpdate(resolve, { args: ['perhaps' as 'sent'] }))
      await message.workflow.executeUpdate(resolve, { args: ['sent'] })
      const queued = await send('Later.', '2026-11-24T09:00:00Z')
      await queued.waitsFor('send_at')
      await rejects(
        queued.workflow.executeUpdate(resolve, { args: ['sent'] }),
        (error: Error & { cause?: Error }) => {
          match(String(error.cause?.message), /nothing to resolve/)
          return true
        },
      )
      await queued.workflow.cancel()
      await queued.ended()
    })

    it('lets the next message of the conversation go', async () => {
      const { message, send, arrived } = await unconfirmed()
      await (await send('Meanwhile.')).ended()
      equal(arrived().length, 2)
      await message.workflow.executeUpdate(resolve, { args: ['sent'] })
      await message.ended()
    })
  })

  describe('cancel in the Web UI', () => {
    it('cancels a message that has not been sent', async () => {
      const { send, arrived } = await conversation()
      const message = await send('Never mind.', '2026-11-24T09:00:00Z')
      await message.waitsFor('send_at')
      await message.workflow.cancel()
      const { state, result } = await message.ended()
      deepEqual([state, result.state], ['cancelled', 'cancelled'])
      equal(await time.ended(message.workflow.workflowId), 'CANCELLED')
      await time.skipTo('2026-11-24T10:00:00Z')
      equal(arrived().length, 0)
    })

    it('cancels a message whose account cannot be opened', async () => {
      const { send, arrived } = await conversation()
      await time.mail.stop()
      const message = await send('Never mind.')
      await message.waitsFor('connection')
      await message.workflow.cancel()
      equal((await message.ended()).state, 'cancelled')
      await time.mail.restart()
      equal(arrived().length, 0)
    })
  })
})
