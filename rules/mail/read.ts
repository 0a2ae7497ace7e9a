import { createHash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { shownEmail } from '../addresses.ts'
import { keptHtml, plainLine, plainText } from '../text.ts'
import { readAuthentication, readOriginalAuthentication } from './authentication.ts'
import { readAutoReply } from './automatic/auto-reply.ts'
import { readSigns } from './automatic/signs.ts'
import {
  type CalendarNote,
  calendarPartsOf,
  isByItsAuthor,
  readCalendarNote,
  readCalendarReplies,
  withComment,
  withNote,
} from './calendar.ts'
import { decodeText } from './charsets/decode.ts'
import { wordsOf } from './html/words.ts'
import { subjectIn } from './mime/heads.ts'
import { bytesOf, fromHead, headerOf, type Parsed, parsed } from './parsed.ts'
import {
  bodyAt,
  dateOf,
  idIn,
  line,
  type Reading,
  type ReceivedFile,
  type ReceivedMail,
  referencesIn,
  unreadable,
} from './received.ts'
import { comesFromServer, readReport } from './reports/read.ts'
import { claimedWriter, headOfWriter, mailboxesOf, readSender, type Sender } from './writer.ts'

// The door of the reader: turns a mail as it came into what the inbox keeps. Whatever the mail holds, the result can be kept: a mail that cannot be
// parsed is kept whole as an attached file. This runs in a child process (activities/children), because a mail may be crafted
// to take long.

const maxTextLength = 300_000
const maxSubjectLength = 1_000
const maxAddresses = 200

/**
 * Never fails: see above. `arrivedAt` is the day from which dates in words are counted, and `zone` the workspace's, in which times
 * of meetings are read and told.
 */
export async function readMail(
  given: Buffer,
  arrivedAt: Date,
  zone = 'UTC',
): Promise<ReceivedMail> {
  const raw = fromHead(given)
  const found = await parsed(raw)
  return found ? readParsed(found, { arrivedAt, zone }) : unreadable(raw)
}

/**
 * Reads a mail that came as another one, or as itself. What our own servers have written is in the head of the one that came, and
 * nothing that says the same inside of it is believed.
 */
function readParsed(
  { mail: { email, raw }, came }: Parsed,
  { arrivedAt, zone }: { arrivedAt: Date; zone: string },
): ReceivedMail {
  const header = (name: string) => headerOf(name === 'return-path' ? came.email : email, name)
  const { from: sender, is } = readSender(came.email.headers)
  const from = asShown(sender)
  const subject = line(email.subject ?? '').slice(0, maxSubjectLength)
  const calendar = calendarPartsOf(email, zone)
  const calendarReply = readCalendarReplies(calendar)
  const calendarNote = calendarReply ? null : readCalendarNote(calendar, zone)
  const written = textOf(email) || bodyOf(email, raw)
  const said = withComment(written, calendarReply?.comment ?? calendarNote?.comment ?? '')
  const { files, note } = filesOf(email.attachments, came.raw, calendar.length > 0)
  const text = `${said}${note}`
  const references = referencesIn(`${email.references ?? ''} ${email.inReplyTo ?? ''}`)
  const to = addressesOf(email.to)
  const cc = addressesOf(email.cc)
  const seen = {
    ...{ email, subject, text, refers: references.length > 0, to: [...to, ...cc], arrivedAt },
    comment: calendarReply?.comment,
    note: calendarNote,
  }
  const claimed = is === 'one' ? claimedWriter(email.headers, from) : undefined
  return {
    ...readAs(seen, { from, is, header }),
    written: claimed
      ? readAs(seen, { from: asShown(claimed), is, header: headOfWriter(header) })
      : null,
    replyTo: mailboxesOf(email.headers, 'reply-to').map(asShown),
    messageId: idIn(came.email.messageId ?? '') ?? madeId(came.email, came.raw),
    originalIds: originalIdsOf(came.email),
    references,
    to,
    cc,
    bcc: addressesOf(email.bcc),
    date: dateOf(email.date),
    subject,
    text: withNote(text, calendarNote, zone).slice(0, maxTextLength),
    html: htmlOf(email),
    files,
    calendarReplies: calendarReply?.replies ?? [],
    calendarNote,
    authentication: readAuthentication(came.email.headers),
    originalAuthentication: readOriginalAuthentication(came.email.headers),
  }
}

const asShown = ({ name, address }: Sender): Sender => ({ name, address: shownEmail(address) })

type Parts = {
  email: Email
  subject: string
  text: string
  refers: boolean
  to: string[]
  arrivedAt: Date
  /** What a guest wrote who answers an invitation. */
  comment: string | undefined
  /** What it says about a meeting otherwise. */
  note: CalendarNote | null
}
type Writer = {
  from: Sender
  is: ReturnType<typeof readSender>['is']
  header: (name: string) => string
}

/** What a mail is if this is who wrote it. */
function readAs(
  { email, subject, text, refers, to, arrivedAt, comment, note }: Parts,
  { from, is, header }: Writer,
): Reading {
  const signs = readSigns({ header, from, subject, text })
  const isExplained = signs.automatic || signs.away || comment !== undefined || note !== null
  const isFromServer = comesFromServer({ email, header, from })
  const report = readReport({
    ...{ email, header, from, to },
    ...{ subject, text, refers, isExplained, isFromServer },
  })
  // A calendar program wrote it, but a person invites, cancels or asks for another time.
  const isByPerson = !report && isByItsAuthor(note, from.address)
  const automatic = !isByPerson && (signs.automatic || isFromServer)
  const autoReply = report
    ? null
    : readAutoReply({ ...signs, automatic }, { subject, text, at: arrivedAt })
  // A calendar program wrote the answer to the invitation, but a person wrote the words in it.
  const automated = automatic || report !== null || comment === ''
  return {
    from,
    // Who sent a report does not matter: it takes effect through the letter that it proves to know.
    suspect: is === 'unclear' || (is === 'nobody' && !report),
    automated,
    weak: !automated && !isByPerson && signs.weak,
    unclear: !automated && !isByPerson && signs.unclear,
    autoReply,
    report,
  }
}

function textOf({ html, text = '' }: Email): string {
  const plain = shownText(text)
  if (plain || !html) return plain.slice(0, maxTextLength)
  return shownText(wordsOf(html)).slice(0, maxTextLength)
}

/** With one sign at the end of a line: within an encoding every program has its own. */
const shownText = (text: string): string => plainText(text).replace(/\r\n?/g, '\n').trim()

function htmlOf({ html }: Email): string | null {
  const kept = keptHtml(html)
  return kept?.trim() ? kept : null
}

/** The body as it came, of a mail whose parts cannot be distinguished. */
const bodyOf = ({ text, html, attachments }: Email, raw: Buffer): string =>
  text || html || attachments.length > 0
    ? ''
    : shownText(decodeText(raw.subarray(bodyAt(raw)).subarray(0, maxTextLength)).text)

/** Outlook.com, Exchange Online and Gmail keep a Message-ID that they replace in a field of their own. */
const originalIdsOf = ({ headers }: Email): string[] =>
  headers
    .filter(({ key }) => originalIdField.test(key))
    .flatMap(({ value }) => referencesIn(value.slice(0, 2_000)).slice(0, 1))
    .slice(0, 4)
const originalIdField = /^x-(?:[a-z]{2,20}-)?original-message-id$/

const addressesOf = (addresses: Address[] = []): string[] =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ address }) => line(shownEmail(address ?? '').slice(0, 254)))
    .filter((address) => address !== '')
    .slice(0, maxAddresses)

