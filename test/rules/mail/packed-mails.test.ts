import { deepEqual, equal } from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import { readMail } from '../../../rules/mail/read.ts'
import { markConversation } from '../../../rules/mail/wishes/marks.ts'
import {
  keptRtf,
  lettersInRtf,
  oids,
  sealed,
  uuencoded,
  winmailOf,
} from '../../support/packed-mail.ts'

// Mails whose words and files lie in something else.

const at = new Date('2026-11-23T09:00:00Z')
const wish = 'Please take me off your list.'
const mail = (...lines: string[]) =>
  Buffer.from(
    ['From: Kim <kim@client.example>', 'Subject: Re: Cold room', ...lines].join('\r\n'),
    'latin1',
  )
const inBase64 = (type: string, content: Buffer) =>
  mail(
    ...[`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ''],
    content.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  )
const pkcs7 = (kind: string, content: Buffer) =>
  inBase64(`application/pkcs7-mime; smime-type=${kind}; name=smime.p7m`, content)
const winmail = (rtf: string, isCompressed = true) =>
  inBase64(
    'application/ms-tnef; name=winmail.dat',
    winmailOf(lettersInRtf(keptRtf(rtf, isCompressed))),
  )

const entity = `Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe. ${wish}\r\n`
const asBytes = Buffer.from(entity, 'latin1')
const said = `Grüße. ${wish}`
const compressed = sealed(oids.compressed, deflateSync(asBytes))
const within = (kind: string, content: Buffer) =>
  `Content-Type: application/pkcs7-mime; smime-type=${kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`

const fonts =
  '{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f1\\fnil\\fcharset204 Arial CYR;}{\\f2\\fcharset128 MS Gothic;}}'
const start = `{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}{\\colortbl;\\red0\\green0\\blue0;}{\\*\\generator Riched20;}\\uc1\\pard\\f0 `

describe('the text of a mail that is packed', () => {
  const rows: [what: string, raw: Buffer, text: string][] = [
    ['with S/MIME that compresses', pkcs7('compressed-data', compressed), said],
    [
      'with S/MIME that compresses what is signed',
      pkcs7(
        'compressed-data',
        sealed(oids.compressed, deflateSync(within('signed-data', sealed(oids.signed, asBytes)))),
      ),
      said,
    ],
    [
      'with S/MIME that signs what is compressed, under a type that is lost',
      inBase64(
        'application/octet-stream; name=smime.p7m',
        sealed(oids.signed, within('compressed-data', compressed)),
      ),
      said,
    ],
    ['in a winmail.dat in RTF', winmail(`${start}Gr\\'fc\\'dfe. ${wish}\\par\n}`), said],
    [
      'in RTF that is not compressed',
      winmail(`${start}Gr\\'fc\\'dfe. ${wish}\\par\n}`, false),
      said,
    ],
    [
      'in RTF with characters by number, of other fonts, and with what is not shown',
      winmail(
        `${start}{\\info{\\author Kim}}Gr\\u252\\'fc\\u223?e \\f1\\'cf\\'f0\\f2\\'82\\'b1{\\f0\\~\\{x\\}}\\f0\\line {\\field{\\*\\fldinst HYPERLINK "https://x.example"}{\\fldrslt here}}{\\v hidden}{\\pict\\pngblip 89504e47}\\par}`,
      ),
      'Grüße Прこ\u00a0{x}\nhere',
    ],
    [
      'in HTML within RTF',
      winmail(
        `{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Gr\\'fc\\'dfe {\\*\\htmltag84 &lt;}\\htmlrtf <\\htmlrtf0 3{\\*\\htmltag116 <br>}\\htmlrtf \\line\\htmlrtf0 ${wish}{\\*\\htmltag72 </p>}\\htmlrtf }\\htmlrtf0 }`,
      ),
      `Grüße <3\n${wish}`,
    ],
    [
      'in RTF alone',
      mail('Content-Type: text/rtf', '', `${start}Gr\\'fc\\'dfe. ${wish}\\par}`),
      said,
    ],
  ]
  for (const [what, raw, text] of rows)
    it(`is read from one ${what}`, async () =>
      equal((await readMail(raw, at)).text.replaceAll('\r\n', '\n'), text))

  it('is kept as it came where more is compressed than a mail may have', async () => {
    const bomb = deflateSync(Buffer.alloc(41 * 1024 * 1024))
    const { text, files } = await readMail(
      pkcs7('compressed-data', sealed(oids.compressed, bomb)),
      at,
    )
    deepEqual([text, files.map(({ name }) => name)], ['', ['smime.p7m']])
  })
})

describe('files among the lines of a text', () => {
  const content = Buffer.from(Array.from({ length: 200 }, (_, n) => (n * 7) % 256))
  const zeros = Buffer.concat([Buffer.from('%PDF'), Buffer.alloc(100)])
  const base64 = content.toString('base64').match(/.{1,60}/g) ?? []

  const rows: [what: string, lines: string[], file: Buffer][] = [
    ['as programs write them', uuencoded('offer.pdf', content), content],
    ['with blanks that are lost', uuencoded('offer.pdf', zeros, ' '), zeros],
    ['in base64', ['begin-base64 644 offer.pdf', ...base64, '===='], content],
    ['of four digits', ['begin 0644 offer.pdf', ...uuencoded('', content).slice(1)], content],
  ]
  for (const [what, lines, file] of rows)
    it(`are files and no text: ${what}`, async () => {
      for (const type of ['text/plain', 'text/plain; format=flowed']) {
        const raw = mail(`Content-Type: ${type}`, '', wish, '', ...lines, '', 'Kim', '')
        const { text, files } = await readMail(raw, at)
        equal(text.replaceAll(/\s+/g, ' '), `${wish} Kim`)
        deepEqual(
          files.map(({ name, content }) => [name, content]),
          [['offer.pdf', file]],
        )
        equal(markConversation(text, 'Re: Cold room').intent, 'unsubscribe')
      }
    })

  it('are as many as there are, and have the names that they were given', async () => {
    const lines = [...uuencoded('Gr\xfc\xdfe.doc', content), ...uuencoded('a b.txt', zeros)]
    const { text, files } = await readMail(mail('', 'Both:', ...lines), at)
    deepEqual([text, files.map(({ name }) => name)], ['Both:', ['Grüße.doc', 'a b.txt']])
  })

  it('are files of their own where the encoding of a part is named so', async () => {
    const { text, files } = await readMail(
      mail(
        ...['Content-Type: multipart/mixed; boundary=b', '', '--b', '', wish, '--b'],
        ...['Content-Type: application/pdf; name=x.pdf', 'Content-Transfer-Encoding: x-uuencode'],
        ...['', ...uuencoded('offer.pdf', content), '--b', 'Content-Type: application/msword'],
        ...['Content-Transfer-Encoding: x-uue', '', ...uuencoded('b.doc', zeros), '--b--', ''],
      ),
      at,
    )
    equal(text, wish)
    deepEqual(
      files.map(({ name, type, content }) => [name, type, content.length]),
      [
        ['x.pdf', 'application/pdf', content.length],
        ['b.doc', 'application/msword', zeros.length],
      ],
    )
  })

  it('are none where the lines only look like one', async () => {
    const texts = [
      'begin 644 the work\r\nThen we go on.\r\nend',
      'begin 10 minutes early',
      `> ${uuencoded('offer.pdf', content).join('\r\n> ')}`,
      `begin 644 a\r\nM123\r\nend it here`,
    ]
    for (const text of texts) {
      const read = await readMail(mail('', text), at)
      deepEqual([read.text, read.files], [text.replaceAll('\r\n', '\n'), []])
    }
  })
})
