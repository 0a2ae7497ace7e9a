import { ok } from 'node:assert/strict'
import { rowsOf, startSending } from '../../support/sending.ts'

describe('an account whose provider says how fast it may send', function () {
  this.timeout(60_000)
  let sending: Awaited<ReturnType<typeof startSending>>
  before(async function () {
    this.timeout(120_000)
    sending = await startSending(this.test?.ctx as Mocha.Context)
  })
  after(() => sending?.service.close())

  it('keeps to that once it may send again', async () => {
    const { server, service } = sending
    const campaign = await sending.campaignOf(8)
    const words = '450 4.7.1 Rate limit of 60 messages per minute exceeded, try again in 2 minutes'
    const when = ({ taken, nth }: { taken: number; nth: number }) => taken === 4 && nth === 5
    server.script(rowsOf(campaign.account, { stage: 'dot', when, answer: words }))
    await campaign.move('running')
    await campaign.heldBy('provider')
    const later = new Date(service.clock.now().getTime() + 125_000)
    await service.clock.set(later.toISOString())
    const began = performance.now()
    await campaign.edit({ name: 'Later' })
    await campaign.until('sent', 8)
    // Four letters, a second apart.
    ok(performance.now() - began > 2_900)
  })
})
