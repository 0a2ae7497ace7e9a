import { deepEqual, equal, match, ok } from 'node:assert/strict'
import PostalMime from 'postal-mime'
import {
  composeLetter,
  type Letter,
  type LetterFile,
  wholeMail,
} from '../../../activities/ports/mail/compose.ts'

const fileOf = (name: string, content: Buffer | string, more: Partial<LetterFile> = {}) => {
  const bytes = Buffer.from(content)
  return {
    ...{ name, type: 'application/octet-stream', size: bytes.length, cid: null },
    // Pieces of an odd size, which do not end where lines of Base64 do.
    async *read() {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
    },
    ...more,
  }
}

const letterOf = (more: Partial<Letter> = {}): Letter => ({
  from: { name: 'Ana Ruiz', address: 'ana@us.example' },
  to: 'leo@client.example',
  toName: 'Leo',
  subject: 'Offer',
  text: 'Hello',
  messageId: '<msg_1@us.example>',
  inReplyTo: null,
  references: [],
  automated: false,
  date: new Date('2026-11-23T09:00:00.000Z'),
  ...more,
})

async function composed(more: Partial<Letter> = {}) {
  const mail = await composeLetter(letterOf(more))
  const raw = await wholeMail(mail)
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n', 1)
  return { mail, raw, head, read: await PostalMime.parse(raw) }
}

const longestLine = (raw: Buffer) =>
  Math.max(
    ...raw
      .toString('latin1')
      .split('\r\n')
      .map(({ length }) => length),
  )

const japanese = '見積書'
const image = Buffer.from('89504e470d0a1a0a', 'hex')

const whole: Partial<Letter> = {
  html: '<p>Hello <img src="cid:logo.png"><img src="cid:図 1.png"></p>',
  cc: ['cc@client.example'],
  bcc: ['secret@client.example'],
  files: [
    fileOf('logo.png', image, { type: 'image/png', cid: 'logo.png' }),
    fileOf('図 1.png', image, { type: 'image/png', cid: '図 1.png' }),
    fileOf(`${japanese.repeat(65)}.pdf`, 'a'.repeat(5000), { type: 'application/pdf' }),
    fileOf(`${'long name '.repeat(19)}end.pdf`, 'b', { type: 'application/pdf' }),
    fileOf('mail.eml', 'Subject: x\n\nHëllo\n', { type: 'message/rfc822' }),
  ],
}

