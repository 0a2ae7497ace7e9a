import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import { isPlainCid } from '../../../rules/letters.ts'
import { cut, plainLine } from '../../../rules/text.ts'

// The mail of a letter (RFC 5322, MIME). The same letter gives the same bytes whenever and wherever it is composed, so that the
// copy in Sent is what went over SMTP.

export type LetterFile = {
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The name by which the HTML refers to it (`cid:NAME`), if it does. */
  cid: string | null
  /** Its bytes, read each time it is called. */
  read(): AsyncIterable<Buffer>
}

export type Letter = {
  from: { name: string; address: string }
  to: string
  /** The recipient's name, if known. */
  toName?: string | undefined
  cc?: string[] | undefined
  /** These get it too, and nothing in the mail says so. */
  bcc?: string[] | undefined
  subject: string
  text: string
  /** The same in HTML, as an alternative to the text. */
  html?: string | undefined
  files?: LetterFile[] | undefined
  messageId: string
  inReplyTo: string | null
  references: string[]
  /** The link for one-click unsubscribing (RFC 8058); campaign letters only. */
  unsubscribeUrl?: string | undefined
  /** No person wrote it at that moment (RFC 3834), so programs with automatic replies leave it alone. */
  automated: boolean
  /** An iTIP message in iCalendar (RFC 6047): beside the text, and as a file. */
  calendar?:
    | { method: 'request' | 'cancel' | 'declinecounter' | 'reply'; content: string }
    | undefined
  date: Date
}

/** A recipient as the caller gave it, and as the server is told of it. */
export type Recipient = { given: string; mailbox: string }

/** Who gets the mail. Without `to`, nobody does; `others` are those of Cc and Bcc. */
export type Envelope = { from: string; to: Recipient; others: Recipient[] }

/** A letter as the mail server gets it. */
export type Mail = {
  envelope: Envelope
  /** What it was composed from, for a server that is played and answers it. */
  letter: Letter
  /** In bytes; with files, what is reckoned of them. */
  size: number
  /** The bytes, from their beginning. Files are read while they are asked for, so that a large letter needs little memory. */
  open(): Readable
}

// A line has at most 998 octets (RFC 5322, 2.1.1). What can be folded is folded at 76; the rest is kept well below the limit.
const longest = { name: 200, fileName: 255, word: 500, messageId: 900 }
// Base64 (RFC 2045, 6.8): 57 bytes make a line of 76 characters and its end.
const lineOf = { bytes: 57, octets: 78 }

export async function composeLetter(letter: Letter): Promise<Mail> {
  const { files = [] } = letter
  const envelope = envelopeOf(letter)
  const bare = await nodeOf(letter, () => Buffer.alloc(0)).build()
  if (files.length === 0)
    return {
      envelope,
      letter,
      size: bare.length,
      open: () => Readable.from([bare], { objectMode: false }),
    }
  const encoded = files.map(({ size }) => Math.ceil(size / lineOf.bytes) * lineOf.octets)
  return {
    envelope,
    letter,
    size: encoded.reduce((sum, size) => sum + size, bare.length),
    open: () =>
      nodeOf(letter, ({ read }) => Readable.from(read(), { objectMode: false })).createReadStream(),
  }
}

/** The whole mail in memory. */
export async function wholeMail({ open }: Mail): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of open()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Whether an address has characters beyond ASCII, which only a server with SMTPUTF8 (RFC 6531) can be told. */
export const isWide = (address: string): boolean => /[^\0-\x7f]/.test(mailboxOf(address))

/** The address as SMTP takes it: an odd local part in quotes, and an international domain in its ASCII form. */
function mailboxOf(address: string): string {
  const { to } = new MimeNode('text/plain')
    .setEnvelope({ to: [{ name: '', address: plainLine(address) }] })
    .getEnvelope()
  return to[0] ?? ''
}

function envelopeOf({ from, to, cc = [], bcc = [] }: Letter): Envelope {
  const recipient = { given: to, mailbox: mailboxOf(to) }
  const seen = new Set([recipient.mailbox.toLowerCase()])
  const others = [...cc, ...bcc]
    .map((given) => ({ given, mailbox: mailboxOf(given) }))
    .filter(({ mailbox }) => !seen.has(mailbox.toLowerCase()) && seen.add(mailbox.toLowerCase()))
  return { from: mailboxOf(from.address), to: recipient, others }
}

