import { createHash } from 'node:crypto'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { shownEmail } from '../addresses.ts'
import { keptHtml, plainText } from '../text.ts'
import { readAuthentication, readOriginalAuthentication } from './authentication.ts'
import { readAutoReply } from './automatic/auto-reply.ts'
import { readSigns } from './automatic/signs.ts'
import {
  type CalendarNote,
  isByItsAuthor,
  readCalendarNote,
  withComment,
  withNote,
} from './calendar/notes.ts'
import { calendarPartsOf } from './calendar/parts.ts'
import { readCalendarReplies } from './calendar/replies.ts'
import { decodeText } from './charsets/decode.ts'
import { claimedWriter, headOfWriter, mailboxesOf } from './claimed-writer.ts'
import { filesOf } from './files.ts'
import { headerOf } from './header.ts'
import { wordsOf } from './html/words.ts'
import { mended } from './mime/mend.ts'
import {
  bodyAt,
  dateOf,
  idIn,
  line,
  type Reading,
  type ReceivedMail,
  referencesIn,
  unreadable,
} from './received.ts'
import { comesFromServer, readReport } from './reports/read.ts'
import { readSender, type Sender } from './sender.ts'
import { isWrapped, wrappedIn } from './wrapped.ts'

// Turns a mail as it came into what the inbox keeps. Whatever the mail holds, the result can be kept: a mail that cannot be
// parsed is kept whole as an attached file. This runs in a child process (activities/aside), because a mail may be crafted to
// take long.

const maxTextLength = 300_000
const maxSubjectLength = 1_000
const maxAddresses = 200
const maxNestingDepth = 50
const maxHeadersBytes = 512 * 1024

/**
 * Never fails: see above. `arrivedAt` is the day from which dates in words are counted, and `zone` the workspace's, in which times
 * of meetings are read and told.
 */
export async function readMail(
  given: Buffer,
  arrivedAt: Date,
  zone = 'UTC',
): Promise<ReceivedMail> {
  const raw = given.subarray(beginsAt(given))
  const email = await parsed(raw)
  if (!email) return unreadable(raw)
  const came = { email, raw }
  const wrapped = wrappedIn(email, raw)
  const inner = wrapped && (await parsed(wrapped))
  return inner && isWrapped(inner, email)
    ? readParsed({ email: inner, raw: wrapped }, came, { arrivedAt, zone })
    : readParsed(came, came, { arrivedAt, zone })
}

const blank = new Set([...'\t\n\r '].map((letter) => letter.charCodeAt(0)))
/** Where a mail begins: some programs leave blank lines before its head, which would end it. */
function beginsAt(raw: Buffer): number {
  const first = raw.findIndex((byte) => !blank.has(byte))
  return first < 0 ? 0 : raw.lastIndexOf('\n', first) + 1
}

const parsed = (raw: Buffer): Promise<Email | undefined> =>
  PostalMime.parse(mended(raw), {
    // A mail inside a mail is a file: its text is not what this person said.
    forceRfc822Attachments: true,
    maxNestingDepth,
    maxHeadersSize: maxHeadersBytes,
  }).catch(() => undefined)

type Mail = { email: Email; raw: Buffer }

/**
 * Reads a mail that came as another one, or as itself. What our own servers have written is in the head of the one that came, and
 * nothing that says the same inside of it is believed.
 */
function readParsed(
  { email, raw }: Mail,
  came: Mail,
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

/** The body as it came, of a mail whose parts cannot be told apart. */
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
