import type { Email } from 'postal-mime'
import { comparedForm } from '../../addresses.ts'
import { isAnswer } from '../subjects.ts'
import { addressesIn, idsIn } from './addresses.ts'
import type { RecipientStatus } from './delivery-status.ts'
import { recipientsOfHead } from './feedback.ts'
import { type Notice, recipientsIn } from './notice.ts'
import { originalTypes, partOf } from './parts.ts'
import { isDaemon } from './senders.ts'

// What is seen of a mail that may be a report, and what every kind of report says.

export type Report = {
  /** A delivery is any report that is not bad news, including a delay: the server still tries. */
  kind: 'bounce' | 'complaint' | 'delivery'
  /** The address does not work, now or later; an address whose mailbox is full does work. */
  permanent: boolean
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  code: string | null
  /** Every address that the report may be about, the likeliest first. */
  recipients: string[]
  /** The Message-IDs that the report is about, as far as it names them. */
  refersTo: string[]
  /** Bad news about other recipients of the same letter, with another code. */
  others?: Omit<RecipientStatus, 'kind'>[]
  /** It comes from a mail server, and its words do not say what it reports. */
  unclear?: true
  /** What the server said in its own words, if it stands in a field of its own. */
  said?: string
}

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
