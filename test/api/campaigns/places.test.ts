import { deepEqual, equal, match } from 'node:assert/strict'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('how many letters a campaign has, and when', () => {
  let service: TestService
  let mail: MailSink

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())
  beforeEach(() => service.clock.set('2026-11-23T09:00:00.000Z'))

  const campaign = (people: number, places: (1 | 2 | 3)[] = []) =>
    givenCampaign(service, mail, { people, places })
  type Plan = { places: number; waitDays: number[] }
  const planOf = ({ campaign }: { campaign: Plan }) => [campaign.places, campaign.waitDays]
  const lacking = ({ campaign }: { campaign: { missing: { message: string }[] } }) =>
    campaign.missing.map(({ message }) => message).filter((message) => /^Letter/.test(message))

  it('are three letters, after three and five weekdays, unless a call says otherwise', async () => {
    const { call } = await service.workspace()
    const made = async (body: object) => planOf((await call('POST', '/campaigns', body)).body)
    deepEqual(await made({}), [3, [3, 5]])
    deepEqual(await made({ places: 2 }), [2, [3]])
    deepEqual(await made({ places: 1 }), [1, []])
    deepEqual(await made({ places: 2, waitDays: [60] }), [2, [60]])
    deepEqual(await made({ waitDays: [1, 2] }), [3, [1, 2]])
    deepEqual(await made({ places: 1, waitDays: [] }), [1, []])
    deepEqual(await made({ places: null, waitDays: null }), [3, [3, 5]])
  })

  it('are refused where they do not fit, with the member', async () => {
    const { call } = await service.workspace()
    const refused = async (body: object) => {
      const { status, body: problem } = await call('POST', '/campaigns', body)
      equal(`${status} ${problem.code}`, '422 validation_failed')
      return problem.errors[0]
    }
    for (const places of [0, 4, 1.5, '2']) equal((await refused({ places })).pointer, '/places')
    equal((await refused({ waitDays: [0, 5] })).pointer, '/waitDays/0')
    equal((await refused({ waitDays: [3, 61] })).pointer, '/waitDays/1')
    const one = await refused({ places: 2, waitDays: [3, 5] })
    equal(`${one.pointer} ${one.code}`, '/waitDays wrong_length')
    match(one.message, /must have 1 entry, .* 2 letters/)
    equal((await refused({ waitDays: [3] })).pointer, '/waitDays')
    equal((await refused({ places: 1, waitDays: [3] })).pointer, '/waitDays')
    equal((await refused({ waitDays: [3, 5, 8] })).pointer, '/waitDays')
  })

  it('change in a draft and while paused, keep the agreements, and are refused while it runs', async () => {
    const { edit, move, read, call } = await campaign(1, [1, 2])
    deepEqual(lacking(await read()), ['Letter 3 is not agreed.'])
    const two = await edit({ places: 2, waitDays: [4] })
    equal(two.status, 200)
    deepEqual([planOf(two.body), lacking(two.body)], [[2, [4]], []])
    equal(two.body.campaign.term.ends, '2026-11-30')
    deepEqual(planOf((await edit({ places: 3 })).body), [3, [4, 5]])
    deepEqual(planOf((await edit({ places: 1 })).body), [1, []])
    await move('running')
    const refused = await edit({ places: 2 })
    equal(`${refused.status} ${refused.body.code}`, '409 invalid_state')
    deepEqual([refused.body.state, refused.body.allowed], ['running', ['draft', 'paused']])
    equal((await edit({ waitDays: [], places: 1 })).status, 200)
    await move('paused')
    deepEqual(planOf((await edit({ places: 2, waitDays: [1] })).body), [2, [1]])
    const { entries } = (await call('GET', '/audit?limit=1')).body
    deepEqual(entries[0].after, { places: 2, waitDays: [1] })
    await move('done')
    equal((await edit({ places: 3 })).status, 409)
  })

  it('end with the only letter, with nobody left', async () => {
    const { edit, move, read, heldBy } = await campaign(2, [1])
    await edit({ places: 1 })
    await move('running')
    const { campaign: of, funnel } = await eventually(read, ({ funnel }) => funnel.sent === 2)
    deepEqual(of.missing, [])
    deepEqual([funnel.queued, funnel.review, funnel.failed], [0, 0, 0])
    equal(await heldBy('nobody_left'), null)
  })

  it('wait as many weekdays as it says, and then for somebody to agree', async () => {
    const { edit, move, read, touches, fallDue, heldBy, write, until } = await campaign(1, [1])
    await edit({ places: 2, waitDays: [6] })
    await move('running')
    await eventually(read, ({ funnel }) => funnel.sent === 1)
    equal(await heldBy('letter_not_agreed'), null)
    deepEqual(lacking(await read()), ['Letter 2 is not agreed.'])
    const second = (await touches()).find(({ place }: { place: number }) => place === 2)
    equal(second.dueAt.slice(0, 10), '2026-12-01')
    await fallDue(2)
    await write({ write: [2], agree: [2] })
    await until('sent', 2)
    equal(await heldBy('nobody_left'), null)
    equal((await touches()).length, 2)
  })

  it('concern the letters that are not planned yet', async () => {
    const { edit, move, read, until, touches, call, campaign: id } = await campaign(1, [1, 2, 3])
    await move('running')
    await until('sent', 1)
    await move('paused')
    const [, second] = await touches()
    await edit({ places: 2, waitDays: [10] })
    equal((await touches())[1].dueAt, second.dueAt)
    const skipped = await call('PATCH', `/campaigns/${id}/touches/${second.id}`, { skip: true })
    equal(skipped.body.reason, 'skipped')
    equal((await touches()).length, 2)
    equal((await read()).funnel.queued, 0)
  })
})
