import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { meetingRoom } from '../../support/meeting-room.ts'
import { opened } from '../../support/opened-invitation.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('a series to which a client invites', function () {
  this.timeout(240_000)
  let service: TestService
  let mailboxes: TestMailboxes
  let sink: MailSink
  before(async function () {
    mailboxes = await testMailboxes(this)
    sink = await testMail()
    service = await startService()
    const only = ['rows', 'send', 'remote', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only })
  })
  after(() => service?.close())

  /** A guest who invites to a series, in days before it. */
  async function invited(times: string[]) {
    const room = await meetingRoom({ service, mailboxes, sink })
    const { call, calendar, guest, account, messages } = room
    const uid = `${randomUUID()}@client.example`
    let stamp = 0
    const write = (method: string, sequence: number, lines: string[], from = guest) =>
      calendar(
        method,
        [
          ...[`UID:${uid}`, `SEQUENCE:${sequence}`, `DTSTAMP:20261123T08000${stamp++}Z`],
          ...[...lines, 'SUMMARY:Cold room', `ORGANIZER;CN=Kim Roth:mailto:${guest}`],
          `ATTENDEE;RSVP=TRUE:mailto:${account}`,
        ],
        from,
      )
    await write('REQUEST', 0, times)
    const received = async () =>
      (await messages()).filter(({ direction }: { direction: string }) => direction === 'inbound')
    const arrived = (n: number) => eventually(received, (all) => all.length === n, 60_000)
    const [first] = await arrived(1)
    const shown = async () =>
      (await call('GET', '/calendar?to=2026-12-20')).body.meetings.map(
        ({ day, start }: { day: string; start: string }) => `${day} ${start}`,
      )
    return {
      ...{ ...room, write, arrived, first, shown },
      answer: (message: { id: string }, answer: string) =>
        call('POST', `/messages/${message.id}/invitation`, { answer }),
    }
  }

  const weekly = ['DTSTART:20261126T140000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3']
  const all = ['2026-11-26 15:00', '2026-12-03 15:00', '2026-12-10 15:00']

  it('is in the calendar once it is accepted, but for what is cancelled of it', async () => {
    const { first, write, arrived, answer, shown } = await invited(weekly)
    match(first.text, /repeated/)
    equal((await answer(first, 'accepted')).status, 200)
    await eventually(shown, (now) => now.length === 3, 60_000)
    deepEqual(await shown(), all)
    await write('CANCEL', 0, [
      ...['RECURRENCE-ID:20261203T140000Z', 'DTSTART:20261203T140000Z', 'STATUS:CANCELLED'],
    ])
    const two = [all[0], all[2]]
    await eventually(shown, (now) => now.length === 2, 60_000)
    deepEqual(await shown(), two)
    // The others are still accepted, and a later answer brings nothing back.
    const kept = (await arrived(2)).find(({ id }: { id: string }) => id === first.id)
    equal(kept.invitation.state, 'accepted')
    equal((await answer(first, 'tentative')).status, 200)
    await write('REQUEST', 1, [
      ...['RECURRENCE-ID:20261210T140000Z', 'DTSTART:20261211T090000Z', 'DURATION:PT30M'],
    ])
    const moved = ['2026-11-26 15:00', '2026-12-11 10:00']
    deepEqual(await eventually(shown, (now) => now.includes(moved[1]), 60_000), moved)
    const waiting = (await arrived(3))[0]
    equal(waiting.invitation.state, 'open')
    await write('CANCEL', 2, [...weekly, 'STATUS:CANCELLED'])
    await eventually(shown, (now) => now.length === 0, 60_000)
  })

  it('of which a former version arrives late stays as it is', async () => {
    const { first, write, arrived, answer, shown } = await invited(weekly)
    await answer(first, 'accepted')
    await eventually(shown, (now) => now.length === 3, 60_000)
    await write('REQUEST', 2, ['DTSTART:20261127T140000Z', ...weekly.slice(1)])
    await eventually(shown, (now) => now[0] === '2026-11-27 15:00', 60_000)
    await write('REQUEST', 1, ['DTSTART:20261125T140000Z', ...weekly.slice(1)])
    const [late] = await arrived(3)
    equal(late.invitation.state, 'replaced')
    await write('CANCEL', 1, [...weekly, 'STATUS:CANCELLED'])
    await arrived(4)
    equal((await shown()).length, 3)
  })

  it('is not cancelled by another guest, who knows its UID too', async () => {
    const { first, write, arrived, answer, shown } = await invited(weekly)
    await answer(first, 'accepted')
    await eventually(shown, (now) => now.length === 3, 60_000)
    const other = 'eve@elsewhere.example'
    await write('CANCEL', 5, [...weekly, 'STATUS:CANCELLED'], other)
    await write('REQUEST', 6, ['DTSTART:20261127T140000Z', ...weekly.slice(1)], other)
    await arrived(3)
    deepEqual(await shown(), all)
    await write('CANCEL', 1, [...weekly, 'STATUS:CANCELLED'])
    await eventually(shown, (now) => now.length === 0, 60_000)
  })

  it('of days is answered with days', async () => {
    const days = ['DTSTART;VALUE=DATE:20261126', 'RRULE:FREQ=WEEKLY;COUNT=2']
    const { first, write, arrived, answer, mails } = await invited(days)
    equal((await answer(first, 'accepted')).status, 200)
    await write('REQUEST', 1, ['RECURRENCE-ID;VALUE=DATE:20261203', 'DTSTART;VALUE=DATE:20261204'])
    const [moved] = await arrived(2)
    match(moved.text, /Friday, 4 December 2026/)
    equal((await answer(moved, 'declined')).status, 200)
    const sent = await eventually(
      async () => mails(),
      (found) => found.length === 2,
      60_000,
    )
    const texts = await Promise.all(sent.map(async (mail) => (await opened(mail)).text))
    match(texts[0] ?? '', /^DTSTART;VALUE=DATE:20261126\r?$/m)
    match(texts[1] ?? '', /^RECURRENCE-ID;VALUE=DATE:20261203\r?$/m)
    match(texts[1] ?? '', /^DTSTART;VALUE=DATE:20261204\r?$/m)
  })
})
