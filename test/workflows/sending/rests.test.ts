import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { givenConversation } from '../../support/given.ts'
import { rowsOf, startSending } from '../../support/sending.ts'
import { eventually } from '../../support/service.ts'

type Sending = Awaited<ReturnType<typeof startSending>>

describe('an account whose provider refuses what it sends', function () {
  this.timeout(60_000)
  let sending: Sending
  before(async function () {
    this.timeout(120_000)
    sending = await startSending(this.test?.ctx as Mocha.Context)
  })
  after(() => sending?.service.close())

  const quota = [
    '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail',
    '550-5.4.5 sending limits go to',
    '550 5.4.5  https://support.google.com/a/answer/166852 - gsmtp',
  ].join('\n')

  const all = (state: string, n: number) => Array.from({ length: n }, () => state)

  for (const stage of ['dot', 'mail'] as const)
    it(`rests until the next day after its quota (${stage}): letters wait, and its member is told once`, async () => {
      const { server } = sending
      const campaign = await sending.campaignOf(20)
      const { account } = campaign
      server.script(rowsOf(account, { stage, when: ({ taken }) => taken >= 5, answer: quota }))
      await campaign.move('running')
      const nextAt = await campaign.heldBy('provider')
      deepEqual(await campaign.states(), [...all('queued', 15), ...all('sent', 5)])
      equal(campaign.taken().length, 5)
      equal(await campaign.used(), 5)
      const channel = await campaign.channel()
      deepEqual([channel.problem, channel.restsUntil], ['smtp_quota', nextAt])
      ok(Date.parse(nextAt ?? '') > sending.service.clock.now().getTime() + 3_600_000)
      equal(server.reached(account, stage), 6)
      const [told, ...more] = await campaign.told()
      deepEqual(more, [])
      match(told.text, new RegExp(`${channel.account}.*Daily user sending limit exceeded`))
      const warned = sending.warnings(account).map(({ cause, until }) => [cause, until])
      deepEqual(warned, [['smtp_quota', nextAt]])

      // A message by hand waits for the same instant, and goes once the account may send again.
      const conversation = await givenConversation(sending.service.db, campaign.id, {
        ...{ person: campaign.people[0] as string, connection: account },
        ...{ from: campaign.emails[0] as string, at: sending.service.clock.now() },
      })
      const key = `by-hand-${stage}`
      const path = `/conversations/${conversation}/messages`
      equal((await campaign.call('POST', path, { text: 'Hello' }, { key })).status, 200)
      const waits = async () => (await campaign.call('GET', `/operations/${key}`)).body
      const waiting = await eventually(waits, ({ waitingFor }) => waitingFor === 'next_try')
      equal(waiting.until, nextAt)

      server.script([])
      await campaign.call('POST', '/senders/health/check', {})
      await eventually(waits, ({ state }) => state === 'done', 30_000)
      await campaign.until('sent', 20)
      equal(new Set(campaign.taken()).size, 20)
      equal((await campaign.channel()).problem, null)
      equal((await campaign.told()).length, 1)
    })

  it('that may not send as its address rests until somebody acts, and says what to do', async () => {
    const { server } = sending
    const campaign = await sending.campaignOf(8)
    const words = '550 5.7.60 Client does not have permissions to send as this sender'
    server.script(rowsOf(campaign.account, { stage: 'mail', answer: words }))
    await campaign.move('running')
    await campaign.heldBy('provider')
    deepEqual(await campaign.states(), all('queued', 8))
    const channel = await campaign.channel()
    deepEqual([channel.problem, channel.restsUntil], ['smtp_sender_refused', null])
    equal(server.reached(campaign.account, 'mail'), 1)
    const [told] = await campaign.told()
    match(told.text, /until somebody acts\. Give its login the right to send as this address/)
  })

  it('with one refusal after another rests after the third, whatever they say', async () => {
    const { server } = sending
    const campaign = await sending.campaignOf(12)
    const refused = { stage: 'dot', answer: '550 5.0.350 No (12)' } as const
    server.script(rowsOf(campaign.account, refused))
    await campaign.move('running')
    const nextAt = await campaign.heldBy('provider')
    const minutes = (Date.parse(nextAt ?? '') - sending.service.clock.now().getTime()) / 60_000
    ok(minutes > 50 && minutes <= 60, `${minutes}`)
    const states = await campaign.states()
    equal(states.filter((state: string) => state === 'failed').length, 2)
    equal(server.reached(campaign.account, 'dot'), 3)
    equal((await campaign.channel()).problem, 'smtp_refusing')
    equal((await campaign.told()).length, 1)
  })

  it('goes on where refusals are of the recipient, with others taken in between', async () => {
    const { server } = sending
    const campaign = await sending.campaignOf(9)
    const unknown = '550 5.1.1 User unknown'
    const when = ({ nth }: { nth: number }) => nth % 3 !== 0
    server.script(rowsOf(campaign.account, { stage: 'rcpt', when, answer: unknown }))
    await campaign.move('running')
    await campaign.until('sent', 3)
    equal((await campaign.read()).funnel.failed, 6)
    equal((await campaign.told()).length, 0)
    equal(campaign.taken().length, 3)
  })

  it('has its refused letters of campaigns counted in its health', async () => {
    const { server } = sending
    const campaign = await sending.campaignOf(12)
    // With a code each, so that they are no refusals in a row.
    server.script(
      Array.from({ length: 12 }, (_, i) => ({
        ...{ login: campaign.account, stage: 'dot' as const },
        ...{ when: ({ nth }: { nth: number }) => nth === i + 1, answer: `550 5.6.${i} No` },
      })),
    )
    await campaign.move('running')
    await campaign.until('failed', 12)
    const { body } = await campaign.call('POST', '/senders/health/check', {})
    const [{ health }] = body.accounts
    const provider = health.signals.find(({ key }: { key: string }) => key === 'provider')
    deepEqual([provider.level, provider.facts.count], ['blocked', 12])
    equal(health.level, 'blocked')
  })
})
