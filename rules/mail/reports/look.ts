import type { Email } from 'postal-mime'
import { comparedForm } from '../../addresses.ts'
import { plainText } from '../../text.ts'
import { headerOf, textOf } from '../parsed.ts'
import { isAnswer } from '../subjects.ts'
import { addressesIn, idsIn, recipientsOfHead } from './addresses.ts'
import { type Notice, recipientsIn } from './notice.ts'
import { isDaemon } from './senders.ts'

// What is seen of a mail that may be a report, and what every kind of report says.

export type Look = {
  email: Email
  header: (name: string) => string
  from: { name: string; address: string }
  to: string[]
  subject: string
  text: string
  /** It names messages that it answers. */
  refers: boolean
  /** Something else explains why no person sent it: it answers an invitation or says that somebody is away. */
  isExplained: boolean
  /** See `comesFromServer`. */
  isFromServer: boolean
}
/** A mail with its text taken for a server's notice. */
export type Seen = Look & { notice: Notice }

/** Whether it names messages that it answers, or its subject says so. */
export const isReply = ({ refers, subject }: Look) => refers || isAnswer(subject)

// What products put into the head of bounces alone; Exchange leaves its own empty.
const marks = ['x-failed-recipients', 'x-ms-exchange-message-is-ndr', 'x-qq-bounce']
// The same with these values: of LMail, and of gateways to X.400 (RFC 2156).
const markingValues = new Map([
  ['x-report-type', /^\s*nondelivery\b/i],
  ['message-type', /^\s*delivery report\b/i],
])
/** Whether the product that made it says in its head that it is a bounce. */
export const isMarked = ({ headers }: Email) =>
  headers.some(({ key, value }) => marks.includes(key) || markingValues.get(key)?.test(value))

/** Whether it has with it a letter from the address that it came to. */
export function returnsOurs({ email, to, notice }: Seen): boolean {
  // People quote a sender and a subject, and not the rest of the head.
  const quoted = headField.test(notice.original) ? notice.original : ''
  const original = partOf(email, originalTypes) ?? quoted
  const ours = new Set(to.map(comparedForm))
  return sendersOfHead(original).some((one) => ours.has(comparedForm(one)))
}

/** What the head of a mail has, and what people who quote one leave out. */
export const headField = /^(?:received|message-id)[ \t]{0,9}:/im

/** The addresses that the head of a mail comes from. */
export const sendersOfHead = (head: string): string[] =>
  addressesIn(/^from[ \t]{0,9}:([^\r\n]{0,900})/im.exec(head)?.[1] ?? '')

/** The recipients that the text of a report names, otherwise the recipient of the letter that it returns. */
export function namedIn(look: Seen): string[] {
  const named = othersIn(look)
  if (named.length > 0) return named
  return recipientsOfHead(partOf(look.email, originalTypes) ?? look.notice.original)
}

/** Providers of Japan put asterisks for somebody's name. */
const isMasked = (address: string) => /^\*{2,64}@/.test(address)

/** Those of others than its sender and the addresses that it came to. */
export function othersIn({ from, to, notice }: Seen): string[] {
  const own = new Set([from.address, ...to].map(comparedForm))
  return recipientsIn(notice, (one) => own.has(comparedForm(one)) || isDaemon(one) || isMasked(one))
}

/** The letter that is returned names itself; where it was cut off, the server may name it. */
export function originalIds({ email, notice }: Seen): string[] {
  const original = partOf(email, originalTypes)
  for (const text of [original, notice.original, notice.said])
    if (text) {
      const ids = idsIn(text)
      if (ids.length > 0) return ids
    }
  return []
}

const maxRecipients = 100
export const unique = (addresses: string[]) => [...new Set(addresses)].slice(0, maxRecipients)

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
