import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { unreadable } from '../../../rules/mail/received.ts'
import { largeMail, oddMails } from '../../support/odd-mails.ts'
import { rowsIn } from '../../support/tsv.ts'

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

  it('has one sign for the end of a line, whatever stands within the encoding', async () => {
    const lines = (text: string) => Buffer.from(text).toString('base64')
    const [carried, escaped] = ['base64', 'quoted-printable'].map(
      (one) => `Content-Transfer-Encoding: ${one}`,
    )
    const plain = 'Content-Type: text/plain; charset=utf-8'
    const bodies: string[][] = [
      [plain, '', 'One', 'Two'],
      ['Content-Type: text/plain; charset=us-ascii', '', 'One', 'Two'],
      [plain, carried ?? '', '', lines('One\r\nTwo\r\n')],
      [plain, carried ?? '', '', lines('One\nTwo\n')],
      [plain, carried ?? '', '', lines('One\rTwo\r')],
      [plain, escaped ?? '', '', 'One', 'T=77o'],
      [plain, escaped ?? '', '', 'One=0D=0ATwo'],
      [`${plain}; format=flowed`, '', 'One', 'Two'],
      ['Content-Type: text/html', carried ?? '', '', lines('One<br>\r\nTwo')],
    ]
    const read = bodies.map((body) => readMail(mail('From: a@b.example', ...body), at))
    deepEqual(
      (await Promise.all(read)).map(({ text }) => text),
      bodies.map(() => 'One\nTwo'),
    )
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

  describe('its sender', () => {
    const vera = 'vera@client.test'
    const evil = 'evil@evil.example'
    const from = async (...lines: string[]) => {
      const read = await readMail(mail(...lines, 'Subject: x', '', 'Please unsubscribe me'), at)
      return { ...read.from, suspect: read.suspect }
    }

    const tableOf = (name: string) => new URL(name, import.meta.url)
    for (const row of rowsIn(tableOf('senders.tsv'), 'address', 'name', 'fields'))
      it(`believes ${JSON.stringify(row.fields)}`, async () => {
        const { address, name, suspect } = await from(row.fields)
        deepEqual([address, name || '-', suspect], [row.address, row.name, false])
      })

    for (const { fields } of rowsIn(tableOf('forged-senders.tsv'), 'fields'))
      it(`does not believe ${JSON.stringify(fields)}`, async () => {
        equal((await from(fields)).suspect, true)
      })

    for (const local of ['\u200bvera', 've\u00adra', '\u202avera', 'vera\u2060'])
      it(`is the same with an invisible character: ${JSON.stringify(local)}`, async () => {
        const { address, suspect } = await from(`From: "Vera" <${local}@client.test>`)
        deepEqual([address, suspect], [vera, false])
      })

    // A server looks for the rules of the domain as it was written.
    for (const shown of [
      'vera@cli\u200bent.test',
      'vera@ｃlient.test',
      'vera＠client.test',
      'vera@client。test',
    ])
      it(`is shown, and not believed, where its domain is read as another: ${JSON.stringify(shown)}`, async () => {
        const { address, suspect } = await from(`From: Vera <${shown}>`)
        deepEqual([address, suspect], [vera, true])
      })

    it('does not believe an address behind ten thousand letters', async () => {
      equal((await from(`From: ${'x '.repeat(5_000)}<${vera}>`)).suspect, true)
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
})
