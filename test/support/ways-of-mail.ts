import { deflateSync } from 'node:zlib'
import { keptRtf, lettersInRtf, oids, sealed, uuencoded, winmailOf } from './packed-mail.ts'

// How programs put a text into a mail: sets of characters, encodings and parts.

/** The fields that say what the body is, and the body. */
type Way = (text: string) => { fields: string[]; body: Buffer }

export const typed = (label: string) => [`Content-Type: text/plain; charset=${label}`]
export const crlf = (text: string) => text.replaceAll('\n', '\r\n')
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
export const whole = ({ fields, body }: ReturnType<Way>) =>
  Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n\r\n`), body])

export const plainUtf8: Way = (text) => ({ fields: typed('utf-8'), body: utf8(text) })
const packed = (type: string, content: Buffer) => ({
  fields: [`Content-Type: ${type}`, transfer('base64')],
  body: Buffer.from(content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')),
})
const rtf = (text: string) =>
  `{\\rtf1\\ansi\\ansicpg1252\\uc1 ${text
    .replaceAll(/[\\{}]/g, '\\$&')
    .replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0)}?`)
    .replaceAll('\n', '\\par\n')}}`

export const ways: Record<string, Way> = {
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
  'signed in one piece': (text) =>
    packed(
      'application/pkcs7-mime; smime-type=signed-data',
      sealed(oids.signed, whole(plainUtf8(text))),
    ),
  compressed: (text) =>
    packed(
      'application/pkcs7-mime; smime-type=compressed-data',
      sealed(oids.compressed, deflateSync(whole(plainUtf8(text)))),
    ),
  'in RTF of a winmail.dat': (text) =>
    packed(
      'application/ms-tnef; name=winmail.dat',
      winmailOf(lettersInRtf(keptRtf(rtf(text), true))),
    ),
  'above a file among its lines': (text) =>
    plainUtf8(`${text}\n\n${uuencoded('offer.pdf', Buffer.from('%PDF-1.4 offer')).join('\n')}\n`),
  'beside a mail that is sent on': (text) =>
    mixed(
      whole(plainUtf8(text)),
      Buffer.from(
        'Content-Type: message/rfc822\r\n\r\nSubject: Old\r\n\r\nPlease take me off your list.\r\n',
      ),
    ),
}

// The wish of the one is not that of the other.
export const wishes = [
  'Please take me off your list.',
  'Bitte keine Werbung mehr!',
  'Arrêtez, ne m’écrivez plus.',
  'Proszę mnie wypisać.',
]
export const others = [
  'Thank you, that suits us.',
  'Danke, das passt für uns.',
  'Merci, c’est très bien.',
  'Dziękuję, świetnie.',
]
