import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Calendars, type Meeting, startCalendars } from '../../support/given-calendar.ts'
import { opened } from '../../support/opened-invitation.ts'
import { readElsewhere } from '../../support/other-library.ts'
import { eventually } from '../../support/service.ts'

const at = (time: string, minutes = 60) => {
  const start = `202611${time.replace(' ', 'T')}00`
  return [`DTSTART;TZID=Europe/Berlin:${start}`, `DURATION:PT${minutes}M`]
}

describe('calendars of other servers', function () {
  this.timeout(120_000)
  let calendars: Calendars

  before(async function () {
    calendars = await startCalendars(this.test?.ctx)
  })
  after(() => calendars?.close())

  it('are described in the operator’s file, their passwords sealed', async () => {
    const { calendar, member, row, apply, call, server } = await calendars.room()
    const { body } = await call('GET', '/calendar')
    deepEqual(body.calendars[1], { id: calendar, name: 'Work', member })
    const { caldav, secrets } = await row()
    deepEqual(caldav, { url: server.url, user: 'ana' })
    ok(secrets && !secrets.includes(server.password))
    deepEqual(await apply(), { workspace: (await row()).workspace, changes: [] })
  })

  it('hold the event of a meeting from its booking to its cancellation', async () => {
    const { book, cancel, mails, server } = await calendars.room()
    const { status, body } = await book({ agenda: 'Prices' })
    deepEqual([status, body.state, body.own], [200, 'booked', true])
    const [event = '', ...more] = await server.events()
    equal(more.length, 0)
    match(event, new RegExp(`^UID:${body.id}@postroom\r?$`, 'm'))
    match(event, /^DTSTART;TZID=Europe\/Berlin:20261124T100000\r?$/m)
    match(event.replace(/\r?\n /g, ''), /^ATTENDEE;.*SCHEDULE-AGENT=CLIENT/m)
    await eventually(
      async () => mails(),
      (all) => all.length === 1,
    )
    equal((await cancel(body.id)).body.state, 'cancelled')
    deepEqual(await server.events(), [])
    await eventually(
      async () => mails(),
      (all) => all.length === 2,
    )
    equal((await cancel(body.id)).status, 200)
  })

  it('hold the event of a meeting at its new time once it was moved', async () => {
    const { book, call, list, mails, synced, server } = await calendars.room()
    const { body } = await book()
    await eventually(
      async () => mails(),
      (all) => all.length === 1,
    )
    const to = { day: '2026-11-25', start: '16:00' }
    const moved = await call('POST', `/calendar/meetings/${body.id}/move`, to)
    equal(moved.status, 200, moved.text)
    const [event = '', ...more] = await server.events()
    equal(more.length, 0)
    match(event, /^DTSTART;TZID=Europe\/Berlin:20261125T160000\r?$/m)
    match(event, /^SEQUENCE:1\r?$/m)
    await synced()
    deepEqual(
      (await list()).map(({ id, start }) => [id, start]),
      [[body.id, '16:00']],
    )
    const [, told] = await eventually(
      async () => mails(),
      (all) => all.length === 2,
    )
    ok(told)
    const { method, events } = await readElsewhere((await opened(told)).text)
    equal(method, 'REQUEST')
    const { dtstart = '', sequence } = events[0] ?? {}
    deepEqual([new Date(dtstart).toISOString(), sequence], ['2026-11-25T15:00:00.000Z', 1])
  })

  it('keep what a member has added to the event of a meeting when it moves', async () => {
    const { book, call, server } = await calendars.room()
    const { body } = await book({ agenda: 'Prices' })
    const [event = ''] = await server.events()
    const added = [
      ...[
        'LOCATION:Hafen 3',
        'CATEGORIES:Important',
        'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M',
      ],
      ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Go', 'TRIGGER:-PT15M', 'END:VALARM'],
    ]
    const lines = event.split(/\r?\n/).slice(1, -1)
    const own = lines.filter((line) => !/^(UID|DTSTAMP|SUMMARY)/.test(line))
    await server.put(`${body.id}@postroom`, [...own, 'SUMMARY:Demo with Kim', ...added])
    const to = { day: '2026-11-25', start: '16:00' }
    equal((await call('POST', `/calendar/meetings/${body.id}/move`, to)).status, 200)
    const [moved = '', ...more] = await server.events()
    equal(more.length, 0)
    for (const line of [...added, 'SUMMARY:Demo with Kim', 'DESCRIPTION:Prices', 'SEQUENCE:1'])
      match(moved, new RegExp(`^${line}\r?$`, 'm'))
    deepEqual(
      moved
        .match(/^DT(?:START|END).*$/gm)
        ?.map((line) => line.trim())
        .sort(),
      ['DTEND;TZID=Europe/Berlin:20261125T163000', 'DTSTART;TZID=Europe/Berlin:20261125T160000'],
    )
  })

  it('show what was made elsewhere, until it is deleted there', async () => {
    const { synced, list, book, cancel, calendar, server } = await calendars.room()
    await server.put('dentist', [...at('25 0900'), 'SUMMARY:Dentist', 'DESCRIPTION:Ouch'])
    await server.put('weekly', [
      ...at('23 1500', 15),
      'RRULE:FREQ=WEEKLY;COUNT=9',
      'EXDATE;TZID=Europe/Berlin:20261207T150000',
      'SUMMARY:Standup',
    ])
    await server.put('holiday', [
      'DTSTART;VALUE=DATE:20261126',
      'SUMMARY:Holiday',
      'TRANSP:TRANSPARENT',
    ])
    await synced()
    const shown = (await list('?to=2026-12-15')).map(({ title, start }) => `${title} ${start}`)
    deepEqual(shown, [
      'Standup 15:00',
      'Dentist 09:00',
      'Holiday 00:00',
      'Standup 15:00',
      'Standup 15:00',
    ])
    const [, dentist] = await list()
    ok(dentist)
    deepEqual([dentist.own, dentist.calendar], [false, calendar])
    equal((await cancel(dentist.id)).body.code, 'invalid_state')

    const overlap = { day: '2026-11-25', start: '09:30', check: true }
    deepEqual((await book(overlap)).body.conflicts, [dentist])
    deepEqual((await book({ ...overlap, day: '2026-11-26' })).body.conflicts, [])
    // It conflicts in the same member's own calendar as well.
    deepEqual((await book({ ...overlap, calendar: 'own' })).body.conflicts, [dentist])

    await server.remove('dentist')
    await server.put('weekly', [...at('23 1600', 15), 'SUMMARY:Later'])
    await synced()
    deepEqual(
      (await list('?to=2026-12-15')).map(({ title, start }) => `${title} ${start}`),
      ['Later 16:00', 'Holiday 00:00'],
    )
    deepEqual((await book(overlap)).body.conflicts, [])
  })

  it('bring back nobody who was erased', async () => {
    const { id, synced, list, call, server } = await calendars.room()
    const email = `tilda-${id}@client.example`.toLowerCase()
    const ofMail = (address: string) => `ATTENDEE;CN=Someone:mailto:${address}`
    const lunch = ['SUMMARY:Lunch with Tilda', 'DESCRIPTION:Tilda pays']
    await server.put('lunch', [...at('25 1200'), ...lunch, ofMail(email), ofMail('bo@b.example')])
    const report = ['SUMMARY:Report', `DESCRIPTION:Write to ${email}.`]
    await server.put('report', [...at('25 1500'), ...report])
    await synced()
    const titles = async () => (await list()).map(({ title }) => title)
    deepEqual(await titles(), ['Lunch with Tilda', 'Report'])

    const person = (await call('POST', '/people', { name: 'Tilda', email })).body.id
    const key = randomUUID()
    equal((await call('DELETE', `/people/${person}`, undefined, { key })).status, 200)
    await eventually(
      () => call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
      60_000,
    )
    await synced()
    const rows = await calendars.service.db
      .selectFrom('meetings')
      .select(['title', 'agenda', 'guests', 'replies'])
      .where('workspace', '=', id)
      .orderBy('startsAt')
      .execute()
    ok(!JSON.stringify(rows).toLowerCase().includes('tilda'), JSON.stringify(rows))
    deepEqual(
      rows.map(({ title, agenda, guests }) => [title, agenda, guests]),
      [
        ['[…]', '', ['bo@b.example']],
        ['Report', 'Write to […].', []],
      ],
    )
  })

  it('are read again by a check', async () => {
    const before = await calendars.between()
    const { book, server } = await calendars.room(before.through)
    await server.put('call', [...at('24 1015'), 'SUMMARY:Call'])
    const titles = async () =>
      (await book({ check: true })).body.conflicts.map(({ title }: Meeting) => title)
    deepEqual(await titles(), ['Call'])
    await server.remove('call')
    deepEqual(await titles(), [])
    await server.put('call', [...at('24 1015'), 'SUMMARY:Call'])
    deepEqual(await titles(), ['Call'])
    await before.stop()
    // A calendar that cannot be reached counts as it was last seen.
    deepEqual(await titles(), ['Call'])
  })

  it('cancel a meeting whose event was deleted there, and notify no guest', async () => {
    const { book, synced, list, mails, member, server } = await calendars.room()
    const { body: kept } = await book({ start: '11:00' })
    const { body } = await book()
    await eventually(
      async () => mails(),
      (all) => all.length === 2,
    )
    await synced()
    equal((await list()).length, 2)
    await server.remove(`${body.id}@postroom`)
    await synced()
    deepEqual(
      (await list()).map(({ id }) => id),
      [kept.id],
    )
    equal(mails().length, 2)
    const told = await calendars.service.db
      .selectFrom('notifications')
      .select('kind')
      .where('member', '=', member)
      .execute()
    deepEqual(told, [{ kind: 'meeting.cancelled' }])
  })

  it('move a meeting whose event was moved there, also out of the period that is read', async () => {
    const { book, synced, list, server } = await calendars.room()
    const { body } = await book()
    const uid = `${body.id}@postroom`
    await server.put(uid, [...at('25 1130', 45), 'SUMMARY:Demo'])
    await synced()
    const [moved] = await list()
    deepEqual([moved?.id, moved?.start], [body.id, '11:30'])
    await server.put(uid, ['DTSTART:20271201T090000Z', 'DURATION:PT1H', 'SUMMARY:Demo'])
    await synced()
    deepEqual(
      (await list('?from=2027-12-01')).map(({ id, start, state }) => [id, start, state]),
      [[body.id, '10:00', 'booked']],
    )
  })
})
