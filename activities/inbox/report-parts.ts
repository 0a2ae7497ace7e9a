import type { Email } from 'postal-mime'
import { plainText } from '../../rules/text.ts'
import { textOf } from './attachments.ts'
import { headerOf } from './header.ts'

// The parts of a report (RFC 6522): what the server says in fields, and the letter that it returns.

export const isReport = (email: Email, type: string): boolean => {
  const value = headerOf(email, 'content-type')
  return (
    /^\s*multipart\/report\b/i.test(value) &&
    new RegExp(`report-type\\s*=\\s*"?${type}`, 'i').test(value)
  )
}

export const statusTypes = [
  'message/delivery-status',
  'message/global-delivery-status',
  'message/xdelivery-status',
  'text/delivery-status',
]
export const originalTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
  'text/rfc822',
  'message/partial',
]

const maxReport = 128 * 1024

export function partOf(email: Email, types: string[]): string | undefined {
  const part = email.attachments.find(({ mimeType }) => types.includes(mimeType))
  return part && plainText(textOf(part, maxReport))
}

export const statusField = /^(?:final|original)-recipient[ \t]*:/im
export const feedbackField = /^feedback-type[ \t]*:/im

/** A report that lies in a mail within the mail, from the first of its fields on. */
export function nestedIn(email: Email, field: RegExp): string | undefined {
  const inner = partOf(email, ['message/rfc822', 'message/global'])
  const at = inner === undefined ? -1 : inner.search(field)
  return at < 0 ? undefined : inner?.slice(at)
}

/** The fields of a report that a gateway has made a text file of. */
export function filedIn(email: Email, field: RegExp): string | undefined {
  for (const part of email.attachments.slice(0, 20))
    if (/^text\/plain$/i.test(part.mimeType)) {
      const text = plainText(textOf(part, maxReport))
      if (field.test(text)) return text
    }
  return undefined
}
