import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail, unreadable } from '../../activities/inbox/read-mail.ts'
import { largeMail, oddMails } from '../support/odd-mails.ts'

const at = new Date('2026-11-23T09:00:00Z')
const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

describe('reading a mail', function () {
  this.timeout(60_000)

  it('makes something to keep of every odd mail, the same each time', async () => {
    const mails = oddMails()
    ok(mails.length >= 200, `${mails.length} mails`)
    const ids = new Set<string>()
    for (const raw of mails) {
      const read = await readMail(raw, at)
      ok(/^<.+>$/.test(read.messageId), read.messageId)
      for (const text of [read.subject, read.text, read.from.name, read.from.address])
        ok(text.isWellFormed() && !text.includes('\0'))
      equal((await readMail(raw, at)).messageId, read.messageId)
      ids.add(read.messageId)
    }
    equal(ids.size, mails.length)
  })

  it('reads 25 MB with its file', async () => {
    const { text, files } = await readMail(largeMail(25), at)
    equal(text, 'See the file.')
    ok((files[0]?.content.length ?? 0) > 18 * 1024 * 1024)
  })

  it('knows a mail without Message-ID again, whatever servers add to it', async () => {
    const said = ['From: a@b.example', 'Date: Mon, 23 Nov 2026 10:00:00 +0000', '', 'Hello']
    const [one, other] = await Promise.all(
      ['Received: by a', 'Received: by b'].map((added) => readMail(mail(added, ...said), at)),
    )
    equal(one?.messageId, other?.messageId)
  })

  const away: [string, string | null][] = [
    ['I am out of office until 5 December 2026. Call +49 30 1234567.', '2026-12-05'],
    ['Ich bin vom 23.11.2026 bis 27.11.2026 im Urlaub.', '2026-11-27'],
    ["Je suis absent jusqu'au 3 décembre.", '2026-12-03'],
    ['Estaré fuera de la oficina hasta el 30 de noviembre', '2026-11-30'],
    ['I am on leave. In urgent cases write to my colleague.', null],
  ]
  for (const [text, until] of away)
    it(`reads ${until ?? 'no day'} from "${text}"`, async () => {
      const raw = mail('From: a@b.example', 'Auto-Submitted: auto-replied', '', text)
      deepEqual((await readMail(raw, at)).autoReply, { outOfOffice: true, until })
    })

  it('takes what a person wrote about a holiday for what it is', async () => {
    const raw = mail(
      'From: a@b.example',
      'Subject: Re: Hello',
      '',
      'I am on vacation, call me later',
    )
    const { automated, autoReply } = await readMail(raw, at)
    deepEqual([automated, autoReply], [false, null])
  })

  it('knows a bounce that is no report by its sender, its words and its code', async () => {
    const raw = mail(
      ...['Return-Path: <>', 'From: MAILER-DAEMON@mx.example', 'Subject: failure notice', ''],
      ...[
        'Hi. This is the qmail-send program.',
        '<nobody@client.example>:',
        '550 5.1.1 no mailbox',
      ],
      ...['', '--- Below this line is a copy of the message.', '', 'Message-ID: <ours@us.example>'],
    )
    deepEqual((await readMail(raw, at)).report, {
      kind: 'bounce',
      permanent: true,
      code: '5.1.1',
      recipients: ['nobody@client.example'],
      refersTo: ['<ours@us.example>'],
    })
  })

  it('reads of a report for several recipients the one that failed, by each of its names', async () => {
    const raw = mail(
      ...['From: MAILER-DAEMON@mx.example', 'Subject: Report', 'MIME-Version: 1.0'],
      ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', ''],
      ...['--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example', ''],
      ...['Final-Recipient: rfc822; well@client.example', 'Action: delivered', 'Status: 2.0.0', ''],
      ...['Original-Recipient: rfc822;alias@client.example'],
      ...['Final-Recipient: rfc822; box@inside.example', 'Action: failed', 'Status: 5.1.1', ''],
      ...['--b', 'Content-Type: text/rfc822-headers', '', 'Message-ID: <ours@us.example>', '--b--'],
    )
    deepEqual((await readMail(raw, at)).report, {
      ...{ kind: 'bounce', permanent: true, code: '5.1.1', refersTo: ['<ours@us.example>'] },
      recipients: ['alias@client.example', 'box@inside.example'],
    })
  })

  const results = (...lines: string[]) =>
    readMail(mail(...lines, 'From: a@b.example', '', 'Hello'), at).then(
      ({ authentication }) => authentication,
    )

  it('says what servers have found out about its sender, the topmost first', async () => {
    const read = await results(
      ...['Authentication-Results: mx.us.example 1; spf=pass (a; dmarc=pass) smtp.mailfrom=x;'],
      ...['\tdmarc=FAIL (p=none; "x") header.from=b.example', 'Received: from x by y'],
      ...['Authentication-Results: relay.example; dkim=pass', 'Authentication-Results: dmarc=none'],
      ...['Authentication-Results: other.example; dmarc=pass'],
    )
    deepEqual(read, [
      { id: 'mx.us.example', dmarc: 'fail' },
      { id: '', dmarc: 'none' },
      { id: 'other.example', dmarc: 'pass' },
    ])
  })

  it('finds a refusal behind an address that was made to hide it', async () => {
    for (const hiding of ['(', '"', '"a\\"', '((x)'])
      deepEqual(
        await results(
          `Authentication-Results: mx.us.example; spf=fail smtp.mailfrom=${hiding}@x; dmarc=fail`,
        ),
        [{ id: 'mx.us.example', dmarc: 'fail' }],
        hiding,
      )
  })

  it('says so too of a mail that cannot be parsed', () => {
    const raw = mail(
      'Subject: x',
      'Authentication-Results: mx.us.example;',
      '\tdmarc=fail',
      '',
      'x',
    )
    deepEqual(unreadable(raw).authentication, [{ id: 'mx.us.example', dmarc: 'fail' }])
  })

  it('does not take a full mailbox for one that is gone', async () => {
    const raw = mail(
      ...['From: postmaster@mx.example', 'Subject: Undeliverable: Hello', ''],
      ...['<full@client.example>: 552 5.2.2 mailbox full'],
    )
    const { report } = await readMail(raw, at)
    deepEqual([report?.kind, report?.permanent], ['bounce', false])
  })
})
