import type { Email } from 'postal-mime'
import { bytesOf } from './attachments.ts'

// What a filter for spam has put into a mail of its own. SpamAssassin does so where it is told to (report_safe): the mail as it came
// is a part of the filter's report, which has the sender and the subject of that mail.

const mark = 'x-spam-type=original'
const description = /original message before spamassassin/i

/** The mail that a filter has wrapped into this one, as it came; undefined if there is none. */
export function wrappedIn(email: Email, raw: Buffer): Buffer | undefined {
  const [part, ...more] = email.attachments
  if (part === undefined || more.length > 0 || !isTakenForSpam(email)) return undefined
  const isMarked = raw.includes(mark) || description.test((part.description ?? '').slice(0, 200))
  return isMarked && types.includes(part.mimeType) ? bytesOf(part) : undefined
}

// As a text, where nobody is to open it by mistake.
const types = ['message/rfc822', 'text/plain']

const isTakenForSpam = ({ headers }: Email) =>
  headers.some(
    ({ key, value }) =>
      (key === 'x-spam-flag' || key === 'x-spam-status') && /^\s*yes\b/i.test(value),
  )

/** Whether a filter has made the one of the other: somebody who forwards a mail has another address than its sender. */
export const isWrapped = (inner: Email, outer: Email): boolean =>
  sender(inner) === sender(outer) &&
  (!inner.messageId || !outer.messageId || inner.messageId === outer.messageId)
const sender = ({ from }: Email) => (from?.address ?? '').toLowerCase()
