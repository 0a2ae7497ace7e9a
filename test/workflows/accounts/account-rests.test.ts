import { deepEqual, equal } from 'node:assert/strict'
import { givenConversation } from '../../support/given.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { eventually } from '../../support/service.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

describe('an account whose server accepts letters and does not answer', function () {
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

  const arrived = () => campaign.letters().length
  const isRest = ({ kind }: { kind: string }) => kind === 'sender.rests'
  const told = async () =>
    (await campaign.call('GET', '/notifications')).body.notifications.filter(isRest)
  const unconfirmed = async () =>
    (await campaign.touches()).filter((touch: { reason: string }) => touch.reason === 'unconfirmed')
      .length
  const minutesUntil = (at: string | null) =>
    Math.round((Date.parse(at ?? '') - time.service.clock.now().getTime()) / 60_000)

  async function resting() {
    await time.begin('2026-11-23T09:00:00Z')
    campaign = await givenCampaign(time.service, time.mail, { people: 7, places: [1] })
    const { call, connections, campaign: id } = campaign
    await call('PATCH', `/campaigns/${id}`, { senders: [connections[0]] })
    time.mail.script({
      onAccepted: ({ to }) => (campaign.emails.includes(to[0] as string) ? 'drop' : undefined),
    })
    operation = (await campaign.move('running')).operation
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
    equal(wait > 15 && wait <= 30, true, String(wait))
    await time.skipTo('2026-11-23T09:40:00Z')
    equal(arrived(), 4)
    time.mail.script({})
    await time.skipTo('2026-11-23T10:10:00Z')
    await eventually(campaign.read, ({ funnel }) => funnel.sent === 3, 30_000)
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
