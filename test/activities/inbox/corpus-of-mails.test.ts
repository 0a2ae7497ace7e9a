import { deepEqual, ok } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'
import { markConversation } from '../../../rules/marks.ts'
import { answered, programs } from '../../support/programs-of-mail.ts'

// Mails as the programs of people write them, each in several ways: under right and wrong labels, flowed, signed and sent on. The
// words of the writer are read in all, a wish in them is seen, and one in what they quote is not.

const at = new Date('2026-11-23T09:00:00Z')

type Way = (text: string) => { fields: string[]; body: Buffer }

const typed = (label: string) => [`Content-Type: text/plain; charset=${label}`]
const crlf = (text: string) => text.replaceAll('\n', '\r\n')
const utf8 = (text: string) => Buffer.from(crlf(text))
const quotedPrintable = (text: string) =>
  Buffer.from(
    [...utf8(text)]
      .map((byte) =>
        byte > 126 || byte === 61
          ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join(''),
  )
const base64 = (text: string) =>
  Buffer.from(
    (
      utf8(text)
        .toString('base64')
        .match(/.{1,76}/g) ?? []
    ).join('\r\n'),
  )
const html = (text: string) =>
  `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</p>`
const utf7 = (text: string) =>
  crlf(text)
    .replaceAll('+', '+-')
    .replaceAll(
      /[^\0-\x7f]+/g,
      (run) => `+${Buffer.from(run, 'utf16le').swap16().toString('base64').replaceAll('=', '')}-`,
    )
const flowed = (text: string) =>
  text
    .split('\n')
    .map((line) =>
      /^(?:>|-- |$)/.test(line) || line.endsWith(':') ? line : line.replace(/^(.{12,}?) /, '$1 \n'),
    )
    .join('\n')

const transfer = (encoding: string) => `Content-Transfer-Encoding: ${encoding}`
const mixed = (...parts: Buffer[]) => ({
  fields: ['Content-Type: multipart/mixed; boundary=b'],
  body: Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from('\r\n--b\r\n'), part]),
    Buffer.from('\r\n--b--\r\n'),
  ]),
})
const whole = ({ fields, body }: ReturnType<Way>) =>
  Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n\r\n`), body])

const plainUtf8: Way = (text) => ({ fields: typed('utf-8'), body: utf8(text) })
const ways: Record<string, Way> = {
  'in UTF-8': plainUtf8,
  'in quoted-printable': (text) => ({
    fields: [...typed('utf-8'), transfer('quoted-printable')],
    body: quotedPrintable(text),
  }),
  'in base64': (text) => ({ fields: [...typed('utf-8'), transfer('base64')], body: base64(text) }),
  'in base64 with a footer': (text) => ({
    fields: [...typed('utf-8'), transfer('base64')],
    body: Buffer.concat([
      base64(text),
      Buffer.from('\r\n____________________\r\nOur list: https://l.example/\r\n'),
    ]),
  }),
  'under us-ascii': (text) => ({ fields: typed('us-ascii'), body: utf8(text) }),
  'under iso-8859-1': (text) => ({ fields: typed('iso-8859-1'), body: utf8(text) }),
  'under windows-1251': (text) => ({ fields: typed('windows-1251'), body: utf8(text) }),
  'under gb2312': (text) => ({ fields: typed('gb2312'), body: utf8(text) }),
  'under a label of nobody': (text) => ({ fields: typed('x-none'), body: utf8(text) }),
  'without a label': (text) => ({ fields: [], body: utf8(text) }),
  'of a type that is none': (text) => ({ fields: ['Content-Type: text'], body: utf8(text) }),
  'in UTF-7': (text) => ({ fields: typed('utf-7'), body: Buffer.from(utf7(text)) }),
  'in UTF-16': (text) => ({
    fields: [...typed('utf-16'), transfer('base64')],
    body: Buffer.from(Buffer.from(`\ufeff${crlf(text)}`, 'utf16le').toString('base64')),
  }),
  flowed: (text) => ({
    fields: ['Content-Type: text/plain; charset=utf-8; format=flowed'],
    body: utf8(flowed(text)),
  }),
  'as HTML alone': (text) => ({
    fields: ['Content-Type: text/html; charset=utf-8'],
    body: utf8(html(text)),
  }),
  'behind a placeholder': (text) => ({
    fields: ['Content-Type: multipart/alternative; boundary=a'],
    body: Buffer.from(
      `--a\r\nContent-Type: text/plain\r\n\r\nThis is an HTML message.\r\n--a\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html(text)}\r\n--a--\r\n`,
    ),
  }),
  signed: (text) =>
    mixed(
      whole(plainUtf8(text)),
      Buffer.from('Content-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nx'),
    ),
}

// The wish of the one is not that of the other.
const wishes = [
  'Please take me off your list.',
  'Bitte keine Werbung mehr!',
  'Arrêtez, ne m’écrivez plus.',
  'Proszę mnie wypisać.',
]
const others = [
  'Thank you, that suits us.',
  'Danke, das passt für uns.',
  'Merci, c’est très bien.',
  'Dziękuję, świetnie.',
]

describe('mails of many programs', function () {
  this.timeout(120_000)

  for (const [way, written] of Object.entries(ways))
    it(`are understood ${way}`, async () => {
      const wrong: string[] = []
      for (const [n, program] of programs.entries())
        for (const isWish of [true, false]) {
          const own = (isWish ? wishes : others)[n % 4] as string
          const quoted = `${isWish ? 'We have a cold room for you.' : wishes[(n + 1) % 4]}\nAna`
          const raw = whole(written(answered(program, own, quoted)))
          const mail = Buffer.concat([
            Buffer.from('From: Kim <kim@client.example>\r\nSubject: Re: Cold room\r\n'),
            raw,
          ])
          const { text } = await readMail(mail, at)
          const intent = markConversation(text, 'Re: Cold room').intent
          const isRead = text.replaceAll(/\s+/g, ' ').includes(own)
          if (!isRead || (intent === 'unsubscribe') !== isWish)
            wrong.push(
              `${program.name}: ${own} ${isRead ? intent : `not in ${JSON.stringify(text)}`}`,
            )
        }
      deepEqual(wrong, [])
    })

  it('are six hundred and more', () => {
    ok(programs.length * Object.keys(ways).length >= 600)
  })
})
