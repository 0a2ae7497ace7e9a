import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { unreadable } from '../../../activities/inbox/received-mail.ts'
import { largeMail, oddMails } from '../../support/odd-mails.ts'

const at = new Date('2026-11-23T09:00:00Z')
const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

describe('reading a mail', function () {
  this.timeout(60_000)

  it('makes something storable of every odd mail, the same each time', async () => {
    const mails = oddMails()
    ok(mails.length >= 200, `${mails.length} mails`)
    const ids = new Set<string>()
    for (const raw of mails) {
      const read = await readMail(raw, at)
      ok(/^<.+>$/.test(read.messageId), read.messageId)
      for (const text of [read.subject, read.text, read.from.name, read.from.address])
        ok(text.isWellFormed() && !text.includes('\0'))
      const { html } = read
      ok(html === null || (html.isWellFormed() && !html.includes('\0')))
      equal((await readMail(raw, at)).messageId, read.messageId)
      ids.add(read.messageId)
    }
    equal(ids.size, mails.length)
  })

  it('reads a mail of 25 MB with its attachment', async () => {
    const { text, files } = await readMail(largeMail(25), at)
    equal(text, 'See the file.')
    ok((files[0]?.content.length ?? 0) > 18 * 1024 * 1024)
  })

  it('keeps the HTML, all recipients, and the names of inline images', async () => {
    const raw = mail(
      ...['From: a@b.example', 'To: One <one@us.example>, Team: two@us.example, three@us.example;'],
      ...['Cc: "Q, R" <four@us.example>', 'Content-Type: multipart/related; boundary=b', ''],
      ...['--b', 'Content-Type: text/html', '', '<p>Hello\0\x07 <img src="cid:logo@b"></p>'],
      ...[
        '--b',
        'Content-Type: image/png; name=logo.png',
        'Content-ID: <logo@b>',
        '',
        'x',
        '--b--',
      ],
    )
    const { text, html, to, cc, bcc, files } = await readMail(raw, at)
    deepEqual([text, html?.trim()], ['Hello', '<p>Hello <img src="cid:logo@b"></p>'])
    deepEqual(to, ['one@us.example', 'two@us.example', 'three@us.example'])
    deepEqual([cc, bcc], [['four@us.example'], []])
    deepEqual(
      files.map(({ name, cid }) => [name, cid]),
      [['logo.png', 'logo@b']],
    )
  })

  it('keeps only the text of a mail whose HTML is longer than a mebibyte', async () => {
    const page = (letters: number) =>
      mail(
        ...['From: a@b.example', 'Content-Type: text/html; charset=utf-8', ''],
        `<p>Hello</p><!--${'ä'.repeat(letters)}-->`,
      )
    const kept = await readMail(page(500_000), at)
    const dropped = await readMail(page(600_000), at)
    deepEqual([kept.html?.length, kept.text], [500_020, 'Hello'])
    deepEqual([dropped.html, dropped.text], [null, 'Hello'])
  })

  it('recognizes a mail without Message-ID, whatever servers add to it', async () => {
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

  const subjects: [string, string, string, boolean][] = [
    ['Korea', '[부재중 응답] 냉장실', '휴가 중입니다.', true],
    ['Sweden', 'Frånvarande: Kylrum', 'Jag har semester till den 6 augusti.', true],
    ['Sweden, of somebody else', 'Frånvarande kollegor', 'Anna svarar i morgon.', false],
  ]
  for (const [where, subject, text, automated] of subjects)
    it(`tells an automatic reply by the subject that programs give it: ${where}`, async () => {
      const raw = mail('From: a@b.example', `Subject: ${subject}`, '', text)
      equal((await readMail(raw, at)).automated, automated)
    })

  it("does not treat a person's own words about a holiday as an automatic reply", async () => {
    const raw = mail(
      'From: a@b.example',
      'Subject: Re: Hello',
      '',
      'I am on vacation, call me later',
    )
    const { automated, autoReply } = await readMail(raw, at)
    deepEqual([automated, autoReply], [false, null])
  })

  it('recognizes a bounce without a report by its sender, its words and its code', async () => {
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

  it('finds the recipient that failed in a report for several, by each of its addresses', async () => {
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
      kind: 'bounce',
      permanent: true,
      code: '5.1.1',
      refersTo: ['<ours@us.example>'],
      recipients: ['alias@client.example', 'box@inside.example'],
    })
  })

  const results = (...lines: string[]) =>
    readMail(mail(...lines, 'From: a@b.example', '', 'Hello'), at).then(
      ({ authentication }) => authentication,
    )

  it("gives the servers' findings about its sender, topmost first", async () => {
    const read = await results(
      ...['Authentication-Results: mx.us.example 1; spf=pass (a; dmarc=pass) smtp.mailfrom=x;'],
      ...['\tdmarc=FAIL (p=none; "x") header.from=b.example', 'Received: from x by y'],
      ...['Authentication-Results: relay.example; dkim=pass', 'Authentication-Results: dmarc=none'],
      ...['Authentication-Results: other.example; dmarc=pass'],
    )
    deepEqual(read, [
      { id: 'mx.us.example', dmarc: 'fail' },
      { id: 'relay.example', dmarc: null },
      { id: '', dmarc: 'none' },
      { id: 'other.example', dmarc: 'pass' },
    ])
  })

  it('finds a dmarc=fail behind an address crafted to hide it', async () => {
    for (const hiding of ['(', '"', '"a\\"', '((x)'])
      deepEqual(
        await results(
          `Authentication-Results: mx.us.example; spf=fail smtp.mailfrom=${hiding}@x; dmarc=fail`,
        ),
        [{ id: 'mx.us.example', dmarc: 'fail' }],
        hiding,
      )
  })

  it('finds a dmarc=fail hidden in a comment or a quotation, or pushed far away', async () => {
    const far = ' dkim=fail header.i=@a.example;'.repeat(1_000)
    for (const hiding of [
      'smtp.mailfrom=a(b@x; dmarc=fail; dkim=fail header.i=@x)y',
      'smtp.mailfrom=a"b@x; dmarc = fail; dkim=fail header.i=@x"y',
      `smtp.mailfrom=x;${far} dmarc=fail`,
      'smtp.mailfrom=x; dmarc/1=fail',
      'smtp.mailfrom=x; dmarc (a) = (b) fail',
    ])
      deepEqual(
        await results(`Authentication-Results: mx.us.example; spf=fail ${hiding}`),
        [{ id: 'mx.us.example', dmarc: 'fail' }],
        hiding.slice(0, 80),
      )
    deepEqual(await results('Authentication-Results: mx.us.example; dmarc=pass (p=fail)'), [
      { id: 'mx.us.example', dmarc: 'pass' },
    ])
  })

  it('ignores a server name that no server can have', async () => {
    for (const id of ['mx\0.example', 'mx\u0001', 'mü.example', 'x'.repeat(256), ''])
      deepEqual(await results(`Authentication-Results: ${id}; dmarc=pass`), [], id)
  })

  describe('its sender', () => {
    const vera = 'vera@client.test'
    const evil = 'evil@evil.example'
    const from = async (...lines: string[]) => {
      const read = await readMail(mail(...lines, 'Subject: x', '', 'Please unsubscribe me'), at)
      return { ...read.from, suspect: read.suspect }
    }

    const honest: [string, string, string][] = [
      [vera, vera, ''],
      [`<${vera}>`, vera, ''],
      [`Vera <${vera}>`, vera, 'Vera'],
      [`${vera} (Vera)`, vera, 'Vera'],
      [`Vera (at ${evil}) <${vera}>`, vera, 'Vera'],
      [`"${vera}" <${vera}>`, vera, ''],
      [`${vera} <${vera}>`, vera, ''],
      [`"${vera} via List" <list@x.example>`, 'list@x.example', `${vera} via List`],
      [`Vera via List <list@x.example>`, 'list@x.example', 'Vera via List'],
      [`"Doe, \\"V\\" <x@y>" <${vera}>`, vera, 'Doe, "V" <x@y>'],
      [`Doe, Vera <${vera}>`, vera, 'Vera'],
      [`=?utf-8?Q?V=C3=A9ra_=40_x?=\r\n\t<${vera}>`, vera, 'Véra @ x'],
      [`=?utf-8?Q?a@b?= <${vera}>`, vera, 'a@b'],
      [`Véra <véra@bücher.example>`, 'véra@bücher.example', 'Véra'],
      [`Sales: Vera <${vera}>;`, vera, 'Vera'],
      [`Vera <${vera}`, vera, 'Vera'],
      [`Vera\r\n <O'Neil+a=b@Client.test>`, "O'Neil+a=b@Client.test", 'Vera'],
    ]
    for (const [value, address, name] of honest)
      it(`believes ${JSON.stringify(value)}`, async () => {
        const read = await from(`From: ${value}`)
        deepEqual([read.address, read.suspect], [address, false])
        if (name) equal(read.name, name)
      })

    const forged: string[][] = [
      [`From: Vera <"<${vera}>"@evil.example>`],
      [`From: "<${vera}>"@evil.example`],
      [`From: "${vera}" <"<${vera}>"@evil.example>`],
      [`From: "${vera}"@evil.example`],
      [`From: Vera <"${vera}"@evil.example>`],
      [`From: "${vera},"@evil.example`],
      [`From: "Vera" <${vera}> <${evil}>`],
      [`From: <${vera}> <${evil}>`],
      [`From: ${vera} <${evil}>`],
      [`From: ${vera} ${evil}`],
      [`From: ${evil} ${vera}`],
      [`From: ${vera}, ${evil}`],
      [`From: ${evil}, ${vera}`],
      [`From: ${vera}, Vera <${vera}>, "x" <${evil}>`],
      [`From: ${vera} .evil.example`],
      [`From: <${vera}>.evil.example`],
      [`From: <${vera}(x).evil.example>`],
      [`From: <@evil.example:${vera}>`],
      [`From: ${evil}@client.test`],
      [`From: "x" @evil.example <${vera}>`],
      [`From: evil @ evil.example <${vera}>`],
      [`From: (a(b) ${evil}) ${vera}`],
      [`From: ${vera} (${evil}`],
      [`From: ${vera} "${evil}`],
      [`From: =?utf-8?Q?<${vera.replace('@', '=40')}>?=`],
      [`From: =?utf-8?B?${Buffer.from(`<${vera}>`).toString('base64')}?=`],
      [`From: ${evil}`, `From: ${vera}`],
      [`From: ${vera}`, `From: ${evil}`],
      [`From: ${vera}`, `FROM : ${vera}`],
      [`From: ${'x '.repeat(5_000)}<${vera}>`],
      [`Sender: ${vera}`],
      ['From: Vera <>', `Sender: ${vera}`],
      ['From: undisclosed:;', `Sender: ${vera}`],
      ['From: Vera', `Sender: ${vera}`],
      ['From:', `Sender: ${vera}`],
      [`From: "${vera}"`],
    ]
    for (const lines of forged)
      it(`does not believe ${JSON.stringify(lines.join(' | '))}`, async () => {
        equal((await from(...lines)).suspect, true)
      })

    it('believes a report with an empty sender for what it proves', async () => {
      const of = (from: string) =>
        readMail(
          mail(
            ...['Return-Path: <>', from, 'Subject: Undelivered Mail', ''],
            ...['<a@b.example>: 550 5.1.1 no mailbox', '', 'Message-ID: <ours@us.example>'],
          ),
          at,
        )
      for (const value of ['<>', 'Mail Delivery System <>', 'MAILER-DAEMON (Mail System)']) {
        const { report, suspect, from } = await of(`From: ${value}`)
        deepEqual([report?.kind, suspect, from.address], ['bounce', false, ''], value)
      }
      equal((await of(`From: ${vera}, ${evil}`)).suspect, true)
    })

    it('trusts no mail that cannot be parsed, and shows the address in its angle brackets', async () => {
      const large = `X-Large: ${'a'.repeat(600_000)}`
      const of = async (...lines: string[]) => {
        const read = await readMail(mail(...lines, large, '', 'Please unsubscribe me'), at)
        ok(read.files.some(({ name }) => name === 'message.eml'))
        return [read.from.address, read.suspect]
      }
      deepEqual(await of(`From: "${vera}" <${evil}>`), [evil, true])
      deepEqual(await of(`From: Vera <${vera}>`), [vera, true])
      deepEqual(await of(`From: ${vera}`), [vera, true])
      deepEqual(await of(`From: "${vera}`), ['', true])
    })

    it('keeps only plain text of a mail that cannot be parsed', () => {
      const raw = mail(
        ...['Authentication-Results: mx\0; dmarc=pass', 'From: a\0@b.example', 'Subject: a\0b'],
        ...['Message-ID: <\0>', 'References: <a\0b@c>', '', 'x'],
      )
      const { authentication, files: _, ...read } = unreadable(raw)
      deepEqual(authentication, [])
      ok(!JSON.stringify(read).includes('\\u0000'))
    })

    it('ignores an id that is too long to be looked up', async () => {
      const long = `<${'語'.repeat(900)}@x.example>`
      const { messageId, references } = await readMail(
        mail(`From: ${vera}`, `Message-ID: ${long}`, `References: ${long} <a@b>`, '', 'x'),
        at,
      )
      ok(Buffer.byteLength(messageId) < 200)
      deepEqual(references, ['<a@b>'])
    })
  })

  it('does not confuse a full mailbox with one that is gone', async () => {
    const raw = mail(
      ...['From: postmaster@mx.example', 'Subject: Undeliverable: Hello', ''],
      ...['<full@client.example>: 552 5.2.2 mailbox full'],
    )
    const { report } = await readMail(raw, at)
    deepEqual([report?.kind, report?.permanent], ['bounce', false])
  })
})
