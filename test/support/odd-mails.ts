import { filesOf, mailIn } from './mails.ts'

// Malformed mail, and mail that is odd but valid: what a mailbox must accept without losing any. Those of a few lines are files in
// test/mails/odd; here are those of every charset in every encoding, and those that are large.

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n')
const head = (name: string | number, more = '') =>
  `From: Odd ${name} <odd${name}@client.example>\nTo: us@us.example\nSubject: Odd ${name}\nMessage-ID: <odd-${name}@client.example>\n${more}`

/** At least 200, each with a Message-ID of its own. */
export const oddMails = (): Buffer[] => [
  ...charsets
    .flatMap((charset) => encodings.map((encoding) => `${type(charset)}${cte(encoding)}`))
    .map((fields, n) => mailOf(`${head(n, `MIME-Version: 1.0\n${fields}`)}\n${bytes}\n`)),
  ...filesOf('odd').map((file) => mailIn('odd', file)),
  ...Object.entries(large).map(([name, content]) =>
    typeof content === 'string'
      ? mailOf(`${head(`-${name}`)}${content}`)
      : Buffer.concat([Buffer.from(crlf(`${head(`-${name}`)}\n`)), content]),
  ),
]

/** One of `megabytes`, most of it an attachment. */
export function largeMail(megabytes: number): Buffer {
  const start = head(9_999, 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n')
  const file = `--b\nContent-Type: application/zip; name=big.zip\nContent-Transfer-Encoding: base64\n\n`
  return Buffer.concat([
    Buffer.from(crlf(`${start}\n--b\n\nSee the file.\n${file}`)),
    Buffer.from(`${'QUJD'.repeat(19)}\r\n`.repeat((megabytes * 1024 * 1024) / 78)),
    Buffer.from('--b--\r\n'),
  ])
}

/** Latin-1 carries raw bytes. */
const mailOf = (text: string) => Buffer.from(crlf(text), 'latin1')
const type = (charset: string) => `Content-Type: text/plain; charset=${charset}\n`
const cte = (encoding: string) => (encoding ? `Content-Transfer-Encoding: ${encoding}\n` : '')
const charsets = [
  ...['utf-8', 'UTF8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'koi8-r', 'shift_jis', 'gb18030'],
  ...['iso-2022-jp', 'utf-16', 'utf-7', 'unknown-8bit', 'x-nonsense', '"', '""', '  '],
  'latin-1; x=y',
]
const encodings = [
  ...['', '7bit', '8bit', 'binary', 'quoted-printable', 'base64', 'x-uuencode', 'BASE-64'],
]
const bytes = 'caf\xe9 =E9=ZZ= \xff\xfe\x80 Y2Fmw6k= ===\x1b$B'

const html = (text: string) => `MIME-Version: 1.0\nContent-Type: text/html\n\n${text}`

/** What follows the first fields of each: more fields, and the body. */
const large: Record<string, string | Buffer> = {
  name: `MIME-Version: 1.0\nContent-Type: application/x; name="${'n'.repeat(5_000)}"\n\nx\n`,
  line: `\n${'x'.repeat(200_000)}\n`,
  lines: `\n${'\n'.repeat(50_000)}`,
  references: `References: ${'<r@x.example> '.repeat(3_000)}\n\nWords.\n`,
  received: `${'Received: from\n'.repeat(300)}\nWords.\n`,
  deep: html(`${'<div>'.repeat(20_000)}deep`),
  crossed: html(`${'<b><i>'.repeat(2_000)}crossed${'</b></i>'.repeat(2_000)}`),
  words: html(`<p>${'word '.repeat(200_000)}</p>`),
  flood: `${Array.from({ length: 5_000 }, (_, i) => `X-Flood-${i}: ${i}\n`).join('')}\nA flood of headers.\n`,
  header: `X-Long: ${'a'.repeat(900_000)}\n\nA header as long as a book.\n`,
  nested: nested(40),
  'nested-deep': nested(400),
  parts: `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: application/x\n\nx\n'.repeat(3_000)}--b--\n`,
  nul: Buffer.alloc(70_000, 0),
  noise: noise(50_000),
}

function nested(depth: number): string {
  let body = 'Content-Type: text/plain\n\nAt the bottom.\n'
  for (let i = 0; i < depth; i++)
    body = `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n${body}\n--b${i}--\n`
  return `MIME-Version: 1.0\n${body}`
}

// Always the same, so that a failing test fails again.
function noise(length: number): Buffer {
  let state = 42
  return Buffer.from(
    Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state >> 16
    }),
  )
}
