import { equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('an edit of what letters are written with', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())

  type Given = Awaited<ReturnType<typeof givenCampaign>>
  const locked = { rules: 'Say "Your account is locked." Sign as Gia, Gamma Bank.' }
  const rules = ({ call, agent }: Given, options = {}) =>
    call('PATCH', `/agents/${agent}`, locked, options)
  const hours = ({ call, agent }: Given, to: string) =>
    call('PATCH', `/agents/${agent}`, { hours: { from: '00:00', to } })
  const agree = ({ call, campaign }: Given, body: object) => {
    const key = randomUUID()
    return eventually(
      () => call('POST', `/campaigns/${campaign}/letters`, body, { key }),
      ({ status }) => status !== 504,
    )
  }

  it('does not change the words of letters that were agreed before', async () => {
    const given = await givenCampaign(service, mail, { people: 2 })
    const { move, read, letters } = given
    equal((await rules(given, { token: await given.tokenWith(['inbox:write']) })).status, 200)
    await move('running')
    const held = await eventually(read, ({ funnel }) => funnel.review === 2)
    equal(held.campaign.sending.blockedBy, 'review')
    equal(letters().length, 0)
    const more = { rules: `${locked.rules} Hurry.` }
    const token = await given.tokenWith(['inbox:write'])
    equal((await given.call('PATCH', `/agents/${given.agent}`, more, { token })).status, 403)
    equal((await agree(given, { agree: [1] })).status, 409)
    const { body } = await agree(given, { write: [1], agree: [1] })
    match(body.letters[0].text, /Gamma Bank/)
    await eventually(read, ({ funnel }) => funnel.sent === 2, 30_000)
  })

  it('leaves letters that are queued with their text as agreed', async () => {
    const given = await givenCampaign(service, mail, { people: 2, places: [] })
    const { move, read, letters, touches } = given
    await move('running')
    await eventually(read, ({ funnel }) => funnel.review === 2)
    await hours(given, '00:01')
    await agree(given, { write: [1], agree: [1] })
    await eventually(read, ({ funnel }) => funnel.queued === 2)
    equal((await rules(given)).status, 200)
    await hours(given, '24:00')
    await eventually(read, ({ funnel }) => funnel.sent === 2, 30_000)
    for (const { text } of letters()) ok(!text.includes('locked'), text)
    for (const { place, text } of await touches()) if (place === 1) match(text, /,\nAna\n$/)
  })

  it('has letters in review rewritten when their place is agreed', async () => {
    const given = await givenCampaign(service, mail, { people: 2, places: [] })
    const { move, read, letters } = given
    await move('running')
    await eventually(read, ({ funnel }) => funnel.review === 2)
    equal((await rules(given)).status, 200)
    await agree(given, { write: [1], agree: [1] })
    await eventually(read, ({ funnel }) => funnel.sent === 2, 30_000)
    for (const { text } of letters()) match(text, /Your account is locked\./)
  })
})
