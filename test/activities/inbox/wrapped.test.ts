import { deepEqual, equal } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'

const at = new Date('2026-11-23T09:30:00Z')

/** A mail as SpamAssassin wraps it. */
const wrapped = (head: string[], inner: string[], flag = 'X-Spam-Flag: YES') =>
  wrappedAs(
    [
      'Content-Type: message/rfc822; x-spam-type=original',
      'Content-Description: original message before SpamAssassin',
    ],
    [
      'Spam detection software, running on the system "mx.us.example", has identified this',
      'incoming email as possible spam.',
    ],
    [...head, flag],
    inner,
  )

const wrappedAs = (part: string[], said: string[], head: string[], inner: string[]) =>
  readMail(
    Buffer.from(
      [
        'Received: from localhost by mx.us.example with SpamAssassin (version 4.0.1)',
        ...head,
        'Content-Type: multipart/mixed; boundary="=_71"',
        '',
        '--=_71',
        'Content-Type: text/plain; charset=us-ascii',
        '',
        ...said,
        '',
        '--=_71',
        ...part,
        'Content-Disposition: attachment',
        '',
        ...inner,
        '--=_71--',
      ].join('\r\n'),
    ),
    at,
  )

const ours = 'Message-ID: <ours@us.example>'

describe('a mail that a filter for spam has wrapped', () => {
  it('is the bounce that it was', async () => {
    const from = 'From: MAILER-DAEMON@relay.example'
    const { report, automated } = await wrapped(
      [from, 'Subject: *****SPAM***** failure notice'],
      [
        ...['Return-Path: <>', from, 'Subject: failure notice', ''],
        ...['<kim@client.example>: 550 5.1.1 No such user', ''],
        ...['--- Below this line is a copy of the message.', '', ours],
      ],
    )
    deepEqual(
      [automated, report?.kind, report?.code, report?.recipients, report?.refersTo],
      [true, 'bounce', '5.1.1', ['kim@client.example'], ['<ours@us.example>']],
    )
  })

  it('is the complaint that it was', async () => {
    const from = 'From: fbl@provider.example'
    const { report } = await wrapped(
      [from, 'Subject: *****SPAM***** Abuse report'],
      [
        ...[from, 'Subject: Abuse report'],
        ...['Content-Type: multipart/report; report-type=feedback-report; boundary=b', ''],
        ...['--b', 'Content-Type: message/feedback-report', ''],
        ...['Feedback-Type: abuse', 'Version: 1', 'Original-Rcpt-To: kim@client.example', ''],
        ...['--b', 'Content-Type: message/rfc822', '', ours, '', 'text', '--b--'],
      ],
    )
    deepEqual(
      [report?.kind, report?.recipients, report?.refersTo],
      ['complaint', ['kim@client.example'], ['<ours@us.example>']],
    )
  })

  it('is the answer of a program that it was', async () => {
    const from = 'From: Kim <kim@client.example>'
    const { automated, autoReply } = await wrapped(
      [from, 'Subject: *****SPAM***** Re: A cold room'],
      [from, 'Subject: Re: A cold room', 'Auto-Submitted: auto-replied', '', 'I am on leave.'],
    )
    deepEqual([automated, autoReply?.outOfOffice], [true, true])
  })

  const from = 'From: Kim <kim@client.example>'
  const outer = [from, 'Subject: *****SPAM***** Re: A cold room', 'Message-ID: <71@client.example>']
  const inner = [
    ...[from, 'Subject: Re: A cold room', 'Message-ID: <71@client.example>'],
    ...['In-Reply-To: <ours@us.example>', 'Authentication-Results: mx.us.example; dmarc=pass'],
    ...['', 'Yes, call us.'],
  ]

  it("stays a person's answer, with its own words and the letter that it answers", async () => {
    const mail = await wrapped([...outer, 'Authentication-Results: mx.us.example; spf=none'], inner)
    const { automated, report, subject, text, references, messageId, files } = mail
    deepEqual([automated, report, files], [false, null, []])
    deepEqual(
      [subject, text, messageId],
      ['Re: A cold room', 'Yes, call us.', '<71@client.example>'],
    )
    deepEqual(references, ['<ours@us.example>'])
    // The one inside was written by the sender.
    deepEqual(mail.authentication, [{ id: 'mx.us.example', dmarc: null }])
  })

  const others: [string, string[], string?][] = [
    ['somebody else sends it on', ['From: Bo <bo@client.example>', 'Subject: A mail of Kim']],
    ['no filter took it for spam', outer, 'X-Spam-Flag: NO'],
    ['it is another mail', [from, 'Subject: Hello', 'Message-ID: <72@client.example>']],
  ]
  for (const [why, head, flag] of others)
    it(`is a file where ${why}`, async () => {
      const { files, text } = await wrapped(head, inner, flag)
      equal(files.length, 1)
      equal(text.startsWith('Spam detection software'), true)
    })

  it('has its own Return-Path alone, and none that it was written with', async () => {
    const { automated } = await wrapped(outer, ['Return-Path: <>', ...inner])
    equal(automated, false)
  })

  it('may have the mark in one field alone', async () => {
    const said = ['Spam detection software, running on the system "mx.us.example",']
    for (const part of [
      'Content-Type: text/plain;\r\n x-spam-type=original',
      'Content-Type: message/rfc822\r\nContent-Description: original message before SpamAssassin',
    ]) {
      const { files, text } = await wrappedAs([part], said, [...outer, 'X-Spam-Flag: YES'], inner)
      deepEqual([files.length, text], [0, 'Yes, call us.'], part)
    }
  })

  const forged = [from, 'Subject: Re: A cold room', '', 'x-spam-type=original', 'Stop writing.']
  const marked = 'Content-Type: message/rfc822; x-spam-type=original'
  const software = 'Spam detection software, running on the system "mx.us.example", has'
  const own = [from, 'Subject: Fw: A cold room', 'X-Spam-Status: Yes, score=7']
  const withId = [...own, 'Message-ID: <73@client.example>']
  const forwards: [string, string, string, string[]][] = [
    ['has the mark in its text', 'Content-Type: message/rfc822', software, own],
    [
      'has the mark in its name',
      'Content-Type: message/rfc822; name="a; x-spam-type=original"',
      ...([software, own] as [string, string[]]),
    ],
    ['is sent on with words of somebody', marked, 'This was not by me:', own],
    ['has no Message-ID, unlike the mail that it is in', marked, software, withId],
    ['is of another day', marked, software, [...own, 'Date: Mon, 23 Nov 2026 09:00:00 +0000']],
    ['went to somebody else', marked, software, [...own, 'To: ana@us.example']],
  ]
  for (const [what, part, said, head] of forwards)
    it(`is a file where a mail in the name of its sender ${what}`, async () => {
      const { files, text } = await wrappedAs([part], [said], head, forged)
      deepEqual([files.length, text], [1, said])
    })
})
