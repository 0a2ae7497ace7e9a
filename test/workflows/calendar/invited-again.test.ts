import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { meetingRoom } from '../../support/meeting-room.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// Calendar programs send the new version of an invitation, and its cancellation, as mails that refer to no other, under a subject of
// its own: "Updated: …", or what the meeting is called now.

describe('an invitation that comes again', function () {
  this.timeout(180_000)
  let service: TestService
  let mailboxes: TestMailboxes
  let sink: MailSink
  before(async function () {
    mailboxes = await testMailboxes(this)
    sink = await testMail()
    service = await startService()
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only: ['rows', 'mail'] })
  })
  after(() => service?.close())

  async function invited() {
    const room = await meetingRoom({ service, mailboxes, sink })
    const { calendar, guest, account, messages, call } = room
    const uid = `${randomUUID()}@client.example`
    const write = (method: string, sequence: number, subject: string, from = guest) =>
      calendar(
        method,
        [
          ...[`UID:${uid}`, `SEQUENCE:${sequence}`, `DTSTAMP:20261123T08000${sequence}Z`],
          ...[`DTSTART:2026112${5 + sequence}T140000Z`, 'DURATION:PT1H', `SUMMARY:${subject}`],
          ...[`ORGANIZER:mailto:${guest}`, `ATTENDEE;RSVP=TRUE:mailto:${account}`],
        ],
        from,
        '',
        subject,
      )
    await write('REQUEST', 0, 'Cold room')
    const arrived = (n: number) => eventually(messages, (all) => all.length === n, 60_000)
    await arrived(1)
    const conversations = async () =>
      (await call('GET', '/conversations')).body.conversations as { id: string; subject: string }[]
    return { ...room, write, arrived, conversations }
  }

  it('stays in its conversation as it is moved, renamed and cancelled, by whoever of the house writes', async () => {
    const { write, arrived, conversations, guest } = await invited()
    await write('REQUEST', 1, 'Updated invitation: the old dairy')
    await arrived(2)
    await write('CANCEL', 2, 'Cancelled: the old dairy', guest.replace('kim-', 'office-'))
    const all = await arrived(3)
    const [one, ...others] = await conversations()
    deepEqual([one?.subject, others], ['Cold room', []])
    deepEqual(
      all.map(({ invitation }: { invitation?: { state: string } }) => invitation?.state).toSorted(),
      ['cancelled', 'cancelled', undefined],
    )
  })

  it('opens a conversation of its own where a stranger knows its UID, and where the first was closed as spam', async () => {
    const { write, arrived, conversations, call } = await invited()
    await write('REQUEST', 1, 'The old dairy', `eve-${randomUUID()}@elsewhere.example`)
    await arrived(2)
    const [, first] = await conversations()
    equal((await conversations()).length, 2)
    equal(first?.subject, 'Cold room')
    const closed = { closed: true, reason: 'spam' }
    const { status, text } = await call('PATCH', `/conversations/${first?.id}`, closed)
    equal(status, 200, text)
    await write('REQUEST', 2, 'The new dairy')
    await arrived(3)
    equal((await conversations()).length, 3)
  })
})
