import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Calendars, startCalendars } from '../../support/given-calendar.ts'
import { eventually } from '../../support/service.ts'

describe('calendars of other servers in trouble', function () {
  this.timeout(120_000)
  let calendars: Calendars

  before(async function () {
    calendars = await startCalendars(this.test?.ctx, { crashes: true })
  })
  after(() => calendars?.close())
  afterEach(() => calendars.crashAt())

  it('that cannot be reached are retried, and the call is then answered', async () => {
    const before = await calendars.between()
    const { book, call, row, server } = await calendars.room(before.through)
    await before.stop()
    const key = randomUUID()
    const booking = book({}, key)
    const waiting = await eventually(
      async () => (await call('GET', `/operations/${key}`)).body,
      ({ waitingFor }) => waitingFor === 'calendar',
    )
    equal(waiting.state, 'waiting')
    equal((await row()).problem, 'caldav_unreachable')
    await before.restart()
    const { status, body } = await booking
    deepEqual([status, body.state], [200, 'booked'])
    equal((await server.events()).length, 1)
    equal((await row()).problem, null)
  })

  for (const point of ['before-event', 'after-event'])
    it(`hold one event when a worker dies at ${point}`, async () => {
      const { book, mails, server } = await calendars.room()
      let died = 0
      calendars.crashAt((now) => {
        if (now === point && died++ === 0) throw new Error('died')
      })
      equal((await book()).status, 200)
      ok(died > 0)
      equal((await server.events()).length, 1)
      await eventually(
        async () => mails(),
        (all) => all.length === 1,
      )
    })

  it('hold no event when a worker dies after removing it', async () => {
    const { book, cancel, server } = await calendars.room()
    const { body } = await book()
    let died = 0
    calendars.crashAt((now) => {
      if (now === 'after-removal' && died++ === 0) throw new Error('died')
    })
    equal((await cancel(body.id)).status, 200)
    equal(died, 2)
    deepEqual(await server.events(), [])
  })

  it('hold one event when the answer to the first request is lost', async () => {
    let puts = 0
    const { through } = await calendars.between((method) =>
      method === 'PUT' && puts++ === 0 ? 'lost' : undefined,
    )
    const { book, mails, server } = await calendars.room(through)
    equal((await book()).status, 200)
    // The second attempt finds it there.
    equal(puts, 1)
    equal((await server.events()).length, 1)
    await eventually(
      async () => mails(),
      (all) => all.length === 1,
    )
  })

  it('that refuse an event make the call fail permanently, and nobody is invited', async () => {
    const { through } = await calendars.between((method) => (method === 'PUT' ? 403 : undefined))
    const { book, list, mails } = await calendars.room(through)
    const key = randomUUID()
    const first = await book({}, key)
    equal(`${first.status} ${first.body.code}`, '409 invalid_state')
    match(first.headers.get('content-type') ?? '', /problem\+json/)
    const again = await book({}, key)
    equal(again.text, first.text)
    equal(again.headers.get('idempotent-replayed'), 'true')
    deepEqual(await list(), [])
    equal(mails().length, 0)
  })

  it('hold no event for a meeting that was cancelled before the server could be reached', async () => {
    const before = await calendars.between()
    const { book, cancel, list, mails, server } = await calendars.room(before.through)
    await before.stop()
    const booking = book()
    const [meeting] = await eventually(list, (all) => all.length === 1)
    const cancelling = cancel(meeting?.id ?? '')
    await eventually(list, (all) => all.length === 0)
    await before.restart()
    deepEqual(
      (await Promise.all([booking, cancelling])).map(({ status, body }) => [status, body.state]),
      [
        [200, 'cancelled'],
        [200, 'cancelled'],
      ],
    )
    deepEqual(await server.events(), [])
    equal(mails().length, 0)
  })
})
