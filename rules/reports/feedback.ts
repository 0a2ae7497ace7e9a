import { addressesIn } from './addresses.ts'

// Feedback of providers about letters (RFC 5965), in its standard form and in those of single providers.

export type Feedback = { kind: 'complaint' | 'delivery'; recipients: string[] }

const field = (report: string, name: string): string[] =>
  [...report.matchAll(new RegExp(`^[> \\t]{0,9}${name}[ \\t]{0,9}:[ \\t]{0,99}(.*)$`, 'gim'))].map(
    (match) => match[1] ?? '',
  )

/** A report in fields. An authentication failure (RFC 6591) and `not-spam` do not count against a letter of ours. */
export function readFeedback(report: string): Feedback | undefined {
  const [type] = field(report, 'feedback-type')
  if (type === undefined) return undefined
  const complains = /^\s*(?:abuse|fraud|virus|other|opt-out|opt-out-list|spam|complaint)\b/i.test(
    type,
  )
  return {
    kind: complains ? 'complaint' : 'delivery',
    recipients: ['original-rcpt-to', 'removal-recipient', 'original-recipient', 'final-recipient']
      .flatMap((name) => field(report, name))
      .flatMap(addressesIn),
  }
}

/** The recipients that providers name in the head of the letter that they return, beside To. */
export const recipientsOfHead = (head: string): string[] => {
  const named = [
    'x-hmxmroriginalrecipient',
    'x-original-to',
    'x-original-recipient',
    'delivered-to',
    'x-rcpt-to',
  ].flatMap((name) => field(head, name).flatMap(addressesIn))
  return named.length > 0 ? named : field(head, 'to').slice(0, 1).flatMap(addressesIn)
}

/** Whether a returned head is one that Outlook.com gives to senders when somebody reports a mail as junk (JMRP). */
export const isJunkReport = (head: string): boolean =>
  field(head, 'x-hmxmroriginalrecipient').length > 0

/** Subjects of complaints that come without a report in fields. */
const complaint =
  /^\s*(?:\[?(?:complaint|abuse(?: report)?|spam (?:complaint|report)|feedback loop|fbl)\b.{0,60}\b(?:message|mail|e-mail|from|report|about)|complaint about message from\b|email feedback report for\b|client tos notification\b)/i
export const isComplaintSubject = (subject: string): boolean =>
  complaint.test(subject.slice(0, 200))