// Only what the sender wrote is hashed: what servers add on the way differs from one delivery to the next.
function madeId(email: Email, raw: Buffer): string {
  const hash = createHash('sha256')
  for (const name of ['date', 'from', 'to', 'subject']) hash.update(`${headerOf(email, name)}\n`)
  hash.update(raw.subarray(bodyAt(raw)))
  return `<${hash.digest('hex')}@no-message-id.invalid>`
}

// The files of a mail, as they are kept.

const mostFiles = 100
const longestName = 200
const longestCid = 300

/**
 * The files, and what the text is to say of them. If a mail has more than are kept by themselves, the last one is the mail as it
 * came, which has them all. `note` stands where a signature does, so that nobody's words change by it. `hasInvite`: a calendar program
 * wrote one of them, which often has no name.
 */
function filesOf(
  parts: Attachment[],
  raw: Buffer,
  hasInvite: boolean,
): { files: ReceivedFile[]; note: string } {
  const read = (part: Attachment, place: number) => fileOf(part, place, hasInvite)
  if (parts.length <= mostFiles) return { files: parts.map(read), note: '' }
  const kept = mostFiles - 1
  const whole = { name: 'message.eml', type: 'message/rfc822', content: raw, cid: null }
  return {
    files: [...parts.slice(0, kept).map(read), whole],
    note: `\n\n-- \nThis message has ${parts.length} files: the first ${kept} are kept by themselves, and all of them in message.eml.`,
  }
}

function fileOf(part: Attachment, place: number, hasInvite: boolean): ReceivedFile {
  const { filename, mimeType, contentId } = part
  const named = nameOf(filename ?? '')
  const isInvite = hasInvite && mimeType === 'text/calendar'
  const unnamed = isInvite ? 'invite.ics' : `${place + 1}${extensionOf(mimeType)}`
  const subject = isMail(mimeType) && isGeneral(named) ? nameOf(subjectIn(bytesOf(part))) : ''
  return {
    name: (subject && `${subject}.eml`) || named || unnamed,
    type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : 'application/octet-stream',
    content: bytesOf(part),
    cid: cidOf(contentId),
  }
}

const nameOf = (given: string): string =>
  plainLine(given)
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .trim()
    .slice(0, longestName)

const isMail = (type: string) => type === 'message/rfc822' || type === 'message/global'

/** A name that programs give to every mail that is sent on. */
const isGeneral = (name: string) =>
  /^$|^(?:attached[ _-]?(?:message|mail)|forwarded[ _-]?message|forward|message|mail|e-?mail|nachricht|noname|unnamed|untitled|unbenannt|mail attachment|attachment|part[ _.-]?[\d.]{0,20}|att\d{1,9}|\d{1,9})(?:[ _-]?\(?\d{1,4}\)?)?(?:\.(?:eml|msg|txt|mht|dat))?$/i.test(
    name,
  )

/** The value of Content-ID without its brackets (RFC 2392). */
function cidOf(contentId = ''): string | null {
  const cid = line(contentId.slice(0, longestCid + 10)).replace(/^<|>$/g, '')
  return cid === '' || cid.length > longestCid ? null : cid
}

const extensionOf = (type: string) =>
  ({ 'message/rfc822': '.eml', 'text/calendar': '.ics', 'text/html': '.html' })[type] ?? '.bin'
