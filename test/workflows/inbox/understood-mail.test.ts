import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  type GivenLetter,
  givenLetter,
  mailRoom,
  nothingIsStopped,
} from '../../support/given-letter.ts'
import { eventually } from '../../support/service.ts'

// Who wrote a mail, and what follows: people, programs for them, and mail servers.

describe('mail that answers a letter', function () {
  this.timeout(90_000)
  const room = mailRoom()

  const raw = (given: GivenLetter, path: string, head: string[], body: string) => ({
    envelope: { from: path, to: given.to },
    raw: [
      ...head,
      `To: ${given.to}`,
      `Message-ID: <${randomUUID()}@client.example>`,
      'Date: Mon, 23 Nov 2026 10:00:00 +0000',
      '',
      body,
    ].join('\r\n'),
  })

  it('ends the letters whatever headers a ticket system or a group address adds', async () => {
    const ways = [
      ['List-Id: Office <office.client.example>', 'Precedence: list'],
      ['X-Auto-Response-Suppress: All', 'Precedence: bulk'],
    ]
    for (const head of ways) {
      const given = await givenLetter(room)
      const { email, letter } = given
      const lines = [
        `From: Kim <${email}>`,
        'Subject: Absence of budget this year',
        `In-Reply-To: ${letter.messageId}`,
        ...head,
      ]
      const shown = await given.bring(raw(given, email, lines, 'Not this year, thank you.'))
      deepEqual([shown.automated, shown.report], [false, null])
      deepEqual(await given.states(), ['sent', 'failed replied'])
    }
  })

  it('is a person in doubt, and a member is asked to look', async () => {
    const given = await givenLetter(room)
    const { email, letter } = given
    // Its system has dropped the reference to our letter.
    const lines = [`From: Kim <${email}>`, `Subject: Re: ${letter.subject}`, 'Precedence: bulk']
    const shown = await given.bring(raw(given, email, lines, 'Please call me.'))
    equal(shown.automated, false)
    deepEqual(await given.states(), ['sent', 'failed replied'])
    deepEqual(
      [await given.notified('reply.unclear'), await given.notified('message.received')],
      [1, 0],
    )
  })

  it('is no answer when it comes to a list that the account is on', async () => {
    const given = await givenLetter(room)
    const { email } = given
    const lines = [
      `From: Kim <${email}>`,
      'Subject: Our news',
      'List-Id: News <news.client.example>',
    ]
    const shown = await given.bring(raw(given, email, lines, 'We have moved.'))
    equal(shown.automated, true)
    await nothingIsStopped(given)
  })

  it('suppresses the address when a server says in its own words that nobody has it', async () => {
    const given = await givenLetter(room)
    const { email, letter } = given
    const lines = [
      'From: MAILER-DAEMON@relay.example',
      'Subject: Unzustellbar',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
    ]
    const body = [
      `Ihre Nachricht konnte nicht zugestellt werden:`,
      `${email}: Empf=E4nger unbekannt`,
      '',
      '--- Original message',
      'Received: from mail.us.example',
      `Message-ID:`,
      `\t${letter.messageId}`,
    ].join('\r\n')
    const shown = await given.bring(raw(given, '', lines, body))
    deepEqual(
      [
        shown.report?.['kind'],
        shown.report?.['code'],
        shown.report?.['permanent'],
        shown.report?.['proven'],
      ],
      ['bounce', '5.1.1', true, true],
    )
    await eventually(given.states, (states) => states[1] === 'failed bounced', 10_000)
    deepEqual(
      (await given.suppressed()).map(({ address, reason }) => [address, reason]),
      [[email, 'bounce']],
    )
  })

  it('counts for each recipient of a report by what is said about that one', async () => {
    const given = await givenLetter(room)
    const { email, letter } = given
    const lines = [
      'From: MAILER-DAEMON@relay.example',
      'Subject: Undelivered Mail Returned to Sender',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    ]
    const body = [
      ...[
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; relay.example',
        '',
      ],
      ...['Final-Recipient: rfc822; gone@client.example', 'Action: failed', 'Status: 5.1.1', ''],
      ...[`Final-Recipient: rfc822; ${email}`, 'Action: failed', 'Status: 5.2.2', ''],
      ...[
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${letter.messageId}`,
        '--b--',
      ],
    ].join('\r\n')
    const shown = await given.bring(raw(given, '', lines, body))
    deepEqual([shown.report?.['code'], shown.report?.['permanent']], ['5.2.2', false])
    deepEqual(await given.suppressed(), [])
    // None follows a letter that has come back.
    deepEqual(await given.states(), ['failed bounced', 'failed bounced'])
  })

  const unreadable: [string, (given: GivenLetter) => string[]][] = [
    [
      'a server that only refers to it',
      ({ letter }) => [
        'From: MAILER-DAEMON@relay.example',
        'Subject: Note',
        `References: ${letter.messageId}`,
      ],
    ],
    ['its recipient, without a sender', ({ email }) => [`From: Kim <${email}>`, 'Subject: Note']],
  ]
  for (const [what, head] of unreadable)
    it(`holds the letters and asks when nobody can say what it reports: ${what}`, async () => {
      const given = await givenLetter(room)
      const shown = await given.bring(
        raw(given, '', [...head(given), 'Return-Path: <>'], 'Code 7 from host.'),
      )
      deepEqual(
        [shown.automated, shown.report?.['kind'], shown.report?.['code']],
        [true, 'bounce', null],
      )
      await nothingIsStopped(given, 'queued held')
      equal(await given.notified('bounce.unclear'), 1)
    })
})
