import { createHash } from 'node:crypto'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { plainLine, plainText } from '../../rules/text.ts'
import { bytesOf } from './attachments.ts'
import { type Authentication, readAuthentication } from './authentication.ts'
import { type AutoReply, readAutoReply } from './auto-reply.ts'
import { type CalendarReply, readCalendarReplies } from './calendar-replies.ts'
import { type Report, readReport } from './reports.ts'
import { readSender, type Sender, shownIn } from './sender.ts'
import { wordsOf } from './words.ts'

// Turns a mail as it came into what the inbox keeps. Whatever the mail holds, the result can be kept: a mail that cannot be
// parsed is kept whole as an attached file. This runs in a child process (activities/aside), because a mail may be crafted to
// take long.

export type ReceivedFile = { name: string; type: string; content: Buffer }

export type ReceivedMail = {
  /** With its angle brackets. For a mail without one it is derived from the content, so that it is the same each time. */
  messageId: string
  /** In-Reply-To and References, the closest last. */
  references: string[]
  from: Sender
  /** The sender may be forged: the mail is shown, but nothing may follow from it. */
  suspect: boolean
  to: string[]
  /** The value of Date, if that is a date. */
  date: Date | null
  subject: string
  text: string
  files: ReceivedFile[]
  /** RFC 3834 and the headers that others use for it; lists and reports too. */
  automated: boolean
  autoReply: AutoReply | null
  report: Report | null
  /** Guests' answers to invitations, written by a calendar program. */
  calendarReplies: CalendarReply[]
  /** What the headers claim about the sender, the topmost first. Who made each claim is not known here. */
  authentication: Authentication[]
}

const maxTextLength = 300_000
const maxSubjectLength = 1_000
const maxFiles = 100
const maxReferences = 100
const maxNestingDepth = 50
const maxHeadersBytes = 512 * 1024

/** Never fails: see above. `arrivedAt` is the day from which dates in words are counted. */
export async function readMail(raw: Buffer, arrivedAt: Date): Promise<ReceivedMail> {
  const email = await PostalMime.parse(raw, {
    // A mail inside a mail is a file: its text is not what this person said.
    forceRfc822Attachments: true,
    maxNestingDepth,
    maxHeadersSize: maxHeadersBytes,
  }).catch(() => undefined)
  return email ? readParsed(email, raw, arrivedAt) : unreadable(raw)
}

function readParsed(email: Email, raw: Buffer, arrivedAt: Date): ReceivedMail {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? ''
  const { from, is } = readSender(email.headers)
  const subject = line(email.subject ?? '').slice(0, maxSubjectLength)
  const text = textOf(email)
  const report = readReport({ email, header, from: from.address, subject, text })
  const calendarReplies = readCalendarReplies(email)
  const autoReply = report ? null : readAutoReply({ header, subject, text, at: arrivedAt })
  return {
    messageId: idIn(email.messageId ?? '') ?? madeId(email, raw),
    references: referencesIn(`${email.references ?? ''} ${email.inReplyTo ?? ''}`),
    from,
    // Who sent a report does not matter: it takes effect through the letter that it proves to know.
    suspect: is === 'unclear' || (is === 'nobody' && !report),
    to: mailboxes([...(email.to ?? []), ...(email.cc ?? [])]).map(({ address }) => address),
    date: dateOf(email.date),
    subject,
    text,
    files: email.attachments.slice(0, maxFiles).map(fileOf),
    automated: [report, autoReply, calendarReplies].some((what) => what !== null),
    autoReply,
    report,
    calendarReplies: calendarReplies ?? [],
    authentication: readAuthentication(email.headers),
  }
}

const line = (text: string) => plainLine(text).trim()

function textOf({ text, html }: Email): string {
  const plain = plainText(text ?? '').trim()
  if (plain || !html) return plain.slice(0, maxTextLength)
  return plainText(wordsOf(html)).trim().slice(0, maxTextLength)
}

const mailboxes = (addresses: (Address | undefined)[]) =>
  addresses
    .flatMap((address) => (address?.group ? address.group : address ? [address] : []))
    .map(({ name, address }) => ({
      name: line((name ?? '').slice(0, 300)),
      address: line((address ?? '').slice(0, 254)),
    }))
    .filter(({ address }) => address !== '')
    .slice(0, 200)

const idPattern = /<[^<>\s]{1,990}>/
// Postgres indexes at most 2,704 bytes. A valid id is ASCII (RFC 5322, 3.6.4), but an invalid one may take three bytes a
// character.
const isKept = (id: string) => Buffer.byteLength(id) <= 2_000
/** The first Message-ID in a text, with its brackets. */
export const idIn = (value: string) => idPattern.exec(plainText(value))?.find(isKept)

function referencesIn(value: string): string[] {
  const ids = plainText(value).slice(0, 100_000).match(new RegExp(idPattern, 'g')) ?? []
  return [...new Set(ids)].filter(isKept).slice(-maxReferences)
}

// Only what the sender wrote is hashed: what servers add on the way differs from one delivery to the next.
function madeId(email: Email, raw: Buffer): string {
  const hash = createHash('sha256')
  for (const name of ['date', 'from', 'to', 'subject'])
    hash.update(`${email.headers.find(({ key }) => key === name)?.value ?? ''}\n`)
  hash.update(raw.subarray(bodyAt(raw)))
  return `<${hash.digest('hex')}@no-message-id.invalid>`
}

function bodyAt(raw: Buffer): number {
  const at = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((place) => place >= 0)
  return at.length > 0 ? Math.min(...at) : 0
}

function dateOf(value: string | undefined): Date | null {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

function fileOf(part: Attachment, place: number): ReceivedFile {
  const { filename, mimeType } = part
  const named = plainLine(filename ?? '')
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .slice(0, 200)
  return {
    name: named || `${place + 1}${extensionOf(mimeType)}`,
    type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : 'application/octet-stream',
    content: bytesOf(part),
  }
}

const extensionOf = (type: string) =>
  ({ 'message/rfc822': '.eml', 'text/calendar': '.ics', 'text/html': '.html' })[type] ?? '.bin'

/**
 * Reads the head by hand, as far as possible, and keeps the whole mail as a file. This is cheap for any mail, and nothing in
 * the mail can prevent it from being stored. Nothing may follow from such a mail, because it was not read in the usual way.
 */
export function unreadable(raw: Buffer): ReceivedMail {
  const head = raw.subarray(0, 64 * 1024).toString('latin1')
  const field = (name: string) =>
    line(new RegExp(`^${name}:[ \\t]{0,20}([^\\r\\n]{0,900})`, 'im').exec(head)?.[1] ?? '')
  const hash = createHash('sha256')
    .update(raw.subarray(bodyAt(raw)))
    .digest('hex')
  return {
    messageId: idIn(field('Message-ID')) ?? `<${hash}@no-message-id.invalid>`,
    references: referencesIn(`${field('References')} ${field('In-Reply-To')}`),
    from: { name: '', address: shownIn(field('From')) },
    suspect: true,
    to: [],
    date: dateOf(field('Date')),
    subject: field('Subject'),
    text: 'This message could not be read; it is attached as it came.',
    files: [{ name: 'message.eml', type: 'message/rfc822', content: raw }],
    automated: false,
    autoReply: null,
    report: null,
    calendarReplies: [],
    authentication: [],
  }
}
