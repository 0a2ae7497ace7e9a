import type { Email } from 'postal-mime'
import { plainText } from '../../text.ts'
import { textOf } from '../attachments.ts'
import { headerOf } from '../header.ts'

// The parts of a report (RFC 6522): what the server says in fields, and the letter that it returns.

export const statusTypes = [
  'message/delivery-status',
  'message/global-delivery-status',
  'message/xdelivery-status',
  'text/delivery-status',
]
export const feedbackTypes = ['message/feedback-report', 'message/global-feedback-report']
export const receiptTypes = [
  'message/disposition-notification',
  'message/global-disposition-notification',
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

const reportTypes = {
  'delivery-status': statusTypes,
  'feedback-report': feedbackTypes,
  'disposition-notification': receiptTypes,
}

/** Some gateways leave out what kind of report it is, and others keep that alone; no mail program of a person writes either. */
export function isReport(email: Email, type: keyof typeof reportTypes): boolean {
  const value = headerOf(email, 'content-type').slice(0, 2_000)
  if (!/^\s*multipart\//i.test(value)) return false
  const named = /\breport-type\s*=\s*"?([\w-]+)/i.exec(value)?.[1]?.toLowerCase() ?? ''
  if (Object.hasOwn(reportTypes, named)) return named === type
  return /^\s*multipart\/report\b/i.test(value) && partOf(email, reportTypes[type]) !== undefined
}

/** What a server said about the recipient that is reported first (RFC 3464, 2.3.6). */
export const diagnosticIn = (email: Email): string | undefined =>
  diagnostic.exec(partOf(email, statusTypes) ?? '')?.[1]?.trim()
const diagnostic =
  /^diagnostic-code[ \t]{0,9}:[ \t]{0,9}(?:[\w.-]{1,40}[ \t]{0,9};)?([^\r\n]{1,900}(?:\r?\n[ \t][^\r\n]{1,900}){0,9})/im

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
