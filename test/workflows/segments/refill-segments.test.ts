import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { enqueueStart } from '../../../db/operations/outbox.ts'
import { type Card, givenCards, three } from '../../support/segments.ts'
import { comesTo, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

describe('refillSegments', function () {
  this.timeout(60_000)
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'remote'] })
  })
  after(() => service.close())

  /** Runs the schedule's workflow to its end. */
  async function refill() {
    const workflowId = `refill-${randomUUID()}`
    await enqueueStart(service.db, {
      type: 'refillSegments',
      workflowId,
      args: [],
      attributes: {},
    })
    const handle = (await testClient()).workflow.getHandle(workflowId)
    const state = () =>
      handle.describe().then(
        ({ status }) => status.name,
        () => undefined,
      )
    await comesTo(state, 'COMPLETED', 30_000)
  }

  async function given(cards: Card[], body: object) {
    const room = await givenCards(service, cards)
    const { id } = (await room.call('POST', '/segments', body)).body
    const people = async () =>
      (await room.call('GET', `/segments/${id}/people`)).body.people as {
        name: string
        verdict: { version: number; reason: string }
      }[]
    return { ...room, id, names: async () => (await people()).map(({ name }) => name) }
  }
  const inBerlin = { query: 'people in Berlin', refill: true }

  it('judges new people, and wakes the running campaigns of the segment', async () => {
    const { add, names, campaignOn, signals, id } = await given(three, inBerlin)
    await campaignOn(id, 'running')
    await add({ name: 'Dora', city: 'Berlin' })
    await add({ name: 'Emil', city: 'Rome' })
    await refill()
    deepEqual(await names(), ['Ada', 'Cem', 'Dora'])
    deepEqual(await signals(), ['changed'])
  })

  it('judges people again whose cards or tags have changed, and nobody else', async () => {
    const { call, idOf, names, id } = await given(three, inBerlin)
    const verdicts = () =>
      service.db
        .selectFrom('segmentPeople')
        .select(['person', 'at'])
        .where('segment', '=', id)
        .orderBy('person')
        .execute()
    const before = await verdicts()
    await call('PATCH', `/people/${idOf('Ada')}`, { city: 'Rome' })
    await call('PATCH', `/people/${idOf('Ben')}`, { city: 'Berlin' })
    await refill()
    deepEqual(await names(), ['Ben', 'Cem'])
    const cem = ({ person }: { person: string }) => person === idOf('Cem')
    deepEqual((await verdicts()).find(cem), before.find(cem))
  })

  it('takes into account tags that were added since', async () => {
    const { call, idOf, names, product } = await given(three, { query: 'buyers', refill: true })
    deepEqual(await names(), [])
    await call('POST', `/people/${idOf('Ben')}/tags`, { label: product, side: 'buyer' })
    await refill()
    deepEqual(await names(), ['Ben'])
    await call('DELETE', `/people/${idOf('Ben')}/tags`, { label: product, side: 'buyer' })
    await refill()
    deepEqual(await names(), [])
  })

  it('leaves alone segments without refill, and keeps people added by hand', async () => {
    const still = await given(three, { query: 'people in Berlin' })
    await still.add({ name: 'Dora', city: 'Berlin' })
    const byHand = await given(three, inBerlin)
    await byHand.call('POST', `/segments/${byHand.id}/people`, { people: [byHand.idOf('Ben')] })
    await byHand.call('PATCH', `/people/${byHand.idOf('Ben')}`, { jobTitle: 'Cook' })
    await refill()
    deepEqual(await still.names(), ['Ada', 'Cem'])
    deepEqual(await byHand.names(), ['Ada', 'Ben', 'Cem'])
  })

  it('judges by the current words', async () => {
    const { call, add, names, id } = await given(three, inBerlin)
    await call('POST', '/segments', { query: 'people in Munich', segment: id })
    await add({ name: 'Dora', city: 'Munich' })
    await add({ name: 'Emil', city: 'Berlin' })
    await refill()
    deepEqual(await names(), ['Ben', 'Dora'])
    equal((await call('GET', `/segments/${id}`)).body.refill, true)
  })
})
