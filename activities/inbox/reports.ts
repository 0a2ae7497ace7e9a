import type { Email } from 'postal-mime'
import { plainText } from '../../rules/text.ts'
import { textOf } from './attachments.ts'

// What mail servers and providers report: bounces (RFC 3464, and mails that only look like one), deliveries and complaints (RFC
// 5965). All of it is only what a mail claims: db/inbox/reports.ts has to prove that it is about a letter of ours.

export type Report = {
  /** A delivery is any report that is not bad news, including a delay: the server still tries. */
  kind: 'bounce' | 'complaint' | 'delivery'
  /** The address does not work, now or later; an address whose mailbox is full does work. */
  permanent: boolean
  /** The enhanced status code (RFC 3463), such as 5.1.1, or an SMTP code. */
  code: string | null
  /** Every address that the report may be about, the likeliest first. */
  recipients: string[]
  /** The Message-IDs that the report is about, as far as it names them. */
  refersTo: string[]
}

type Look = {
  email: Email
  header: (name: string) => string
  from: string
  subject: string
  text: string
}

/** Null if the mail is not a report. */
export const readReport = (look: Look): Report | null =>
  readFeedback(look) ?? readStatus(look) ?? readWords(look)

/** Permanent failures are 5.x.x, except those that a mailbox may recover from (full 5.2.2, too big 5.3.4, policy 5.7.x). */
const passing = /^5\.(2\.2|3\.4|7\.\d+)$/

const maxBlocks = 50

function readStatus({ email, text }: Look): Report | null {
  const report = partOf(email, 'message/delivery-status')
  if (!report) return null
  // One block for the message, and one for each recipient (RFC 3464, 2.1); some servers leave out the blank lines between them.
  const blocks = report
    .split(/\r?\n[ \t]*\r?\n/)
    .slice(0, maxBlocks)
    .map((block) => ({
      action: /^action:[ \t]*(\w+)/im.exec(block)?.[1]?.toLowerCase(),
      code: /^status:[ \t]*(\d\.\d{1,3}\.\d{1,3})/im.exec(block)?.[1] ?? null,
      recipients: ['original', 'final'].flatMap(
        (which) =>
          addressIn(
            new RegExp(`^${which}-recipient:[ \\t]*(?:[\\w-]+;)?[ \\t]*(.*)$`, 'im').exec(
              block,
            )?.[1] ?? '',
          ) ?? [],
      ),
    }))
    .filter(({ action, code, recipients }) => action || code || recipients.length > 0)
  const actionOf = (block: (typeof blocks)[number]) => block.action ?? 'failed'
  const worst = blocks.find((block) => actionOf(block) === 'failed') ?? blocks[0]
  const action = worst ? actionOf(worst) : 'failed'
  const same = blocks.filter((block) => actionOf(block) === action)
  const code = worst?.code ?? null
  return {
    kind: action === 'failed' ? 'bounce' : 'delivery',
    permanent: action === 'failed' && /^5/.test(code ?? '5') && !passing.test(code ?? ''),
    code,
    recipients: unique(same.flatMap(({ recipients }) => recipients)),
    refersTo: originalIds(email, text),
  }
}

/**
 * A bounce without the standard's part: it comes from a server's name or has an empty return path, and its words say that
 * delivery failed.
 */
function readWords({ email, header, from, subject, text }: Look): Report | null {
  const byServer = /^(mailer-daemon|postmaster|mail-daemon|mdaemon|no-?reply-?daemon)(@|$)/i.test(
    from,
  )
  const emptyPath = /^\s*<\s*>\s*$/.test(header('return-path'))
  const failed =
    /undeliver|delivery (status notification|has failed|failure|failed)|returned mail|failure notice|mail delivery failed|unzustellbar|non remis|no se pudo entregar/i
  if (!(byServer || emptyPath) || !failed.test(`${subject}\n${text.slice(0, 2_000)}`)) return null
  const code = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? /\b([45]\d\d)[ -]/.exec(text)?.[1]
  const refersTo = originalIds(email, text)
  return {
    kind: code?.startsWith('4') ? 'delivery' : 'bounce',
    permanent: (code?.startsWith('5') ?? false) && !passing.test(code ?? ''),
    code: code ?? null,
    recipients: unique([
      ...addressesIn(header('x-failed-recipients')),
      // A Message-ID looks like an address.
      ...addressesIn(text.slice(0, 4_000)).filter((one) => !refersTo.includes(`<${one}>`)),
    ]),
    refersTo,
  }
}

function readFeedback({ email }: Look): Report | null {
  const report = partOf(email, 'message/feedback-report')
  if (!report) return null
  // not-spam, and any type that may be registered later, does not count against a letter of ours.
  const complains = /^feedback-type:[ \t]*(abuse|fraud|virus|other)/im.test(report)
  const named = [
    ...report.matchAll(/^(?:original-rcpt-to|removal-recipient):[ \t]*(.*)$/gim),
  ].flatMap((match) => addressIn(match[1] ?? '') ?? [])
  const original = partOf(email, 'message/rfc822', 'text/rfc822-headers') ?? ''
  const to = addressIn(/^to:[ \t]*(.*)$/im.exec(original)?.[1] ?? '')
  return {
    kind: complains ? 'complaint' : 'delivery',
    permanent: complains,
    code: null,
    recipients: unique(named.length > 0 ? named : to ? [to] : []),
    refersTo: originalIds(email, ''),
  }
}

const maxReport = 64 * 1024

function partOf(email: Email, ...types: string[]): string | undefined {
  const part = email.attachments.find(({ mimeType }) => types.includes(mimeType))
  return part && plainText(textOf(part, maxReport))
}

function originalIds(email: Email, text: string): string[] {
  const original = partOf(email, 'message/rfc822', 'text/rfc822-headers') ?? text
  const ids = [...original.matchAll(/^[> \t]*message-id:[ \t]*(<[^<>\s]{1,990}>)/gim)]
  return [...new Set(ids.map((match) => match[1] as string))].slice(0, 5)
}

const address = /[^\s<>"';,:()]{1,64}@[^\s<>"';,:()]{1,190}/
const addressIn = (text: string) => address.exec(text)?.[0] ?? null
const addressesIn = (text: string) => text.match(new RegExp(address, 'g')) ?? []

const maxRecipients = 20
const unique = (addresses: string[]) => [...new Set(addresses)].slice(0, maxRecipients)
