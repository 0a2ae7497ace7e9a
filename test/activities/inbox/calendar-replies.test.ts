import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'

const at = new Date('2026-11-23T09:00:00Z')

/** An answer to an invitation, as Exchange sends it. */
const answer = (comment: string, { head = [] as string[], body = '' } = {}) =>
  [
    'From: Kim Roth <kim@client.example>',
    'To: ana@us.example',
    'Subject: Accepted: Demo',
    ...head,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '--b',
    'Content-Type: text/calendar; charset=utf-8; method=REPLY',
    '',
    ...['BEGIN:VCALENDAR', 'METHOD:REPLY', 'VERSION:2.0', 'BEGIN:VEVENT'],
    'ATTENDEE;PARTSTAT=ACCEPTED;CN=Kim Roth:mailto:kim@client.example',
    ...(comment === '' ? [] : [`COMMENT;LANGUAGE=en-GB:${comment}`]),
    ...['UID:met_1@postroom', 'DTSTAMP:20261123T080000Z', 'DTSTART:20261125T090000Z'],
    ...['END:VEVENT', 'END:VCALENDAR', '--b--', ''],
  ].join('\r\n')

describe('who wrote an answer to an invitation', () => {
  const note = 'Can do\\, but later.'
  const details = '\\nWhen: Monday\\nWhere: Here\\n\\n*~*~*~*~*~*~*\\n\\nThe agenda'
  for (const [what, raw, automated, text] of [
    ['a program, if it holds nothing else', answer(''), true, ''],
    ['a program, if its comment is empty', answer('\\n'), true, ''],
    ['a program, if only the invitation follows', answer('*~*~*~*~*\\nThe agenda'), true, ''],
    ['a person, if it has a comment', answer(note, { body: 'Can do.' }), false, 'Can do.'],
    ['a person, if all of it is in the comment', answer(note), false, 'Can do, but later.'],
    ['a person, above the invitation', answer(`Yes!${details}`, { body: 'Yes!' }), false, 'Yes!'],
    [
      'a program, if it says so, as meeting rooms do',
      answer('Your request was accepted.', { head: ['Auto-Submitted: auto-generated'] }),
      true,
      'Your request was accepted.',
    ],
  ] as const)
    it(what, async () => {
      const mail = await readMail(Buffer.from(raw), at)
      deepEqual([mail.automated, mail.text, mail.report], [automated, text, null])
      deepEqual(
        mail.calendarReplies.map(({ address, answer: said }) => [address, said]),
        [['kim@client.example', 'accepted']],
      )
    })
})
