import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Calendars, startCalendars } from '../../support/given-calendar.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { readElsewhere } from '../../support/other-library.ts'
import { eventually } from '../../support/service.ts'

describe('an invitation to a member with a calendar on another server', function () {
  this.timeout(120_000)
  let calendars: Calendars
  let mailboxes: TestMailboxes
  before(async function () {
    mailboxes = await testMailboxes(this)
    calendars = await startCalendars(this.test?.ctx, { mailboxes: true })
  })
  after(() => calendars?.close())

  async function invited(times: string[]) {
    const room = await calendars.room()
    const { call, connections } = room
    const { db } = calendars.service
    await givenMailboxes(calendars.service, mailboxes, connections.slice(0, 1))
    const { account } = await db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connections[0] ?? '')
      .executeTakeFirstOrThrow()
    const send = mailProgram(mailboxes)
    const uid = `${randomUUID()}@client.example`
    const event = (lines: string[]) => [
      ...[...lines, 'SUMMARY:Cold room', 'ORGANIZER;CN=Kim Roth:mailto:kim@client.example'],
      `ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:${account}`,
    ]
    const write = (method: string, sequence: number, lines: string[]) =>
      send({
        ...{ from: 'Kim Roth <kim@client.example>', to: account, subject: 'Cold room', text: '' },
        icalEvent: {
          method,
          content: [
            ...['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT'],
            ...[`UID:${uid}`, `SEQUENCE:${sequence}`, 'DTSTAMP:20261123T080000Z'],
            ...[...event(lines), 'END:VEVENT', 'END:VCALENDAR', ''],
          ].join('\r\n'),
        },
      })
    const messages = async () => {
      const [one] = (await call('GET', '/conversations')).body.conversations
      return one ? (await call('GET', `/conversations/${one.id}/messages`)).body.messages : []
    }
    await write('REQUEST', 0, times)
    const [message] = await eventually(messages, (all) => all.length > 0, 30_000)
    const path = `/messages/${message.id}/invitation`
    const { status, text } = await call('POST', path, { answer: 'accepted' })
    equal(status, 200, text)
    const there = (isSo: (event: string) => boolean) =>
      eventually(
        async () => (await room.server.events()).map((one) => one.replace(/\r?\n[ \t]/g, '')),
        ([one = '']) => isSo(one),
        30_000,
      )
    return { ...room, uid, write, event, there }
  }

  it('is on the server once it is accepted, and keeps what the member adds to it as it moves', async () => {
    const { server, write, there, uid, event } = await invited([
      ...['DTSTART:20261126T140000Z', 'DURATION:PT1H'],
    ])
    const [accepted = ''] = await there((one) => one !== '')
    match(accepted, /^ATTENDEE;[^\r\n]*PARTSTAT=ACCEPTED/m)
    match(accepted, /SCHEDULE-AGENT=CLIENT/)
    await server.put(uid, [
      ...event(['DTSTART:20261126T140000Z', 'DURATION:PT1H', 'SEQUENCE:0']),
      ...['CATEGORIES:Important', 'X-MOZ-COLOR:red', 'BEGIN:VALARM', 'ACTION:DISPLAY'],
      ...['DESCRIPTION:Go', 'TRIGGER:-PT15M', 'END:VALARM', 'BEGIN:VALARM', 'ACTION:DISPLAY'],
      ...['DESCRIPTION:Pack', 'TRIGGER;VALUE=DATE-TIME:20261126T080000Z', 'END:VALARM'],
    ])
    await write('REQUEST', 1, ['DTSTART:20261127T150000Z', 'DURATION:PT2H', 'LOCATION:Hafen 3'])
    const [moved = '', ...more] = await there((one) => /20261127T150000Z/.test(one))
    equal(more.length, 0)
    for (const line of ['DURATION:PT2H', 'LOCATION:Hafen 3', 'CATEGORIES:Important'])
      match(moved, new RegExp(`^${line}\r?$`, 'm'))
    match(moved, /^ATTENDEE;[^\r\n]*PARTSTAT=NEEDS-ACTION/m)
    match(moved, /^X-MOZ-COLOR:red\r?$/m)
    match(moved, /^TRIGGER:-PT15M\r?$/m)
    match(moved, /^TRIGGER;VALUE=DATE-TIME:20261127T090000Z\r?$/m)
    await write('CANCEL', 2, ['DTSTART:20261127T150000Z', 'STATUS:CANCELLED'])
    await there((one) => one === '')
  })

  it('to a series is there as a series, without what is cancelled of it', async () => {
    const { write, there, synced, list, server } = await invited([
      ...['DTSTART;TZID=Europe/Berlin:20261126T150000', 'DURATION:PT1H'],
      'RRULE:FREQ=WEEKLY;COUNT=3',
    ])
    const [series = ''] = await there((one) => one !== '')
    match(series, /^RRULE:FREQ=WEEKLY;COUNT=3\r?$/m)
    const occurrence = 'RECURRENCE-ID;TZID=Europe/Berlin:20261203T150000'
    await write('REQUEST', 1, [occurrence, 'DTSTART:20261204T090000Z', 'DURATION:PT1H'])
    const both = await eventually(server.events, (all) => all.length === 2, 30_000)
    const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...both, 'END:VCALENDAR', '']
    const { events } = await readElsewhere(calendar.join('\r\n'))
    equal(events.length, 2)
    await synced()
    const shown = async () => (await list('?to=2026-12-20')).map(({ start }) => start)
    deepEqual(await shown(), ['15:00', '10:00', '15:00'])
    await write('CANCEL', 2, [occurrence, 'DTSTART:20261204T090000Z', 'STATUS:CANCELLED'])
    const [left = ''] = await there((one) => /^EXDATE/m.test(one))
    ok(!left.includes('20261204T090000Z'))
    await synced()
    deepEqual(await shown(), ['15:00', '15:00'])
  })
})
