import type { Email } from 'postal-mime'
import { textOf } from './attachments.ts'

// What mail servers and providers report back: bounces (RFC 3464, and those that only look like it) and complaints (RFC 5965).

export type Bounce = {
  /** False for a delay: it is still tried. */
  failed: boolean
  /** The address is no good, now and later; a full mailbox is. */
  permanent: boolean
  /** Enhanced status code (RFC 3463) such as 5.1.1, or an SMTP code. */
  code: string | null
  recipient: string | null
  /** Message-IDs of what was not delivered, as far as the report says. */
  refersTo: string[]
}

export type Complaint = { recipient: string | null; refersTo: string[] }

type Look = {
  email: Email
  header: (name: string) => string
  from: string
  subject: string
  text: string
}

/** What is not delivered for good: 5.x.x, but for what a mailbox may get over (full 5.2.2, too big 5.3.4, policy 5.7.x). */
const passing = /^5\.(2\.2|3\.4|7\.\d+)$/

export function readBounce({ email, header, from, subject, text }: Look): Bounce | null {
  const report = partOf(email, 'message/delivery-status')
  if (report) {
    const action = /^action:\s*(\w+)/im.exec(report)?.[1]?.toLowerCase()
    if (action && action !== 'failed' && action !== 'delayed') return null
    const code = /^status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(report)?.[1] ?? null
    return {
      failed: action !== 'delayed',
      permanent: action !== 'delayed' && /^5/.test(code ?? '5') && !passing.test(code ?? ''),
      code,
      recipient: addressIn(
        /^(?:original-recipient|final-recipient):\s*(?:[\w-]+;)?\s*(.*)$/im.exec(report)?.[1] ?? '',
      ),
      refersTo: originalIds(email, text),
    }
  }
  // Without the standard's part: a server's name, an empty return path, and words that say so.
  const byServer = /^(mailer-daemon|postmaster|mail-daemon|mdaemon|no-?reply-?daemon)(@|$)/i.test(
    from,
  )
  const emptyPath = /^\s*<\s*>\s*$/.test(header('return-path'))
  const failed =
    /undeliver|delivery (status notification|has failed|failure|failed)|returned mail|failure notice|mail delivery failed|unzustellbar|non remis|no se pudo entregar/i
  if (!(byServer || emptyPath) || !failed.test(`${subject}\n${text.slice(0, 2_000)}`)) return null
  const code = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? /\b([45]\d\d)[ -]/.exec(text)?.[1]
  return {
    failed: !code?.startsWith('4'),
    permanent: (code?.startsWith('5') ?? false) && !passing.test(code ?? ''),
    code: code ?? null,
    recipient: addressIn(header('x-failed-recipients')) ?? addressIn(text.slice(0, 4_000)),
    refersTo: originalIds(email, text),
  }
}

export function readComplaint(email: Email): Complaint | null {
  const report = partOf(email, 'message/feedback-report')
  if (!report || !/^feedback-type:\s*(abuse|fraud|virus|other)/im.test(report)) return null
  const recipient = /^(?:original-rcpt-to|removal-recipient):\s*(.*)$/im.exec(report)?.[1] ?? ''
  const original = partOf(email, 'message/rfc822', 'text/rfc822-headers') ?? ''
  return {
    recipient: addressIn(recipient) ?? addressIn(/^to:\s*(.*)$/im.exec(original)?.[1] ?? ''),
    refersTo: originalIds(email, ''),
  }
}

const maxReport = 64 * 1024

function partOf(email: Email, ...types: string[]): string | undefined {
  const part = email.attachments.find(({ mimeType }) => types.includes(mimeType))
  return part && textOf(part, maxReport)
}

function originalIds(email: Email, text: string): string[] {
  const original = partOf(email, 'message/rfc822', 'text/rfc822-headers') ?? text
  const ids = [...original.matchAll(/^[> \t]*message-id:\s*(<[^<>\s]{1,990}>)/gim)]
  return [...new Set(ids.map((match) => match[1] as string))].slice(0, 5)
}

const addressIn = (text: string) => /[^\s<>"';,:]{1,64}@[^\s<>"';,:]{1,190}/.exec(text)?.[0] ?? null
