import { deepEqual, equal, ok } from 'node:assert/strict'
import { resolve, retryNow } from '../../../workflows/signals.ts'
import { givenConversation } from '../../support/given.ts'
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

  it('does not wait for an account that could not be opened, when told to retry now', async () => {
    const run = await start({ people: 1, places: [1] })
    await time.mail.stop()
    await run()
    await campaign.heldBy('provider')
    await time.skipTo('2026-11-23T09:10:00Z')
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
    await time.skipTo('2026-11-23T09:10:00Z')
    await time.mail.restart()
    await time.skipTo('2026-11-23T09:12:00Z')
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

  it('that was resolved as sent days later is followed by the next one', async () => {
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
    const { reason, workflow } = await touch()
    equal(reason, 'unconfirmed')
    const parked = time.handle(workflow?.id as string)
    await parked.executeUpdate(resolve, { args: ['sent'] })
    await time.ended(parked.workflowId)
    await until('sent')
    equal(campaign.letters().length, 1)
    await time.skipTo('2026-11-27T12:30:00Z')
    await count(2)
    const [first, second] = campaign.letters()
    equal(second?.headers.find(({ name }) => name === 'in-reply-to')?.value, first?.messageId)
  })

  describe('through an account whose server accepts letters and does not answer', () => {
    const arrived = () => campaign.letters().length
    const isRest = ({ kind }: { kind: string }) => kind === 'sender.rests'
    const told = async () =>
      (await campaign.call('GET', '/notifications')).body.notifications.filter(isRest)
    const unconfirmed = async () =>
      (await campaign.touches()).filter(({ reason }: Touch) => reason === 'unconfirmed').length
    const minutesUntil = (at: string | null) =>
      Math.round((Date.parse(at ?? '') - time.service.clock.now().getTime()) / 60_000)

    async function resting() {
      const run = await start({ people: 7, places: [1] })
      await campaign.edit({ senders: [campaign.connections[0]] })
      time.mail.script({
        onAccepted: ({ to }) => (campaign.emails.includes(to[0] as string) ? 'drop' : undefined),
      })
      await run()
      await time.skipTo('2026-11-23T09:10:00Z')
      await eventually(unconfirmed, (count) => count === 3, 30_000)
      await campaign.heldBy('provider')
    }

    it('rests after three in a row, is tried with one letter at a time, and continues once it answers', async () => {
      await resting()
      equal(arrived(), 3)
      equal((await told()).length, 1)
      await time.skipTo('2026-11-23T09:20:00Z')
      await eventually(unconfirmed, (count) => count === 4, 30_000)
      const wait = minutesUntil(await campaign.heldBy('provider'))
      ok(wait > 15 && wait <= 30, String(wait))
      await time.skipTo('2026-11-23T09:40:00Z')
      equal(arrived(), 4)
      time.mail.script({})
      await time.skipTo('2026-11-23T10:10:00Z')
      await count(3)
      deepEqual([arrived(), await unconfirmed(), (await told()).length], [7, 4, 1])
    })

    it('stops resting once it has answered a message', async () => {
      await resting()
      const { call, people, connections, id: workspace } = campaign
      const conversation = await givenConversation(time.service.db, workspace, {
        person: people[0] as string,
        connection: connections[0],
        from: campaign.emails[0] as string,
        at: time.service.clock.now(),
      })
      time.mail.script({})
      await call('POST', `/conversations/${conversation}/messages`, { text: 'Are you there?' })
      await eventually(campaign.sending, ({ blockedBy }) => blockedBy !== 'provider', 30_000)
    })
  })
})
