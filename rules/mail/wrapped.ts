import type { Email } from 'postal-mime'
import { bytesOf } from './attachments.ts'
import { headerOf } from './header.ts'

// What a filter for spam has put into a mail of its own. SpamAssassin does so where it is told to (report_safe): the mail as it
// came is a part of the filter's report, which has the sender and the subject of that mail.

const opening = /^\s{0,99}spam detection software,? running on the system\b/i
const mark = /;\s{0,99}x-spam-type=original\b/i
const description = /^original message before spamassassin\s{0,9}$/i

/** The mail that a filter has wrapped into this one, as it came; undefined if there is none. */
export function wrappedIn(email: Email, raw: Buffer): Buffer | undefined {
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
export const isWrapped = (inner: Email, outer: Email): boolean =>
  sender(inner) === sender(outer) &&
  sameIn(inner.messageId ? ['message-id'] : ['message-id', 'date', 'to'], inner, outer)
const sender = ({ from }: Email) => (from?.address ?? '').toLowerCase()
const sameIn = (fields: string[], one: Email, other: Email): boolean =>
  fields.every((name) => fieldOf(one, name) === fieldOf(other, name))
const fieldOf = (email: Email, name: string) => headerOf(email, name).replaceAll(/\s+/g, ' ').trim()
