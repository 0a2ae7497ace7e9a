import { deepEqual, equal, ok } from 'node:assert/strict'
import { resolve, retryNow } from '../../../workflows/signals.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { eventually } from '../../support/service.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

type Touch = {
  id: string
  state: string
  reason: string | null
  dueAt: string
  workflow: { id: string } | null
}

describe('deliverTouch through days', function () {
  this.timeout(60_000)
  this.retries(retries)
  let time: SkippedTime
  let campaign: GivenCampaign
  let operation: string

  before(async function () {
    this.timeout(120_000)
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())
  afterEach(async () => {
    time.mail.script({})
    await campaign.move('done')
    await time.ended(operation)
  })

  async function start(given: Omit<Parameters<typeof givenCampaign>[2], 'hours'>) {
    await time.begin('2026-11-23T09:00:00Z')
    campaign = await givenCampaign(time.service, time.mail, given)
    return async () => {
      operation = (await campaign.move('running')).operation
    }
  }
  const touch = async (): Promise<Touch> => (await campaign.touches())[0]
  const until = (state: string, reason: string | null = null) =>
    eventually(touch, (now) => now?.state === state && now.reason === reason, 30_000)
  const count = (letters: number) =>
    eventually(campaign.read, ({ funnel }) => funnel.sent === letters, 30_000)
  const workflow = async () => time.handle((await touch()).workflow?.id as string)

  it('does not wait for an account that could not be opened, when told to retry now', async () => {
    const run = await start({ people: 1, places: [1] })
    await time.mail.stop()
    await run()
    await campaign.heldBy('provider')
    await time.skipTo('2026-11-23T10:00:00Z')
    equal((await touch()).state, 'queued')
    await time.mail.restart()
    const before = (await time.now()).getTime()
    await time.handle(operation).executeUpdate(retryNow)
    await until('sent')
    ok((await time.now()).getTime() - before < 10_000)
    equal(campaign.letters().length, 1)
  })

  it('goes by itself once the account can be opened', async () => {
    const run = await start({ people: 1, places: [1] })
    await time.mail.stop()
    await run()
    await campaign.heldBy('provider')
    await time.skipTo('2026-11-23T10:00:00Z')
    await time.mail.restart()
    await time.skipTo('2026-11-23T10:02:00Z')
    await until('sent')
  })

  it('delays only its own account', async () => {
    const run = await start({ people: 4, places: [1, 2] })
    const { call, connections, db, campaign: id } = campaign
    await call('PATCH', `/campaigns/${id}`, { senders: connections })
    await run()
    await count(4)
    const account = { host: '127.0.0.1', secure: false, user: 'ana' }
    const move = (port: number) =>
      db
        .updateTable('connections')
        .set({ smtp: JSON.stringify({ ...account, port }) })
        .where('id', '=', connections[0])
        .execute()
    const nobody = 9
    await move(nobody)
    await time.skipTo('2026-11-26T09:10:00Z')
    await count(6)
    await time.skipTo('2026-11-26T09:20:00Z')
    equal((await campaign.read()).funnel.sent, 6)
    await move(time.mail.smtpPort)
    await time.skipTo('2026-11-26T09:25:00Z')
    await count(8)
  })

  it('is put off, and retried before others are written to', async () => {
    const run = await start({ people: 1, places: [1] })
    let tries = 0
    time.mail.script({
      onRcpt: (to) => (to === campaign.emails[0] && ++tries <= 3 ? { code: 451 } : undefined),
    })
    await run()
    await time.skipTo('2026-11-23T09:10:00Z')
    await until('sent')
    equal(tries, 4)
    equal(campaign.letters().length, 1)
  })

  it('is not given up for having been queued for a long time', async () => {
    const run = await start({ people: 1, places: [1] })
    await time.mail.stop()
    await run()
    await campaign.heldBy('provider')
    await time.begin('2026-12-02T09:00:00Z')
    let tries = 0
    time.mail.script({
      onRcpt: (to) => (to === campaign.emails[0] && ++tries === 1 ? { code: 451 } : undefined),
    })
    await time.mail.restart()
    await time.skipTo('2026-12-02T09:10:00Z')
    await until('sent')
    equal(tries, 2)
  })

  it('keeps its due time when it is put off, and is given up four days after its first claim', async () => {
    const run = await start({ people: 1, places: [1] })
    let tries = 0
    time.mail.script({
      onRcpt: (to) => (to === campaign.emails[0] && ++tries ? { code: 451 } : undefined),
    })
    await run()
    const planned = await eventually(touch, (now) => now !== undefined)
    await eventually(
      async () => tries,
      (count) => count > 1,
      30_000,
    )
    equal((await touch()).dueAt, planned.dueAt)
    // Hundreds of attempts are skipped: only the clock jumps.
    await time.begin('2026-11-27T08:30:00Z')
    await time.skipTo('2026-11-27T08:55:00Z')
    equal((await touch()).state, 'queued')
    equal((await touch()).dueAt, planned.dueAt)
    await time.skipTo('2026-11-27T09:30:00Z')
    await until('failed', 'undeliverable')
    equal(campaign.letters().length, 0)
  })

  describe('resolve', () => {
    async function unconfirmed() {
      const run = await start({ people: 1, places: [1, 2] })
      let dropped = false
      time.mail.script({
        onAccepted: ({ to }) => {
          if (dropped || to[0] !== campaign.emails[0]) return undefined
          dropped = true
          return 'drop'
        },
      })
      await run()
      await until('sending', 'unconfirmed')
      await time.skipTo('2026-11-24T12:00:00Z')
      equal((await touch()).reason, 'unconfirmed')
      return workflow()
    }

    it('counts it as sent, and the next letter follows it', async () => {
      const parked = await unconfirmed()
      await parked.executeUpdate(resolve, { args: ['sent'] })
      await time.ended(parked.workflowId)
      await until('sent')
      equal(campaign.letters().length, 1)
      await time.skipTo('2026-11-27T12:30:00Z')
      await count(2)
      const [first, second] = campaign.letters()
      equal(second?.headers.find(({ name }) => name === 'in-reply-to')?.value, first?.messageId)
    })

    it('sends it again under the Message-ID it had', async () => {
      const parked = await unconfirmed()
      await parked.executeUpdate(resolve, { args: ['again'] })
      await until('sent')
      const [first, second, ...more] = campaign.letters()
      deepEqual(more, [])
      equal(second?.messageId, first?.messageId)
    })

    it('sends it again when a caller of the API says so', async () => {
      const parked = await unconfirmed()
      const path = `/campaigns/${campaign.campaign}/touches/${(await campaign.touches())[0].id}`
      const answer = await campaign.call('POST', `${path}/resolve`, { outcome: 'again' })
      deepEqual([answer.status, answer.body.state], [200, 'queued'])
      await time.ended(parked.workflowId)
      await until('sent')
      const [first, second, ...more] = campaign.letters()
      deepEqual(more, [])
      equal(second?.messageId, first?.messageId)
    })
  })
})
