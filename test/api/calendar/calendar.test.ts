import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { recordReply } from '../../../db/calendar/answers.ts'
import { givenPeople } from '../../support/given.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

const demo = { title: 'Demo', day: '2026-11-24', start: '10:00', minutes: 30 }

describe('the calendar', function () {
  this.timeout(60_000)
  let service: SharedService

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  async function room(timezone = 'Europe/Berlin') {
    const workspace = await service.workspace({ timezone })
    const { call } = workspace
    const list = async (query = '') => (await call('GET', `/calendar${query}`)).body
    return {
      ...workspace,
      own: `cal_${workspace.member}`,
      list,
      book: (more: object = {}, options = {}) =>
        call('POST', '/calendar/meetings', { ...demo, ...more }, options),
      cancel: (id: string, options = {}) =>
        call('DELETE', `/calendar/meetings/${id}`, undefined, options),
      titles: async (query = '') =>
        (await list(query)).meetings.map(({ title }: { title: string }) => title),
    }
  }

  const refused = (
    { status, body }: { status: number; body: { code: string; errors: { pointer: string }[] } },
    code: string,
    pointer?: string,
  ) => equal(`${status} ${body.code} ${body.errors?.[0]?.pointer}`, `422 ${code} ${pointer}`)

  it("books a meeting in the caller's own calendar", async () => {
    const { own, member, book, list } = await room()
    const agenda = 'Prices\nand dates'
    const { status, body } = await book({ agenda })
    equal(status, 200)
    match(body.id, /^mtg_/)
    deepEqual(body, {
      id: body.id,
      ...demo,
      calendar: own,
      agenda,
      guests: [],
      replies: [],
      proposals: [],
      state: 'booked',
      own: true,
      startsAt: '2026-11-24T09:00:00.000Z',
      endsAt: '2026-11-24T09:30:00.000Z',
    })
    deepEqual(await list(), {
      calendars: [{ id: own, name: 'Ana Ruiz', member }],
      meetings: [body],
      next: null,
    })
  })

  it('takes "own" and the id of a calendar, and no other', async () => {
    const { own, book } = await room()
    equal((await book({ calendar: 'own' })).body.calendar, own)
    equal((await book({ calendar: own })).body.calendar, own)
    const others = await room()
    for (const calendar of ['cal_nobody', others.own])
      refused(await book({ calendar }), 'validation_failed', '/calendar')
  })

  it('merges duplicate guests, and takes twenty', async () => {
    const { book } = await room()
    const guests = ['Kim@Client.example', 'kim@client.example', 'bo@client.example']
    deepEqual((await book({ guests })).body.guests, ['kim@client.example', 'bo@client.example'])
    const many = Array.from({ length: 21 }, (_, i) => `guest-${i}@client.example`)
    equal((await book({ guests: many.slice(1) })).body.guests.length, 20)
    refused(await book({ guests: many }), 'validation_failed', '/guests')
  })

  it('refuses what cannot be a meeting', async () => {
    const { book } = await room()
    const wrong: [object, string][] = [
      [{ minutes: 20 }, '/minutes'],
      [{ minutes: '30' }, '/minutes'],
      [{ start: '24:00' }, '/start'],
      [{ start: '9:00' }, '/start'],
      [{ day: '2026-02-30' }, '/day'],
      [{ day: '24.11.2026' }, '/day'],
      [{ title: ' ' }, '/title'],
      [{ guests: ['nobody'] }, '/guests/0'],
      [{ day: '9999-12-31', start: '23:59', minutes: 120 }, '/day'],
    ]
    for (const [more, pointer] of wrong) refused(await book(more), 'validation_failed', pointer)
  })

  it('refuses a start that the clocks skip, and takes the first of one that occurs twice', async () => {
    const { book } = await room()
    const spring = { day: '2027-03-28' }
    refused(await book({ ...spring, start: '02:00' }), 'local_time_missing', '/start')
    refused(await book({ ...spring, start: '02:59' }), 'local_time_missing', '/start')
    equal((await book({ ...spring, start: '01:59' })).body.endsAt, '2027-03-28T01:29:00.000Z')
    equal((await book({ ...spring, start: '03:00' })).body.startsAt, '2027-03-28T01:00:00.000Z')
    const { body } = await book({ day: '2027-10-31', start: '02:30', minutes: 60 })
    deepEqual(
      [body.startsAt, body.endsAt, body.day, body.start],
      ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z', '2027-10-31', '02:30'],
    )
    const lordHowe = await room('Australia/Lord_Howe')
    const half = await lordHowe.book({ day: '2027-04-04', start: '01:45' })
    equal(half.body.startsAt, '2027-04-03T14:45:00.000Z')
  })

  it('refuses a meeting in the past', async () => {
    const { book, call } = await room()
    refused(await book({ day: '2026-11-23', start: '09:58' }), 'time_in_past', '/start')
    refused(await book({ day: '2026-11-20', check: true }), 'time_in_past', '/start')
    equal((await call('GET', '/calendar')).body.meetings.length, 0)
  })

  it('refuses a guest who must not be written to', async () => {
    const { id, book } = await room()
    const at = service.clock.now()
    await service.db
      .insertInto('suppressions')
      .values([
        { workspace: id, address: 'no@client.example', reason: 'complaint', at },
        { workspace: id, address: 'news@client.example', reason: 'unsubscribe', at },
      ])
      .execute()
    const guests = ['news@client.example', 'No@client.example']
    refused(await book({ guests }), 'recipient_suppressed', '/guests/1')
    equal((await book({ guests: guests.slice(0, 1) })).status, 200)
  })

  it('lists what ends after `from` and starts before `to`, by default the next two weeks', async () => {
    const { book, titles } = await room()
    const at = (day: string, start: string) => book({ title: `${day} ${start}`, day, start })
    await at('2026-11-23', '16:00')
    await at('2026-12-07', '12:30')
    await at('2026-12-07', '09:30')
    const all = ['2026-11-23 16:00', '2026-12-07 09:30', '2026-12-07 12:30']
    deepEqual(await titles(), all.slice(0, 2))
    deepEqual(await titles('?to=2027-01-01'), all)
    deepEqual(await titles('?from=2026-12-01'), all.slice(1))
    deepEqual(await titles('?from=2026-11-23&to=2026-11-24'), all.slice(0, 1))
    const edge = encodeURIComponent('2026-12-07T10:00:00+01:00')
    deepEqual(await titles(`?from=${edge}`), all.slice(2))
    deepEqual(
      await titles(`?to=${encodeURIComponent('2026-12-07T09:30:00+01:00')}`),
      all.slice(0, 1),
    )
  })

  it('refuses an invalid window', async () => {
    const { call } = await room()
    for (const query of ['from=yesterday', 'to=2026-13-01', 'from=', 'to=2026-12-07T10:00:00']) {
      const { status, body } = await call('GET', `/calendar?${query}`)
      equal(`${status} ${body.code}`, '400 invalid_query')
    }
  })

  it('leaves another workspace alone', async () => {
    const [mine, theirs] = [await room(), await room()]
    const { body } = await theirs.book()
    deepEqual((await mine.list()).meetings, [])
    equal((await mine.cancel(body.id)).status, 404)
    deepEqual(await theirs.titles(), ['Demo'])
  })

  describe('check', () => {
    it('says what would happen, and changes nothing', async () => {
      const { id, book, list, call } = await room()
      const { body: there } = await book({ title: 'There', start: '10:15' })
      await book({ title: 'Before', start: '09:30' })
      await book({ title: 'After', start: '10:30' })
      const before = [await list(), (await call('GET', '/audit')).body]
      const guests = ['kim@client.example', 'bo@client.example']
      const { status, body } = await book({ guests, check: true }, { key: null })
      equal(status, 200)
      equal(body.check, true)
      deepEqual(body.conflicts, [there])
      deepEqual(body.writesTo, guests)
      equal(body.meeting.startsAt, '2026-11-24T09:00:00.000Z')
      deepEqual(body.meeting.guests, guests)
      deepEqual([await list(), (await call('GET', '/audit')).body], before)
      deepEqual(
        await service.db
          .selectFrom('meetingChecks')
          .selectAll()
          .where('workspace', '=', id)
          .execute(),
        [],
      )
    })

    it('needs only the scope to read and no key, but replays the answer under a key', async () => {
      const { book, tokenWith } = await room()
      const token = await tokenWith(['inbox:read'])
      const key = randomUUID()
      const first = await book({ check: true }, { token, key })
      equal(first.status, 200)
      const again = await book({ check: true }, { token, key })
      equal(again.headers.get('idempotent-replayed'), 'true')
      equal(again.text, first.text)
      equal((await book({ check: true }, { token, key: null })).status, 200)
      equal((await book({}, { token })).body.code, 'insufficient_scope')
      equal((await book({ check: false }, { token })).body.code, 'insufficient_scope')
    })

    it('does not stand in the way of booking', async () => {
      const { book } = await room()
      await book()
      const { body } = await book({ check: true })
      equal(body.conflicts.length, 1)
      equal((await book()).status, 200)
    })
  })

  describe('cancelling', () => {
    it('removes a meeting from the list, once', async () => {
      const { book, cancel, list, call } = await room()
      const { body: meeting } = await book()
      const first = await cancel(meeting.id)
      deepEqual([first.status, first.body], [200, { ...meeting, state: 'cancelled' }])
      deepEqual((await list()).meetings, [])
      const again = await cancel(meeting.id)
      deepEqual([again.status, again.body], [200, first.body])
      const { entries } = (await call('GET', '/audit')).body
      deepEqual(
        entries.map(({ action }: { action: string }) => action),
        ['meeting.cancelled', 'meeting.booked'],
      )
      deepEqual((await book({ check: true })).body.conflicts, [])
    })

    it('is refused for a meeting that was made elsewhere', async () => {
      const { id, own, cancel, list } = await room()
      const now = service.clock.now()
      const startsAt = new Date(now.getTime() + 3_600_000)
      await service.db
        .insertInto('meetings')
        .values({
          id: `mtg_${id}`,
          uid: 'x',
          workspace: id,
          calendar: own,
          title: 'Theirs',
          zone: 'Europe/Berlin',
          startsAt,
          endsAt: startsAt,
          replies: '[]',
          own: false,
          remote: 'there',
          createdAt: now,
        })
        .execute()
      const { status, body } = await cancel(`mtg_${id}`)
      equal(`${status} ${body.code}`, '409 invalid_state')
      equal((await list()).meetings[0].own, false)
    })
  })

  it('shows the newest answer of each guest', async () => {
    const { id, book, list } = await room()
    const { body } = await book({ guests: ['kim@client.example', 'bo@client.example'] })
    const reply = (address: string, answer: string, at: string) =>
      service.db.transaction().execute((trx) =>
        recordReply(
          trx,
          {
            ...{ workspace: id, uid: `${body.id}@postroom`, at: new Date(at), answer },
            ...{ from: address, named: address, sentBy: null, references: [], sequence: null },
          },
          service.clock.now(),
        ),
      )
    equal(await reply('Kim@client.example', 'TENTATIVE', '2026-11-23T10:00:00Z'), body.id)
    equal(await reply('kim@client.example', 'ACCEPTED', '2026-11-23T11:00:00Z'), body.id)
    equal(await reply('kim@client.example', 'DECLINED', '2026-11-23T09:00:00Z'), body.id)
    equal(await reply('eve@client.example', 'ACCEPTED', '2026-11-23T11:00:00Z'), undefined)
    const replies = [{ address: 'kim@client.example', answer: 'accepted' }]
    deepEqual((await list()).meetings[0].replies, replies)
  })

  it('counts as a meeting of the campaign that had written to the guest', async () => {
    const { id, book, cancel, call, agent } = await room()
    const { db, clock } = service
    const now = clock.now()
    const email = `kim-${id}@client.example`
    const [person = ''] = await givenPeople(db, id, [{ name: 'Kim', email }], now)
    const campaign = `cmp_${id}`
    await db
      .insertInto('campaigns')
      .values({
        id: campaign,
        workspace: id,
        name: 'C',
        goal: '',
        agent,
        state: 'running',
        createdAt: now,
        updatedAt: now,
        startedAt: now,
      })
      .execute()
    await db
      .insertInto('touches')
      .values({
        id: `tch_${id}`,
        workspace: id,
        campaign,
        person,
        place: 1,
        state: 'sent',
        dueAt: now,
        createdAt: now,
        sentAt: now,
      })
      .execute()
    const meetings = async () => {
      const { body } = await call('GET', `/campaigns/${campaign}`)
      return [body.funnel.meetings, body.campaign.progress.meetings]
    }
    deepEqual(await meetings(), [0, 0])
    await book({ guests: ['somebody@else.example'] })
    deepEqual(await meetings(), [0, 0])
    const { body } = await book({ guests: [email] })
    await book({ guests: [email] })
    deepEqual(await meetings(), [1, 1])
    await cancel(body.id)
    deepEqual(await meetings(), [1, 1])
  })
})
