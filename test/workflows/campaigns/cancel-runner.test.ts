import { deepEqual, equal } from 'node:assert/strict'
import type { Client } from '@temporalio/client'
import { resolve } from '../../../workflows/signals.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

describe('cancelling a runner in the Web UI', function () {
  this.timeout(60_000)
  let service: TestService
  let mail: MailSink
  let client: Client

  before(async function () {
    client = await testClient(this.test?.ctx as Mocha.Context)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service?.close())
  afterEach(() => mail.script({}))

  async function running(script: Parameters<MailSink['script']>[0]) {
    const campaign = await givenCampaign(service, mail, { people: 2, places: [1] })
    mail.script(script)
    const { operation } = await campaign.move('running')
    return { campaign, cancel: () => client.workflow.getHandle(operation).cancel() }
  }
  const paused = (campaign: GivenCampaign) =>
    eventually(campaign.read, ({ campaign }) => campaign.state === 'paused')

  it('pauses the campaign, and the letter on its way is still handed over', async () => {
    let begun = () => {}
    const handing = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { campaign, cancel } = await running({
      onData: async () => {
        begun()
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return undefined
      },
    })
    await handing
    await cancel()
    await paused(campaign)
    const { funnel } = await eventually(campaign.read, ({ funnel }) => funnel.sent === 1)
    deepEqual([funnel.sending, campaign.letters().length], [0, 1])
  })

  it('leaves an unconfirmed letter to be resolved', async () => {
    let dropped = false
    const { campaign, cancel } = await running({
      onAccepted: () => {
        if (dropped) return undefined
        dropped = true
        return 'drop'
      },
    })
    await eventually(
      campaign.read,
      ({ funnel }) => funnel.sent === 1 && funnel.sending === 1,
      30_000,
    )
    await cancel()
    await paused(campaign)
    const touches = await campaign.touches()
    const parked = touches.find((touch: { reason: string }) => touch.reason === 'unconfirmed')
    await client.workflow.getHandle(parked.workflow.id).executeUpdate(resolve, { args: ['sent'] })
    await eventually(campaign.read, ({ funnel }) => funnel.sent === 2)
    equal(campaign.letters().length, 2)
  })
})
