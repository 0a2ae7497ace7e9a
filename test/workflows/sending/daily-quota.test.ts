import { deepEqual, equal } from 'node:assert/strict'
import { startSending } from '../../support/sending.ts'
import { eventually } from '../../support/service.ts'

describe('a campaign of 200 over two accounts whose provider lets each send 50 letters a day', function () {
  this.timeout(180_000)
  let sending: Awaited<ReturnType<typeof startSending>>
  before(async function () {
    this.timeout(120_000)
    sending = await startSending(this.test?.ctx as Mocha.Context)
  })
  after(() => sending?.service.close())

  it('reaches everybody once within four business days, fails nobody, and tells the member twice', async () => {
    const { server, service } = sending
    const limits = { day: 500, week: 2500, gapSeconds: 0 }
    const campaign = await sending.campaignOf(200, 2, { workspace: { limits } })
    const { connections } = campaign
    const sentBefore = new Map<string, number>()
    const words = '550 5.4.5 Daily user sending limit exceeded.'
    server.script([
      {
        stage: 'dot',
        when: ({ login, taken }) => taken - (sentBefore.get(login) ?? 0) >= 50,
        answer: words,
      },
    ])
    await campaign.move('running')
    const days: number[] = []
    for (const day of ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27']) {
      // Until nothing goes any more that day.
      await eventually(campaign.sending, ({ blockedBy }) => blockedBy !== null, 60_000)
      await campaign.until('sent', Math.min(200, (days.at(-1) ?? 0) + 100))
      days.push(campaign.taken().length)
      if (campaign.taken().length === 200) break
      await campaign.heldBy('provider')
      for (const id of connections)
        sentBefore.set(id, server.letters.filter(({ login }) => login === id).length)
      await service.clock.set(`${day}T08:00:00.000Z`)
      // Wakes the runner, whose timer runs on real time.
      await campaign.edit({ name: day })
    }
    deepEqual(days, [100, 200])
    equal(new Set(campaign.taken()).size, 200)
    equal((await campaign.read()).funnel.failed, 0)
    equal((await campaign.told()).length, 2)
    equal(
      await eventually(
        async () => (await campaign.channel()).problem,
        (one) => one === null,
      ),
      null,
    )
  })
})
