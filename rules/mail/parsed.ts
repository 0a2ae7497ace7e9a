import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { mended } from './mime/mend.ts'

// A mail as the parser reads it. What programs write in odd ways is put right before (mime/mend.ts), and a mail that a filter for
// spam has put into one of its own is taken out.

const maxNestingDepth = 50
// As long as the longest field that is looked at (authentication.ts).
const maxHeadersBytes = 512 * 1024

type Mail = { email: Email; raw: Buffer }
/** `came` is the mail as it came, and `mail` the one that is read: another one if a filter has wrapped it. */
export type Parsed = { mail: Mail; came: Mail }

/** Undefined if the mail cannot be parsed. */
export async function parsed(raw: Buffer): Promise<Parsed | undefined> {
  const email = await emailIn(raw)
  if (!email) return undefined
  const came = { email, raw }
  const wrapped = wrappedIn(email, raw)
  const inner = wrapped && (await emailIn(wrapped))
  return inner && isWrapped(inner, email)
    ? { mail: { email: inner, raw: wrapped }, came }
    : { mail: came, came }
}

const blank = new Set([...'\t\n\r '].map((letter) => letter.charCodeAt(0)))
/** A mail from its head on: some programs leave blank lines before it, which would end it. */
export function fromHead(raw: Buffer): Buffer {
  const first = raw.findIndex((byte) => !blank.has(byte))
  return first < 0 ? raw : raw.subarray(raw.lastIndexOf('\n', first) + 1)
}

const emailIn = (raw: Buffer): Promise<Email | undefined> =>
  PostalMime.parse(mended(raw), {
    // A mail inside a mail is a file: its text is not what this person said.
    forceRfc822Attachments: true,
    maxNestingDepth,
    maxHeadersSize: maxHeadersBytes,
  }).catch(() => undefined)

// SpamAssassin makes a mail of its own where it is told to (report_safe): the mail as it came is a part of the filter's report,
// which has the sender and the subject of that mail.

const opening = /^\s{0,99}spam detection software,? running on the system\b/i
const mark = /;\s{0,99}x-spam-type=original\b/i
const description = /^original message before spamassassin\s{0,9}$/i

/** The mail that a filter has wrapped into this one, as it came; undefined if there is none. */
function wrappedIn(email: Email, raw: Buffer): Buffer | undefined {
  const [part, ...more] = email.attachments
  if (part === undefined || more.length > 0 || !isTakenForSpam(email)) return undefined
  if (!types.includes(part.mimeType) || !opening.test((email.text ?? '').slice(0, 300)))
    return undefined
  const isMarked =
    description.test((part.description ?? '').trim().slice(0, 200)) ||
    mark.test(typeOfSecond(email, raw))
  return isMarked ? bytesOf(part) : undefined
}

const longestHead = 4_000
/**
 * The type of the second part with its parameters, as it came, without what is quoted. Nothing that the mail within says is looked
 * at.
 */
function typeOfSecond(email: Email, raw: Buffer): string {
  const given = headerOf(email, 'content-type')
  const [, quoted, bare] =
    /;\s{0,99}boundary=(?:"([^"]{1,200})"|([^\s";]{1,200}))/i.exec(given) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) return ''
  // The first part is what the filter says, the second one is the mail.
  const first = raw.indexOf(`\n--${boundary}`)
  const second = first < 0 ? -1 : raw.indexOf(`\n--${boundary}`, first + 1)
  if (second < 0) return ''
  const [head = ''] = raw
    .subarray(second + 1, second + longestHead)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)
  const [, type = ''] = /^content-type:((?:[^\n]|\n[ \t]){0,900})/im.exec(head) ?? []
  return type.replaceAll(/"[^"]*"/g, '""')
}

// As a text, where nobody is to open it by mistake.
const types = ['message/rfc822', 'text/plain']

const isTakenForSpam = ({ headers }: Email) =>
  headers.some(
    ({ key, value }) =>
      (key === 'x-spam-flag' || key === 'x-spam-status') && /^\s*yes\b/i.test(value),
  )

/** Whether a filter has made the one of the other: somebody who forwards a mail, their own too, writes another one. */
const isWrapped = (inner: Email, outer: Email): boolean =>
  sender(inner) === sender(outer) &&
  sameIn(inner.messageId ? ['message-id'] : ['message-id', 'date', 'to'], inner, outer)
const sender = ({ from }: Email) => (from?.address ?? '').toLowerCase()
const sameIn = (fields: string[], one: Email, other: Email): boolean =>
  fields.every((name) => fieldOf(one, name) === fieldOf(other, name))
const fieldOf = (email: Email, name: string) => headerOf(email, name).replaceAll(/\s+/g, ' ').trim()

/** The decoded content of a part of a mail. */
export const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content)

/** The first bytes of the content, as text. */
export const textOf = (part: Attachment, maxBytes: number): string =>
  bytesOf(part).subarray(0, maxBytes).toString('utf8')

/** The first field of a mail's head with this name, which is in small letters; empty if there is none. */
export const headerOf = ({ headers }: Pick<Email, 'headers'>, name: string): string =>
  headers.find(({ key }) => key === name)?.value ?? ''
