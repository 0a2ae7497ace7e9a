import { deepEqual, equal } from 'node:assert/strict'
import { givenCampaign } from '../../support/campaigns.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// The interface's table of limits, each at its bound, below and above it. The size of an import's file is in
// people-import.test.ts, limit of every paged list in table-lists.test.ts, weekdays in rules/pace.test.ts.

describe('the limits of the interface', () => {
  let service: SharedService
  before(async function () {
    this.timeout(60_000)
    service = await sharedService(this.test?.ctx)
  })

  it('let a meeting last 15, 30, 45, 60, 90 or 120 minutes', async () => {
    const { call } = await service.workspace()
    const check = (minutes: unknown) =>
      call('POST', '/calendar/meetings', {
        title: 'Demo',
        day: '2026-11-24',
        start: '10:00',
        check: true,
        minutes,
      })
    for (const minutes of [15, 30, 45, 60, 90, 120])
      equal((await check(minutes)).status, 200, `${minutes}`)
    for (const minutes of [0, 14, 16, 29, 31, 44, 46, 59, 61, 89, 91, 119, 121, -15, 15.5, '15']) {
      const { status, body } = await check(minutes)
      deepEqual([status, body.errors[0].pointer], [422, '/minutes'], `${minutes}`)
    }
  })

  it('let a meeting have twenty guests', async () => {
    const { call } = await service.workspace()
    const check = (guests: number) =>
      call('POST', '/calendar/meetings', {
        title: 'Demo',
        day: '2026-11-24',
        start: '10:00',
        minutes: 30,
        check: true,
        guests: Array.from({ length: guests }, (_, i) => `guest-${i}@client.example`),
      })
    for (const guests of [0, 19, 20]) equal((await check(guests)).status, 200)
    const { status, body } = await check(21)
    deepEqual([status, body.errors[0].pointer], [422, '/guests'])
  })

  it('know the letter places 1, 2 and 3', async () => {
    const { id, call } = await givenCampaign(service)
    const letters = (body: object) => call('POST', `/campaigns/${id}/letters`, body)
    for (const place of [1, 2, 3]) {
      equal((await letters({ write: [place] })).status, 200)
      equal((await letters({ agree: [place] })).status, 200)
    }
    for (const member of ['write', 'agree'])
      for (const place of [0, 4, -1, 1.5, '1']) {
        const { status, body } = await letters({ [member]: [place] })
        deepEqual([status, body.errors[0].pointer], [422, `/${member}/0`], `${place}`)
      }
  })

  it('show fourteen days and fifty rows by default', async () => {
    const { call } = await service.workspace()
    equal((await call('GET', '/dashboard')).body.chart.length, 14)
    for (let i = 0; i < 51; i++)
      await call('POST', '/people', { name: `Person ${i}`, email: `p${i}@client.example` })
    const { people, next } = (await call('GET', '/people')).body
    equal(people.length, 50)
    equal((await call('GET', `/people?cursor=${next}`)).body.people.length, 1)
  })
})
