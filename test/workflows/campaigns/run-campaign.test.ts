import { deepEqual, equal, ok } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import type { Message } from '../../support/mail.ts'
import { eventually } from '../../support/service.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

type Touch = { person: string; place: number; state: string; reason: string | null; sentAt: string }

const office = { from: '09:00', to: '18:00' }
const header = (message: Message, name: string) =>
  message.headers.find((header) => header.name === name)?.value ?? null

// Runners look again each hour after they have begun or sent, which is on the hour. Time stops at half past, so that none of them
// is told of something while its timer fires (skipped-time.ts has the reason).
describe('runCampaign through days', function () {
  this.timeout(60_000)
  this.retries(retries)
  let time: SkippedTime
  let running: { campaign: GivenCampaign; operation: string }[] = []

  before(async function () {
    this.timeout(120_000)
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())
  // A runner left behind would wake in every following test.
  afterEach(async () => {
    for (const { campaign, operation } of running) {
      await campaign.move('done')
      await time.ended(operation)
    }
    running = []
  })

  const given = (campaign: Omit<Parameters<typeof givenCampaign>[2], 'hours'>, hours = office) =>
    givenCampaign(time.service, time.mail, { ...campaign, hours })

  async function start(campaign: GivenCampaign) {
    const { operation } = await campaign.move('running')
    running.push({ campaign, operation })
    return time.handle(operation)
  }
  /** When the letters of a place went, to the minute, in order. */
  async function sent(campaign: GivenCampaign, place = 1): Promise<string[]> {
    const touches: Touch[] = await campaign.touches()
    return touches
      .filter((touch) => touch.place === place && touch.state === 'sent')
      .map(({ sentAt }) => sentAt.slice(0, 16))
      .sort()
  }
  const count = (campaign: GivenCampaign, letters: number) =>
    eventually(campaign.read, ({ funnel }) => funnel.sent === letters, 30_000)

  it('starts on a Saturday and writes on Monday, when the hours open', async () => {
    await time.begin('2026-11-28T10:00:00Z')
    const campaign = await given({ people: 3, places: [1] })
    await start(campaign)
    equal(await campaign.heldBy('weekend'), '2026-11-30T08:00:00.000Z')
    await time.skipTo('2026-11-30T07:59:30Z')
    equal(campaign.letters().length, 0)
    await time.skipTo('2026-11-30T12:30:00Z')
    await count(campaign, 3)
    deepEqual(await sent(campaign), Array(3).fill('2026-11-30T08:00'))
    const first = Date.parse(header(campaign.letters()[0] as Message, 'date') ?? '')
    const lateMs = first - Date.parse('2026-11-30T08:00:00Z')
    ok(lateMs >= 0 && lateMs < 60_000, `${lateMs} ms`)
  })

  it('follows up after three and five weekdays, in the same thread from the same account', async () => {
    await time.begin('2026-11-23T07:00:00Z')
    const campaign = await given({ people: 2 })
    const { call, connections, campaign: id } = campaign
    equal((await call('PATCH', `/campaigns/${id}`, { senders: connections })).status, 200)
    await start(campaign)
    await time.skipTo('2026-12-05T00:30:00Z')
    await count(campaign, 6)
    deepEqual(await sent(campaign, 1), Array(2).fill('2026-11-23T08:00'))
    deepEqual(await sent(campaign, 2), Array(2).fill('2026-11-26T08:00'))
    deepEqual(await sent(campaign, 3), Array(2).fill('2026-12-03T08:00'))

    for (const email of campaign.emails) {
      const letters = campaign.letters().filter(({ to }) => to[0] === email)
      const [first, second, third] = letters as [Message, Message, Message]
      equal(new Set(letters.map(({ from }) => from)).size, 1)
      equal(new Set(letters.map(({ messageId }) => messageId)).size, 3)
      deepEqual(
        letters.map((letter) => header(letter, 'in-reply-to')),
        [null, first.messageId, second.messageId],
      )
      deepEqual(
        letters.map((letter) => header(letter, 'references')),
        [null, first.messageId, `${first.messageId} ${second.messageId}`],
      )
      deepEqual([second.subject, third.subject], Array(2).fill(`Re: ${first.subject}`))
    }
    equal(new Set(campaign.letters().map(({ from }) => from)).size, 2)
    const conversations = await time.service.db
      .selectFrom('conversations')
      .innerJoin('messages', 'messages.conversation', 'conversations.id')
      .select((eb) => ['conversations.id', eb.fn.countAll<string>().as('letters')])
      .where('conversations.workspace', '=', campaign.id)
      .groupBy('conversations.id')
      .execute()
    deepEqual(
      conversations.map(({ letters }) => Number(letters)),
      [3, 3],
    )
    equal(await campaign.heldBy('nobody_left'), null)
    equal((await campaign.read()).campaign.progress.written, 2)
  })

  for (const [what, friday, first, second] of [
    ['go on', '2027-03-26T00:00:00Z', '2027-03-26T08:00', '2027-03-31T07:00'],
    ['go back', '2026-10-23T00:00:00Z', '2026-10-23T07:00', '2026-10-28T08:00'],
  ] as const)
    it(`keeps the time of day when the clocks ${what}`, async () => {
      await time.begin(friday)
      const campaign = await given({ people: 1, places: [1, 2] })
      await start(campaign)
      await time.skipTo(`${second}:30Z`)
      await count(campaign, 2)
      deepEqual([...(await sent(campaign, 1)), ...(await sent(campaign, 2))], [first, second])
    })

  it('sends what the week allows, and continues when Monday renews it', async () => {
    await time.begin('2026-11-26T07:00:00Z')
    const limits = { day: 2, week: 3, gapSeconds: 0 }
    const campaign = await given({ people: 5, places: [1], workspace: { limits } })
    await start(campaign)
    await time.skipTo('2026-11-26T12:30:00Z')
    equal(await campaign.heldBy('day_limit'), '2026-11-27T08:00:00.000Z')
    await time.skipTo('2026-11-27T12:30:00Z')
    equal(await campaign.heldBy('week_limit'), '2026-11-30T08:00:00.000Z')
    await time.skipTo('2026-12-01T00:30:00Z')
    await count(campaign, 5)
    deepEqual(
      (await sent(campaign)).map((at) => at.slice(0, 10)),
      ['2026-11-26', '2026-11-26', '2026-11-27', '2026-11-30', '2026-11-30'],
    )
  })

  it("counts the week in the workspace's zone, and opens in the agent's", async () => {
    // Nine on Monday in Auckland; the week of New York still has nine hours to go.
    await time.begin('2026-11-29T19:00:00Z')
    const limits = { day: 9, week: 2, gapSeconds: 0 }
    const campaign = await givenCampaign(time.service, time.mail, {
      people: 3,
      places: [1],
      hours: { ...office, zone: 'Pacific/Auckland' },
      workspace: { timezone: 'America/New_York', limits },
    })
    await start(campaign)
    await time.skipTo('2026-11-30T00:30:00Z')
    equal(await campaign.heldBy('week_limit'), '2026-11-30T20:00:00.000Z')
    await time.skipTo('2026-11-30T21:30:00Z')
    await count(campaign, 3)
    deepEqual(await sent(campaign), ['2026-11-29T20:00', '2026-11-29T20:00', '2026-11-30T20:00'])
  })

  it('keeps the gap between two letters of an account', async () => {
    await time.begin('2026-11-23T08:00:00Z')
    const limits = { day: 50, week: 250, gapSeconds: 1800 }
    const campaign = await given({ people: 3, places: [1], workspace: { limits } })
    await start(campaign)
    await time.skipTo('2026-11-23T11:30:00Z')
    await count(campaign, 3)
    const times = (await sent(campaign)).map((at) => Date.parse(`${at}Z`))
    for (const [i, at] of times.entries())
      if (i > 0) ok(at - (times[i - 1] as number) >= 29 * 60_000)
  })

  it('follows up only with people who have not replied or bounced', async () => {
    await time.begin('2026-11-23T08:00:00Z')
    const campaign = await given({ people: 4, places: [1, 2] })
    const { db } = time.service
    await start(campaign)
    await count(campaign, 4)
    await time.skipTo('2026-11-24T10:30:00Z')
    const [replied, away, gone, silent] = campaign.people as [string, string, string, string]
    const inbound = async (person: string, automated: boolean) => {
      const { id, connection } = await db
        .selectFrom('conversations')
        .select(['id', 'connection'])
        .where('person', '=', person)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('messages')
        .values({
          id: newId('msg'),
          workspace: campaign.id,
          conversation: id,
          direction: 'inbound',
          senderHandle: campaign.emails[campaign.people.indexOf(person)] as string,
          at: time.service.clock.now(),
          automated,
          connection,
          state: 'received',
          senderName: '',
          toAddress: '',
          subject: '',
          text: 'Thank you.',
        })
        .execute()
    }
    await inbound(replied, false)
    await inbound(away, true)
    await db
      .insertInto('suppressions')
      .values({
        workspace: campaign.id,
        address: campaign.emails[2] as string,
        reason: 'unsubscribe',
        at: time.service.clock.now(),
      })
      .execute()
    await time.skipTo('2026-11-26T12:30:00Z')
    const { campaign: now } = await count(campaign, 6)
    const touches: Touch[] = await campaign.touches()
    const second = (person: string) => {
      const touch = touches.find((touch) => touch.person === person && touch.place === 2)
      return [touch?.state, touch?.reason]
    }
    deepEqual([replied, away, gone, silent].map(second), [
      ['failed', 'replied'],
      ['sent', null],
      ['failed', 'unsubscribed'],
      ['sent', null],
    ])
    const { replied: replies, declined, written } = now.progress
    deepEqual({ replies, declined, written }, { replies: 1, declined: 1, written: 4 })
  })

  it('writes to a person once a day, whatever the number of campaigns', async () => {
    await time.begin('2026-11-23T08:00:00Z')
    const first = await given({ people: 1, places: [1] })
    const second = await first.another()
    await start(first)
    await count(first, 1)
    await start(second)
    await time.skipTo('2026-11-23T16:30:00Z')
    equal((await second.read()).funnel.sent, 0)
    await time.skipTo('2026-11-24T16:30:00Z')
    await count(second, 1)
    deepEqual([await sent(first), await sent(second)], [['2026-11-23T08:00'], ['2026-11-24T08:00']])
  })

  it('rests while it is paused, for days, and continues when resumed', async () => {
    await time.begin('2026-11-23T08:00:00Z')
    const limits = { day: 1, week: 250, gapSeconds: 0 }
    const campaign = await given({ people: 3, places: [1], workspace: { limits } })
    const runner = await start(campaign)
    await campaign.heldBy('day_limit')
    await count(campaign, 1)
    const pause = await campaign.move('paused')
    equal(pause.inFlight, 0)
    await time.ended(runner.workflowId)
    await time.ended(pause.operation)
    await time.skipTo('2026-11-26T09:30:00Z')
    equal(campaign.letters().length, 1)
    equal((await campaign.sending()).blockedBy, 'paused')
    running = []
    await start(campaign)
    await campaign.heldBy('day_limit')
    await time.skipTo('2026-11-28T00:30:00Z')
    await count(campaign, 3)
    deepEqual(
      (await sent(campaign)).map((at) => at.slice(0, 10)),
      ['2026-11-23', '2026-11-26', '2026-11-27'],
    )
  })

  it('is paused when an operator cancels it, and can be resumed', async () => {
    await time.begin('2026-11-23T08:00:00Z')
    const limits = { day: 1, week: 250, gapSeconds: 0 }
    const campaign = await given({ people: 2, places: [1], workspace: { limits } })
    const runner = await start(campaign)
    const key = runner.workflowId.split(':')[1]
    const operation = async () => (await campaign.call('GET', `/operations/${key}`)).body
    // With a letter on its way the test server would never skip time again; see lost-letters.test.ts.
    await eventually(operation, ({ waitingFor }) => waitingFor === 'day_limit', 30_000)
    await runner.cancel()
    await eventually(campaign.read, ({ campaign }) => campaign.state === 'paused', 30_000)
    const { state, result } = await eventually(operation, ({ state }) => state !== 'waiting')
    deepEqual([state, result.state], ['cancelled', 'paused'])
    await start(campaign)
    await time.skipTo('2026-11-25T00:30:00Z')
    await count(campaign, 2)
  })
})
