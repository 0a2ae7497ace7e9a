import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Hours } from '../../../rules/hours.ts'
import { auditedActions } from '../../support/audited.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

type Touch = { person: string; state: string; reason: string | null; dueAt: string }

describe("a person's letters that are held", function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  const noHours = { daysOff: ['mon', 'tue', 'wed', 'thu', 'fri'] }

  async function given(hours: Partial<Hours> = {}) {
    const campaign = await givenCampaign(service, mail, { people: 2, places: [1], hours })
    const [person = '', other = ''] = campaign.people
    const touch = async () =>
      (await campaign.touches()).find((one: Touch) => one.person === person && one) as Touch
    const edit = (held: unknown) => campaign.call('PATCH', `/people/${person}`, { held })
    return { ...campaign, person, other, touch, edit }
  }

  it('wait while those of others go, until they are released', async () => {
    const { move, letters, arrived, touch, edit, call, person, emails } = await given()
    const { status, body } = await edit({ why: 'On parental leave' })
    equal(status, 200)
    deepEqual(body.held, { until: null, why: 'On parental leave' })
    deepEqual((await call('GET', `/people/${person}`)).body.held, body.held)
    await move('running')
    await arrived(1)
    const { state, reason } = await eventually(touch, (one) => one.reason !== null)
    deepEqual([state, reason], ['queued', 'held'])
    deepEqual(
      letters().map(({ to }) => to[0]),
      [emails[1]],
    )
    equal((await edit(null)).body.held, null)
    await arrived(2)
    deepEqual([(await eventually(touch, (one) => one.state === 'sent')).reason], [null])
  })

  it('are shown as held from when they are planned, long before their turn', async () => {
    const { call, campaign, edit, move, touches, touch, person, heldBy } = await given(noHours)
    const until = '2026-12-09T10:00:00.000Z'
    await edit({ until })
    await move('running')
    await heldBy('hours')
    const { state, reason, dueAt } = await touch()
    deepEqual([state, reason, dueAt], ['queued', 'held', until])
    deepEqual((await touches()).map((one: Touch) => one.reason).sort(), ['held', null])
    const { body } = await call('GET', `/campaigns/${campaign}/people?outcome=held`)
    deepEqual(
      body.people.map((one: Touch) => one.person),
      [person],
    )
    await edit(null)
    const released = await touch()
    equal(released.reason, null)
    ok(Date.parse(released.dueAt) <= service.clock.now().getTime())
  })

  it('wait until a moment, which can be moved, and keep their own time', async () => {
    const { move, touch, edit, heldBy } = await given()
    const [soon, late] = ['2026-12-01T10:00:00.000Z', '2026-12-09T10:00:00.000Z']
    await edit({ until: late })
    await move('running')
    await eventually(touch, ({ reason }) => reason === 'held')
    equal((await touch()).dueAt, late)
    equal((await edit({ until: soon, why: 'Back earlier' })).body.held.until, soon)
    equal((await touch()).dueAt, soon)
    equal(await heldBy('nobody_left'), soon)
  })

  it('go to the address that the person has by then', async () => {
    const { move, arrived, touch, edit, call, person } = await given()
    await edit({ why: 'Has changed jobs' })
    await move('running')
    await eventually(touch, ({ reason }) => reason === 'held')
    const address = `new-${person}@client.example`.toLowerCase()
    equal((await call('PATCH', `/people/${person}`, { emails: [address] })).status, 200)
    await edit(null)
    await eventually(touch, (one) => one.state === 'sent')
    equal(mail.messages().filter(({ to }) => to[0] === address).length, 1)
    await arrived(1)
  })

  it('fail as they come to their turn if the person has no address any more', async () => {
    const { move, touch, edit, call, person } = await given()
    await edit({ why: 'Has left' })
    await move('running')
    await eventually(touch, ({ reason }) => reason === 'held')
    equal((await call('PATCH', `/people/${person}`, { emails: [] })).status, 200)
    await edit(null)
    equal((await eventually(touch, (one) => one.state === 'failed')).reason, 'no_contact')
  })

  it('are held until a future time, for a given reason', async () => {
    const { edit, call } = await given()
    const past = await edit({ until: '2026-11-01T10:00:00Z' })
    equal(`${past.status} ${past.body.code}`, '422 time_in_past')
    equal(past.body.errors[0].pointer, '/held/until')
    for (const [held, pointer] of [
      [{ until: 'tomorrow' }, '/held/until'],
      [{ why: 'x'.repeat(501) }, '/held/why'],
      [{ untill: null }, '/held/untill'],
      [true, '/held'],
    ] as const) {
      const { status, body } = await edit(held)
      deepEqual([status, body.errors[0].pointer], [422, pointer])
    }
    equal((await edit(null)).status, 200)
    const audited = await auditedActions(call)
    equal(audited.filter((action) => action === 'person.edited').length, 0)
  })
})