function nodeOf(letter: Letter, contentOf: (file: LetterFile) => Buffer | Readable) {
  const { html, attachments } = partsOf(letter, contentOf)
  const references = letter.references.filter(isNameable)
  const subject = plainLine(letter.subject)
  const composer = new MailComposer({
    from: named(letter.from.name, letter.from.address),
    to: named(letter.toName ?? '', letter.to),
    ...(letter.cc?.length && { cc: letter.cc.map((address) => named('', address)) }),
    subject,
    text: lined(letter.text),
    ...(html !== undefined && { html: lined(html) }),
    attachments,
    date: letter.date,
    ...(letter.calendar && { icalEvent: { ...letter.calendar, filename: 'invite.ics' } }),
    messageId: letter.messageId,
    ...(letter.inReplyTo && isNameable(letter.inReplyTo) && { inReplyTo: letter.inReplyTo }),
    ...(letter.inReplyTo && references.length > 0 && { references }),
    headers: {
      ...(letter.automated && { 'Auto-Submitted': 'auto-generated' }),
      ...(letter.unsubscribeUrl && {
        'List-Unsubscribe': `<${letter.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // Random by default, and the parts of two compositions would differ.
    baseBoundary: hashOf(letter.messageId),
    newline: 'win',
    // What a person wrote is text, never a path or an address to fetch from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const node = composer.compile()
  // A word that is longer than a line may be can be folded only within encoded words (RFC 2047), and what looks like an encoded
  // word would be read as what it encodes, such as a line break.
  if (subject.includes('=?') || subject.split(' ').some(({ length }) => length > longest.word))
    node.setHeader('Subject', {
      prepared: true,
      foldLines: true,
      value: encodeWord(subject, 'Q', 52),
    })
  return node
}

/** Without lone carriage returns, which would become line ends on their way to the server. */
const lined = (text: string) => text.replace(/\r\n?/g, '\n')

// A name in quotes is read by many programs as if it were not (RFC 2047, 5).
const named = (name: string, address: string) => ({
  name: cut(plainLine(name), longest.name).replaceAll('=?', '= ?'),
  address: plainLine(address),
})

/** Whether a Message-ID, which a stranger may have made, can stand in a header of ours. */
const isNameable = (id: string) => id.length <= longest.messageId && /^[\x20-\x7e]+$/.test(id)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** The HTML and the files. One that has a name for the HTML goes beside it (RFC 2387); the others are attached. */
function partsOf({ html, files = [] }: Letter, contentOf: (file: LetterFile) => Buffer | Readable) {
  let shown = html
  const cids = new Map<LetterFile, string>()
  // Longer names first: one may begin with another.
  const referred = (html === undefined ? [] : files)
    .filter(({ cid }) => cid !== null && cid !== '')
    .toSorted((a, b) => (b.cid?.length ?? 0) - (a.cid?.length ?? 0))
  for (const file of referred) {
    const cid = (file.cid ?? '').toWellFormed()
    // Other names are replaced, in the HTML too.
    const id = isPlainCid(cid) ? cid : hashOf(cid)
    if (id !== cid)
      for (const form of [cid, encodeURI(cid), encodeURIComponent(cid)])
        shown = shown?.replaceAll(`cid:${form}`, `cid:${id}`)
    cids.set(file, id)
  }
  const attachments = files.map((file, i) => ({
    filename: fileNameOf(file.name, i),
    contentType: typeOf(file.type),
    contentTransferEncoding: 'base64' as const,
    content: contentOf(file),
    ...(cids.has(file)
      ? { cid: cids.get(file) as string, contentDisposition: 'inline' as const }
      : { contentDisposition: 'attachment' as const }),
  }))
  return { html: shown, attachments }
}

function fileNameOf(name: string, place: number): string {
  const plain = plainLine(name).replace(/[/\\]/g, '_').trim()
  if (plain === '') return `file-${place + 1}`
  if (plain.length <= longest.fileName) return plain
  const ending = /\.[^.]{1,16}$/.exec(plain)?.[0] ?? ''
  return cut(plain, longest.fileName - ending.length) + ending
}

/**
 * The type as it stands in the mail, with the parameters that say how the file is read, such as its charset. A file that is a
 * mail itself could not be in base64 (RFC 2046, 5.2.1), and then would not stay as it is byte for byte; its name still says
 * what it is.
 */
function typeOf(type: string): string {
  const [given = '', ...parameters] = type.split(';').map((part) => part.trim())
  const bare = given.toLowerCase()
  if (!mediaType.test(bare) || /^(multipart|message)\//.test(bare))
    return 'application/octet-stream'
  const kept = parameters.slice(0, mostParameters).flatMap((one) => {
    const [, name = '', value = ''] = parameter.exec(one) ?? []
    return value === '' || isOurs.has(name.toLowerCase()) ? [] : `${name.toLowerCase()}=${value}`
  })
  return [bare, ...kept].join('; ')
}

const mediaType = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/
const parameter = /^([\w-]{1,40})="?([\w.+:-]{1,60})"?$/
const mostParameters = 5
/** They are made from the name of the file, or belong to mails with parts. */
const isOurs = new Set(['name', 'filename', 'boundary'])