describe('the mail of a letter', () => {
  it('has text, HTML, inline images and attachments, in the usual nesting', async () => {
    const { read, raw, mail } = await composed(whole)
    equal(read.text?.trim(), 'Hello')
    ok(read.html?.includes('cid:logo.png'))
    const [logo, other, ...attached] = read.attachments
    equal(logo?.contentId, '<logo.png>')
    ok(read.html?.includes(`cid:${other?.contentId?.slice(1, -1)}`))
    match(other?.contentId ?? '', /^<[0-9a-f]{24}>$/)
    deepEqual(
      read.attachments.map(({ filename, disposition, content }) => [
        filename,
        disposition,
        (content as ArrayBuffer).byteLength,
      ]),
      (whole.files ?? []).map(({ name, cid, size }) => [name, cid ? 'inline' : 'attachment', size]),
    )
    equal(attached[2]?.mimeType, 'application/octet-stream')
    const kinds = [...raw.toString().matchAll(/^Content-Type: (multipart\/\w+)/gm)].map(
      ([, kind]) => kind,
    )
    deepEqual(kinds, ['multipart/mixed', 'multipart/alternative', 'multipart/related'])
    ok(Math.abs(mail.size - raw.length) < 1000, `${mail.size} and ${raw.length}`)
  })

  it('encodes what looks like an encoded word, so that it is read as it was written', async () => {
    for (const subject of [
      '=?utf-8?Q?a=0D=0AX-Evil:_1?=',
      'Offer =?utf-8?B?YQ0KQmNjOiBhQGIuZXhhbXBsZQ==?= for you',
      'Is 1 =? 2',
    ]) {
      const { head, read } = await composed({ subject })
      equal(read.subject, subject)
      match(head, /^Subject: =\?UTF-8\?/m)
    }
    const name = '=?utf-8?Q?Ana=0D=0AX-Evil:_1?='
    const from = { name, address: 'ana@us.example' }
    const { head, read } = await composed({ from, toName: name })
    ok(!head.includes('=?utf-8?Q?Ana'), head)
    equal(read.from?.name, name.replaceAll('=?', '= ?'))
  })

  it('says of a file what its type says, whose parameters too', async () => {
    const types = [
      'text/plain; charset=utf-8',
      'text/calendar; charset=utf-8; method=REQUEST',
      'Text/CSV;charset="utf-8"; header=present',
      'text/plain; name=other.exe; filename=other.exe; boundary=b; x=ü; y="a\r\nBcc: b@c.example"',
    ]
    const files = types.map((type) => fileOf('a.txt', 'ü', { type }))
    const { raw, read } = await composed({ files })
    const heads = raw
      .toString()
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .match(/^Content-Type: .*name=.*$/gm)
    deepEqual(heads, [
      'Content-Type: text/plain; charset=utf-8; name=a.txt',
      'Content-Type: text/calendar; charset=utf-8; method=REQUEST; name=a.txt',
      'Content-Type: text/csv; charset=utf-8; header=present; name=a.txt',
      'Content-Type: text/plain; name=a.txt',
    ])
    deepEqual(
      read.attachments.map(({ filename }) => filename),
      types.map(() => 'a.txt'),
    )
  })

  it('is the same byte for byte each time, whatever the pieces in which files are read', async () => {
    const first = await composed(whole)
    const files = whole.files?.map((file) => ({
      ...file,
      async *read() {
        for await (const piece of file.read()) for (const byte of piece) yield Buffer.from([byte])
      },
    }))
    ok(first.raw.equals((await composed({ ...whole, files })).raw))
    ok(first.raw.equals(await wholeMail(first.mail)))
    ok(!first.raw.equals((await composed({ ...whole, messageId: '<msg_2@us.example>' })).raw))
  })

  it('names Cc and never Bcc, and goes to each address once', async () => {
    const { head, raw, mail } = await composed({
      cc: ['cc@client.example', 'LEO@client.example', 'cc@client.example'],
      bcc: ['secret@client.example', 'cc@client.example'],
    })
    match(head, /^Cc: .*cc@client\.example/m)
    ok(!raw.toString().includes('secret'))
    deepEqual(
      mail.envelope.others.map(({ mailbox }) => mailbox),
      ['cc@client.example', 'secret@client.example'],
    )
  })

  it('has no line over 998 octets and no header that somebody else wrote', async () => {
    const evil = 'x\r\nBcc: evil@client.example\r\n\r\nBody\u0000\u2028'
    const { head, raw, read } = await composed({
      from: { name: evil + 'n'.repeat(2000), address: 'ana@us.example' },
      toName: evil,
      subject: `${evil}${'s'.repeat(3000)}`,
      text: `${'t'.repeat(5000)}\r\n.\r\nnext\rbare\n.dot`,
      html: `<p>${'h'.repeat(5000)}</p>`,
      cc: ['a\r\nX-Evil: 1@client.example'],
      inReplyTo: `<${'i'.repeat(2000)}@client.example>`,
      references: [
        `<${'i'.repeat(2000)}@client.example>`,
        '<ünicode@client.example>',
        '<a@b.example>',
      ],
      files: [fileOf(`${evil}${'f'.repeat(2000)}.pdf`, 'x', { type: 'text/plain\r\nX-Evil: 1' })],
    })
    ok(longestLine(raw) <= 998, String(longestLine(raw)))
    ok(!/^(Bcc|X-Evil)/im.test(head))
    ok(!/^X-Evil/im.test(raw.toString()))
    ok(!/[^\r]\n|\r[^\n]/.test(raw.toString('latin1')))
    match(read.subject ?? '', /^x Bcc: evil@client\.example Body s{3000}$/)
    ok(!('in-reply-to' in Object.fromEntries(read.headers.map(({ key }) => [key, true]))))
    match(head, /^References: <a@b\.example>\r$/m)
    ok((read.attachments[0]?.filename ?? '').endsWith('.pdf'))
  })

  it('writes subjects and names beyond ASCII as encoded words, and international domains in ASCII', async () => {
    const { head, read, mail } = await composed({
      from: { name: 'Ána "Ru", iz', address: 'ana@us.example' },
      to: 'leo@bücher.example',
      cc: ['大山@client.example'],
      subject: `${japanese} `.repeat(60),
    })
    ok(/^[\x20-\x7e\r\n\t]*$/.test(head.replace(/^Cc: .*$/m, '')))
    equal(read.subject?.trim(), `${japanese} `.repeat(60).trim())
    equal(read.from?.name, 'Ána "Ru", iz')
    equal(mail.envelope.to.mailbox, 'leo@xn--bcher-kva.example')
    deepEqual(mail.envelope.others, [
      { given: '大山@client.example', mailbox: '大山@client.example' },
    ])
  })

  it('answers the message that was chosen', async () => {
    const { head } = await composed({
      inReplyTo: '<b@client.example>',
      references: ['<a@us.example>', '<b@client.example>'],
    })
    match(head, /^In-Reply-To: <b@client\.example>\r$/m)
    match(head, /^References: <a@us\.example> <b@client\.example>\r$/m)
  })
})
