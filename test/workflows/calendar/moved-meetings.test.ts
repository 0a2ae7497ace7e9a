import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { meetingRoom } from '../../support/meeting-room.ts'
import { opened } from '../../support/opened-invitation.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('a meeting and its guests', function () {
  this.timeout(120_000)
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

  const room = () => meetingRoom({ service, mailboxes, sink })

  it('moves by a call, once for a key, and its guests are told with the next SEQUENCE', async () => {
    const { call, book, arrived, meeting } = await room()
    const { id } = await book()
    const [first] = await arrived(1)
    const key = randomUUID()
    const to = { day: '2026-11-26', start: '16:00' }
    const moved = await call('POST', `/calendar/meetings/${id}/move`, to, { key })
    equal(moved.status, 200, moved.text)
    deepEqual([moved.body.startsAt, moved.body.minutes], ['2026-11-26T15:00:00.000Z', 30])
    const again = await call('POST', `/calendar/meetings/${id}/move`, to, { key })
    equal(again.text, moved.text)
    const [, second] = await arrived(2)
    ok(first && second)
    const [before, after] = [await opened(first), await opened(second)]
    deepEqual([after.method, after.event.uid], ['REQUEST', before.event.uid])
    deepEqual([before.event.sequence, after.event.sequence].map(Number), [0, 1])
    equal(after.event.start.toISOString(), moved.body.startsAt)
    match(second.raw, /^Subject: New time: Demo/m)
    const same = await call('POST', `/calendar/meetings/${id}/move`, to)
    deepEqual(same.body, await meeting(id))
    await call('POST', `/calendar/meetings/${id}/move`, { ...to, start: '17:00', minutes: 60 })
    const third = (await arrived(3))[2]
    ok(third)
    equal(Number((await opened(third)).event.sequence), 2)
    await call('DELETE', `/calendar/meetings/${id}`)
    const last = (await arrived(4))[3]
    ok(last)
    const cancelled = await opened(last)
    deepEqual([cancelled.method, Number(cancelled.event.sequence)], ['CANCEL', 3])
    equal((await call('POST', `/calendar/meetings/${id}/move`, to)).body.code, 'invalid_state')
  })

  it('moves to the time that a guest proposes, or not', async () => {
    const { call, book, calendar, guest, account, arrived, meeting, messages } = await room()
    const { id } = await book()
    await arrived(1)
    const counter = (hour: number, comment: string) =>
      calendar('COUNTER', [
        ...[`UID:${id}@postroom`, 'SEQUENCE:0', `DTSTAMP:20261123T08${hour}00Z`],
        ...[`DTSTART;TZID=Europe/Lisbon:20261125T${hour}0000`, 'DURATION:PT45M', 'SUMMARY:Demo'],
        ...[`ORGANIZER:mailto:${account}`, `ATTENDEE;PARTSTAT=TENTATIVE:mailto:${guest}`],
        `COMMENT:${comment}`,
      ])
    const proposals = async () => (await meeting(id)).proposals
    await counter(16, 'Could we make it four?')
    const [proposal] = await eventually(proposals, (all) => all.length === 1, 30_000)
    deepEqual(
      [proposal.by, proposal.startsAt, proposal.endsAt, proposal.comment],
      [guest, '2026-11-25T16:00:00.000Z', '2026-11-25T16:45:00.000Z', 'Could we make it four?'],
    )
    const [message] = await messages()
    deepEqual([message.automated, message.suspect], [false, false])
    match(
      message.text,
      /25 November 2026, 17:00–17:45 \(Europe\/Berlin\)\n\nCould we make it four\?/,
    )

    const path = `/calendar/meetings/${id}/proposals/`
    const declined = await call('POST', path + proposal.id, { accept: false })
    equal(declined.status, 200, declined.text)
    deepEqual([declined.body.start, declined.body.proposals], ['10:00', []])
    const answer = (await arrived(2))[1]
    ok(answer)
    const read = await opened(answer)
    deepEqual([read.method, read.event.uid], ['DECLINECOUNTER', `${id}@postroom`])
    match(answer.raw, /You proposed Wednesday, 25 November 2026, 17:00/)
    equal((await call('POST', path + proposal.id, { accept: true })).body.code, 'invalid_state')

    await counter(18, 'Or six?')
    const [other] = await eventually(proposals, (all) => all.length === 1, 30_000)
    const accepted = await call('POST', path + other.id, { accept: true })
    equal(accepted.status, 200, accepted.text)
    deepEqual([accepted.body.start, accepted.body.minutes], ['19:00', 45])
    const request = (await arrived(3))[2]
    ok(request)
    const moved = await opened(request)
    deepEqual([moved.method, Number(moved.event.sequence)], ['REQUEST', 1])
    equal(moved.event.start.toISOString(), '2026-11-25T18:00:00.000Z')
    equal((await call('POST', `${path}prp_none`, { accept: true })).status, 404)
  })

  it('shows an answer from another address of the guest as unverified, and tells the member', async () => {
    const { call, book, calendar, guest, arrived, meeting } = await room()
    const { id } = await book()
    await arrived(1)
    const reply = (answer: string, stamp: string, from?: string) =>
      calendar(
        'REPLY',
        [
          ...[`UID:${id}@postroom`, `DTSTAMP:${stamp}`, 'DTSTART:20261125T090000Z', 'SEQUENCE:0'],
          `ATTENDEE;PARTSTAT=${answer}:mailto:${from ?? guest}`,
        ],
        from,
        answer,
      )
    const replies = async () => (await meeting(id)).replies
    await reply('ACCEPTED', '20261123T080000Z')
    const known = await eventually(replies, (all) => all.length === 1, 30_000)
    deepEqual(known, [{ address: guest, answer: 'accepted' }])
    await reply('DECLINED', '20261123T080100Z', `kim.roth-${id}@private.example`.toLowerCase())
    const changed = await eventually(replies, (all) => all[0].answer === 'declined', 30_000)
    deepEqual(changed, [{ address: guest, answer: 'declined', unverified: true }])
    const { notifications } = (await call('GET', '/notifications')).body
    equal(
      notifications.filter(({ kind }: { kind: string }) => kind === 'meeting.replied').length,
      1,
    )
  })

  it('is read, answered and put into the calendar where a client invites, and leaves it when they cancel', async () => {
    const { call, calendar, guest, account, arrived, messages } = await room()
    const uid = `${randomUUID()}@client.example`
    const invite = (method: string, sequence: number, hour: number) =>
      calendar(method, [
        ...[`UID:${uid}`, `SEQUENCE:${sequence}`, 'DTSTAMP:20261123T080000Z'],
        ...[`DTSTART:20261126T${hour}0000Z`, 'DURATION:PT1H', 'SUMMARY:Cold room'],
        ...['LOCATION:Hafen 3', `ORGANIZER;CN=Kim Roth:mailto:${guest}`],
        `ATTENDEE;RSVP=TRUE:mailto:${account}`,
      ])
    await invite('REQUEST', 0, 14)
    const [message] = await eventually(messages, (all) => all.length === 1, 30_000)
    match(
      message.text,
      /^Cold room\nThursday, 26 November 2026, 15:00–16:00 \(Europe\/Berlin\)\nHafen 3/,
    )
    equal(message.automated, false)
    const invitation = {
      title: 'Cold room',
      startsAt: '2026-11-26T14:00:00.000Z',
      endsAt: '2026-11-26T15:00:00.000Z',
      organizer: guest,
      location: 'Hafen 3',
      state: 'open',
    }
    deepEqual(message.invitation, invitation)

    const path = `/messages/${message.id}/invitation`
    const key = randomUUID()
    const said = { answer: 'accepted', comment: 'See you there, Kim; with plans.' }
    const answered = await call('POST', path, said, { key })
    equal(answered.status, 200, answered.text)
    equal(answered.body.invitation.state, 'accepted')
    equal((await call('POST', path, said, { key })).text, answered.text)
    const [mail] = await arrived(1)
    ok(mail)
    const { method, event, text } = await opened(mail)
    deepEqual([method, event.uid], ['REPLY', uid])
    match(text.replace(/\r?\n /g, ''), /ATTENDEE;[^\r\n]*PARTSTAT=ACCEPTED/)
    match(text, /^COMMENT:See you there\\, Kim\\; with plans\.\r?$/m)
    match(mail.raw, /^Subject: Accepted: Cold room/m)
    const titles = async () =>
      (await call('GET', '/calendar')).body.meetings.map(
        ({ title, start, own }: { title: string; start: string; own: boolean }) =>
          `${title} ${start} ${own}`,
      )
    deepEqual(await titles(), ['Cold room 15:00 false'])

    await invite('REQUEST', 1, 15)
    const [newer] = await eventually(
      messages,
      (all) => all[0].invitation?.startsAt === '2026-11-26T15:00:00.000Z',
      30_000,
    )
    deepEqual(await titles(), ['Cold room 16:00 false'])
    equal(newer.invitation.state, 'open')
    equal((await call('POST', path, { answer: 'declined' })).body.state, 'replaced')
    await invite('CANCEL', 2, 15)
    await eventually(titles, (all) => all.length === 0, 30_000)
    const last = await call('POST', `/messages/${newer.id}/invitation`, { answer: 'accepted' })
    deepEqual([last.status, last.body.state], [409, 'cancelled'])
    equal((await call('POST', `/messages/msg_none/invitation`, { answer: 'accepted' })).status, 404)
  })
})
