import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type Mail from 'nodemailer/lib/mailer'
import { type GivenLetter, givenLetter, mailRoom, refused } from '../../support/given-letter.ts'
import * as reports from '../../support/reports.ts'
import { changesOf, membersOf, wholeDatabase } from '../../support/whole-database.ts'

// Mail of strangers who pretend to be somebody else. Every row of the database is compared, so that nothing is overlooked that
// such a mail could change.

// Where the processes note how far they have read and that they are alive, and where the bytes of every mail count.
const moving = ['mailbox_readers', 'mailboxes', 'workers', 'stored_bytes']

describe('forged mail', function () {
  this.timeout(120_000)
  const room = mailRoom({ alone: true })

  const stranger = () => `mallory-${randomUUID()}@evil.example`
  const guessed = () => ({ messageId: `<tch_${randomUUID()}@us.example>` })

  /** What it changes, each change once: the table, and which of its members if the row was there before. */
  async function changedBy(given: GivenLetter, mail: Mail.Options) {
    const before = await wholeDatabase(given.db, moving)
    const shown = await given.bring(mail)
    const after = await wholeDatabase(given.db, moving)
    const changes = changesOf(before, after)
    const told = changes.map((change) =>
      change.is === 'changed'
        ? `${change.table}: ${membersOf(change).join(', ')}`
        : `${change.is} ${change.table}`,
    )
    return { shown, changes, told: [...new Set(told)].toSorted() }
  }

  const meetingOf = async (given: GivenLetter) => {
    const guest = `kim-${randomUUID()}@client.example`
    const booked = await given.call('POST', '/calendar/meetings', {
      ...{ title: 'Demo', day: '2026-11-25', start: '10:00', minutes: 30, guests: [guest] },
    })
    equal(booked.status, 200, booked.text)
    return { guest, id: booked.body.id as string }
  }

  // The message, in a conversation of its own with a card of its sender.
  const begun = 'new conversations,new events,new messages,new people,new search_words'.split(',')
  const joined = [
    ...['conversations: updated_at, last_message_at', 'new events', 'new messages'],
    'new search_words',
  ]

  it('that is a bounce of a letter nobody sent is stored, and nothing else', async () => {
    const given = await givenLetter(room)
    const recipient = `x-${randomUUID()}@client.example`
    const { told, shown } = await changedBy(
      given,
      reports.bounce({ to: given.to, recipient, letter: guessed(), status: '5.1.1' }),
    )
    deepEqual(told, [...begun, 'new addresses', 'new files'].toSorted())
    equal(shown.report?.['proven'], false)
  })

  it('that is a bounce of a person holds their letters and tells the owner, as promised', async () => {
    const given = await givenLetter(room)
    const { told, changes } = await changedBy(
      given,
      reports.bounce({
        ...{ to: given.to, recipient: given.email, letter: guessed(), status: '5.1.1' },
      }),
    )
    deepEqual(
      told,
      [
        ...joined,
        ...['new files', 'new notifications', 'touches: due_at, reason, held_from'],
        'people: held_why, doubted_at, held_until, updated_at, doubt_told_at',
      ].toSorted(),
    )
    deepEqual(
      changes.flatMap(({ table, row }) => (table === 'notifications' ? [row['kind']] : [])),
      ['bounce.unclear'],
    )
  })

  it('that asks to unsubscribe somebody else is stored, and nothing else', async () => {
    const given = await givenLetter(room)
    const from = stranger()
    const { told, changes } = await changedBy(given, {
      from: `Kim <${from}>`,
      to: given.to,
      subject: 'Unsubscribe',
      text: `Unsubscribe ${given.email}. Remove me from your list.`,
      inReplyTo: guessed().messageId,
    })
    deepEqual(told, [...begun, 'new addresses', 'new notifications', 'new suppressions'].toSorted())
    // They have asked for themselves.
    deepEqual(
      changes.flatMap(({ table, row }) => (table === 'suppressions' ? [row['address']] : [])),
      [from],
    )
  })

  it('that asks to unsubscribe in the name of a person is stored as suspect, and nothing else', async () => {
    const given = await givenLetter(room)
    const { told, shown, changes } = await changedBy(given, {
      from: given.email,
      to: given.to,
      subject: 'Unsubscribe',
      text: 'Please unsubscribe me.',
      inReplyTo: given.letter.messageId as string,
      ...refused,
    })
    equal(shown.suspect, true)
    // What is suspect is not searched.
    const unseen = joined.filter((one) => one !== 'new search_words')
    deepEqual(told, [...unseen, 'new notifications'].toSorted())
    deepEqual(
      changes.flatMap(({ table, row }) => (table === 'notifications' ? [row['kind']] : [])),
      ['message.suspect'],
    )
  })

  it('that answers an invitation for a guest is stored, and the answer as an unverified one', async () => {
    const given = await givenLetter(room)
    const { guest, id } = await meetingOf(given)
    const { told } = await changedBy(given, {
      from: stranger(),
      to: given.to,
      subject: 'Declined: Demo',
      text: 'Declined',
      icalEvent: {
        method: 'REPLY',
        content: [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REPLY', 'BEGIN:VEVENT'],
          ...[`UID:${id}@postroom`, 'DTSTAMP:20261123T080000Z', 'DTSTART:20261125T090000Z'],
          ...[`ATTENDEE;PARTSTAT=DECLINED:mailto:${guest}`, 'END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      },
    })
    deepEqual(
      told,
      [...begun, 'meetings: replies', 'new addresses', 'new files', 'new notifications'].toSorted(),
    )
  })
})
