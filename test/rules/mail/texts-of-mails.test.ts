import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { markConversation } from '../../../rules/mail/wishes/marks.ts'
import { attribute, oids, sealed, winmailOf } from '../../support/packed-mail.ts'

const at = new Date('2026-11-23T09:00:00Z')
const mail = (...lines: string[]) =>
  Buffer.from(['From: Kim <kim@client.example>', ...lines].join('\r\n'), 'latin1')
const bytes = (text: string) => Buffer.from(text).toString('latin1')
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const part = (type: string, ...rest: string[]) => ['--b', `Content-Type: ${type}`, ...rest]
const several = (kind: string, ...parts: string[][]) =>
  mail(`Content-Type: multipart/${kind}; boundary=b`, '', ...parts.flat(), '--b--', '')
const wish = 'Please take me off your list.'

const winmail = winmailOf(
  attribute(1, 0x2800c, Buffer.from(`${wish}\0`)),
  attribute(2, 0x69002, Buffer.alloc(14)),
  attribute(2, 0x18010, Buffer.from('offer.pdf\0')),
  attribute(2, 0x6800f, Buffer.from('%PDF-1.4 offer')),
)

describe('the text of a mail', function () {
  this.timeout(20_000)

  const rows: [what: string, raw: Buffer, text: string | RegExp][] = [
    [
      'whose quotation flows up to the words of its writer',
      mail('Content-Type: text/plain; format=flowed', '', '> May I show you ', '> our CRM? ', wish),
      `> May I show you our CRM? \n${wish}`,
    ],
    [
      'in UTF-8 that is said to be us-ascii',
      mail('Content-Type: text/plain; charset=us-ascii', '', bytes('Grüße')),
      'Grüße',
    ],
    [
      'in quoted-printable under a wrong label',
      mail(
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        ...['', 'Gr=FC=DFe aus K=F6ln'],
      ),
      'Grüße aus Köln',
    ],
    ['in UTF-7', mail('Content-Type: text/plain; charset=utf-7', '', 'Gr+APwA3w-e'), 'Grüße'],
    [
      'in base64 with the footer of a list behind it',
      mail(
        'Content-Transfer-Encoding: base64',
        ...['', base64(wish), '', '_______________', 'List mailing list', 'https://l.example/u'],
      ),
      `${wish}\n\n_______________\nList mailing list\nhttps://l.example/u`,
    ],
    [
      'in base64 that ends early',
      mail('Content-Transfer-Encoding: base64', '', base64('Hello there').slice(0, -3)),
      'Hello the',
    ],
    [
      'that is said to be in base64 and is not',
      mail('Content-Transfer-Encoding: base64', '', wish),
      wish,
    ],
    ['of a type that is none', mail('Content-Type: text', '', wish), wish],
    ['of a type of nobody', mail('Content-Type: text/x-unheard-of', '', wish), wish],
    ['in Markdown', mail('Content-Type: text/markdown; charset=utf-8', '', wish), wish],
    ['in enriched text', mail('Content-Type: text/enriched', '', `<bold>${wish}</bold>`), wish],
    [
      'whose plain part only says that there is HTML',
      several(
        'alternative',
        part('text/plain', '', 'Your e-mail program shows no HTML.'),
        part('text/html', '', `<p>${wish}</p>`),
      ),
      wish,
    ],
    [
      'whose plain part is blank, with a footer of a list behind it',
      mail(
        ...['Content-Type: multipart/mixed; boundary=a', '', '--a'],
        ...['Content-Type: multipart/alternative; boundary=b', ''],
        ...part('text/plain', '', ' '),
        ...part('text/html', '', `<p>${wish}</p>`),
        ...['--b--', '--a', '', 'Footer', '--a--'],
      ),
      `${wish}\nFooter`,
    ],
    [
      'that is signed with S/MIME in one piece',
      mail(
        'Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
        '',
        base64(sealed(oids.signed, `Content-Type: text/plain\r\n\r\n${wish}\r\n`)),
      ),
      wish,
    ],
    [
      'that is encrypted with S/MIME',
      mail(
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
        ...['', base64(sealed(oids.enveloped, 'x'))],
      ),
      /^This message is encrypted \(S\/MIME\)/,
    ],
    [
      'that is encrypted with PGP/MIME',
      several(
        'encrypted; protocol="application/pgp-encrypted"',
        part('application/pgp-encrypted', '', 'Version: 1'),
        part('application/octet-stream; name=encrypted.asc', '', '-----BEGIN PGP MESSAGE-----'),
      ),
      /^This message is encrypted \(PGP\/MIME\)/,
    ],
    [
      'that is signed with PGP within its lines',
      mail(
        ...['', '-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', '', wish],
        ...['-----BEGIN PGP SIGNATURE-----', '', 'iQ', '-----END PGP SIGNATURE-----'],
      ),
      wish,
    ],
    [
      'that lies in a winmail.dat',
      several(
        'mixed',
        part(
          'application/ms-tnef; name=winmail.dat',
          'Content-Transfer-Encoding: base64',
          '',
          base64(winmail),
        ),
      ),
      wish,
    ],
  ]
  for (const [what, raw, text] of rows)
    it(`is read from one ${what}`, async () => {
      const read = (await readMail(raw, at)).text.replaceAll('\r\n', '\n')
      if (typeof text === 'string') equal(read, text)
      else match(read, text)
    })

  it('shows heads in bytes and in words under wrong labels as they were meant', async () => {
    const read = async (...lines: string[]) => {
      const { from, subject } = await readMail(
        Buffer.from([...lines, '', 'x'].join('\r\n'), 'latin1'),
        at,
      )
      return [from.name, subject]
    }
    const address = '<kim@client.example>'
    deepEqual(await read(`From: J\xfcrgen M\xfcller ${address}`, 'Subject: Gr\xfc\xdfe'), [
      'Jürgen Müller',
      'Grüße',
    ])
    deepEqual(
      await read(
        `From: =?us-ascii?Q?J=C3=BCrgen?= ${address}`,
        'Subject: =?utf-8?Q?Gr=FC=DFe?= =?unknown-8bit?B?w7w=?=',
      ),
      ['Jürgen', 'Grüßeü'],
    )
    deepEqual(await read(`From: ${bytes('Jürgen')} ${address}`, `Subject: ${bytes('Grüße')}`), [
      'Jürgen',
      'Grüße',
    ])
  })

  it('leaves files as files, with their names', async () => {
    const forwarded = ['Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=', '', wish]
    const { text, files } = await readMail(
      several(
        'mixed',
        part('text/plain', '', 'Hello'),
        part(
          'text/plain; name=notes.txt',
          'Content-Disposition: inline; filename=notes.txt',
          '',
          wish,
        ),
        part('message/rfc822', '', ...forwarded),
        part('application/ms-tnef', 'Content-Transfer-Encoding: base64', '', base64(winmail)),
        part(
          'application/octet-stream',
          'Content-Disposition: attachment; filename="=?utf-8?Q?a=F0=9F=98?="\r\n "=?utf-8?Q?=81.docx?="',
          ...['', 'x'],
        ),
      ),
      at,
    )
    equal(text, 'Hello')
    deepEqual(
      files.map(({ name }) => name),
      ['notes.txt', 'Grüße.eml', 'offer.pdf', 'a😁.docx'],
    )
  })

  it('says that more than a hundred files are in the mail as it came, and loses none', async () => {
    const raw = several(
      'mixed',
      part('text/plain', '', 'STOP'),
      ...Array.from({ length: 150 }, (_, n) => part(`image/png; name=${n}.png`, '', 'x')),
    )
    const { text, files } = await readMail(raw, at)
    match(text, /^STOP\n\n-- \nThis message has 150 files/)
    deepEqual([files.length, files.at(-1)?.content.length], [100, raw.length])
    equal(markConversation(text, 'Re: Hello').intent, 'unsubscribe')
  })

  it('is understood with invisible characters in it', () => {
    const text = 'Please un\u00adsub\u00adscribe\u200b me.'
    ok(markConversation(text, 'Re: Hello').intent === 'unsubscribe')
  })
})
