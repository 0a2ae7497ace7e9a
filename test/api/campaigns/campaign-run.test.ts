import { deepEqual, equal, ok } from 'node:assert/strict'
import { eventsOf } from '../../support/events.ts'
import type { Given } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, type Message, testMail } from '../../support/mail.ts'
import { eventually, reaches, startService, type TestService } from '../../support/service.ts'

const afterOf = ({ after }: { after: object }) => after

describe('POST /campaigns/{id}/state', () => {
  let service: TestService
  let mail: MailSink

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())
  beforeEach(async () => {
    await service.clock.set('2026-11-23T09:00:00.000Z')
    mail.script({})
  })

  const campaign = (people: number, places: (1 | 2 | 3)[] = [], workspace: Partial<Given> = {}) =>
    givenCampaign(service, mail, { people, places, workspace })
  const to = (letters: Message[]) => letters.map((letter) => letter.to[0]).sort()

  it('writes to everybody once, and again after three and five weekdays', async function () {
    this.timeout(60_000)
    const { move, read, letters, emails } = await campaign(4, [1, 2, 3])
    await move('running')
    deepEqual((await read()).campaign.missing, [])
    await eventually(read, ({ funnel }) => funnel.sent === 4)
    deepEqual(to(letters()), emails.toSorted())
    const waiting = (await read()).campaign.sending
    equal(waiting.blockedBy, 'nobody_left')
    equal(waiting.nextAt.slice(0, 10), '2026-11-26')
  })

  it('sends only what was in flight after a pause, and continues when resumed', async function () {
    this.timeout(60_000)
    const { move, read, letters, emails } = await campaign(12, [1])
    await move('running')
    await reaches(() => letters().length, 3)
    const { inFlight } = await move('paused')
    const before = letters().length
    // Long enough for what would still go, as each letter takes milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 500))
    ok(letters().length <= before + inFlight)
    equal((await read()).campaign.sending.blockedBy, 'paused')
    await move('running')
    await eventually(read, ({ funnel }) => funnel.sent === 12, 30_000)
    deepEqual(to(letters()), emails.toSorted())
  })

  it('keeps letters in review while their place is not agreed, and sends them on agreement', async () => {
    const { call, campaign: id, move, read, letters } = await campaign(3)
    await move('running')
    const held = await eventually(read, ({ funnel }) => funnel.review === 3)
    equal(held.campaign.sending.blockedBy, 'review')
    equal(letters().length, 0)
    await call('POST', `/campaigns/${id}/letters`, { write: [1], agree: [1] })
    await eventually(read, ({ funnel }) => funnel.sent === 3)
  })

  it('distinguishes what was written from what was agreed', async () => {
    const { call, campaign: id } = await campaign(1)
    const path = `/campaigns/${id}/letters`
    await call('POST', path, { write: [1, 2] })
    await call('POST', path, { agree: [2] })
    await call('POST', path, { write: [1], agree: [1] })
    const { entries } = (await call('GET', '/audit')).body
    deepEqual(
      entries.filter((e: { action: string }) => e.action === 'campaign.letters').map(afterOf),
      [{ write: [1], agree: [1] }, { agree: [2] }, { write: [1, 2] }],
    )
    const events = await eventsOf(call, ({ kind }) => kind === 'campaign.letters', 3)
    deepEqual(
      events.map(({ data }) => data.members),
      [['write'], ['agree'], ['write', 'agree']],
    )
  })

  it('writes to nobody who must not be written to, and says why', async () => {
    const {
      move,
      read,
      emails,
      people,
      id,
      call,
      campaign: its,
      letters,
    } = await campaign(6, [1, 2, 3])
    const at = service.clock.now()
    const reasons = ['unsubscribe', 'bounce', 'complaint', 'operator'] as const
    await service.db
      .insertInto('suppressions')
      .values(reasons.map((reason, i) => ({ workspace: id, address: emails[i]!, reason, at })))
      .execute()
    await service.db.deleteFrom('addresses').where('person', '=', people[4]!).execute()
    await move('running')
    await eventually(read, ({ funnel }) => funnel.sent === 1 && funnel.failed === 4)
    const { touches } = (await call('GET', `/campaigns/${its}/touches?state=failed`)).body
    deepEqual(
      people.map((id) => touches.find(({ person }: { person: string }) => person === id)?.reason),
      ['unsubscribed', 'bounced', 'suppressed', 'suppressed', 'no_contact', undefined],
    )
    equal(letters().length, 1)
  })

  it('claims no letter once the limit of the day is used', async () => {
    const { move, read } = await campaign(5, [1], {
      limits: { day: 2, week: 250, gapSeconds: 0 },
    })
    await move('running')
    const { campaign: held, funnel } = await eventually(
      read,
      ({ campaign, funnel }) => campaign.sending.blockedBy === 'day_limit' && funnel.sending === 0,
    )
    equal(funnel.sent, 2)
    equal(held.sending.nextAt, '2026-11-23T23:00:00.000Z')
  })

  it('waits over the weekend', async () => {
    await service.clock.set('2026-11-28T10:00:00.000Z')
    const { move, read } = await campaign(2, [1])
    await move('running')
    const { campaign: held } = await read()
    equal(held.sending.blockedBy, 'weekend')
    equal(held.sending.nextAt, '2026-11-29T23:00:00.000Z')
  })

  it('fails what is queued when it is done', async () => {
    const { move, read, call, campaign: id } = await campaign(3)
    await move('running')
    await eventually(read, ({ funnel }) => funnel.review === 3)
    await move('done')
    const { body } = await call('GET', `/campaigns/${id}/touches?state=failed`)
    deepEqual(
      body.touches.map((touch: { reason: string }) => touch.reason),
      ['done', 'done', 'done'],
    )
    const { funnel } = await read()
    deepEqual([funnel.failed, funnel.skipped], [0, 3])
    const refused = await call('POST', `/campaigns/${id}/state`, { to: 'running' })
    equal(refused.status, 409)
    equal(refused.body.code, 'invalid_state')
    deepEqual(refused.body.allowed, [])
  })

  it('leaves an unconfirmed letter as it is, and continues with the next', async function () {
    this.timeout(60_000)
    const { move, read, letters, emails, call, campaign: id } = await campaign(3, [1])
    let dropped = false
    mail.script({
      onAccepted: ({ to }) => {
        if (dropped || !emails.includes(to[0] as string)) return undefined
        dropped = true
        return 'drop'
      },
    })
    await move('running')
    const { funnel } = await eventually(
      read,
      ({ funnel }) => funnel.sent === 2 && funnel.sending === 1,
    )
    equal(funnel.queued, 2)
    equal(letters().length, 3)
    const { body } = await call('GET', `/campaigns/${id}/touches?state=sending`)
    equal(body.touches[0].reason, 'unconfirmed')
  })
})
