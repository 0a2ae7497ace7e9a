import type { Email } from 'postal-mime'
import { plainText } from '../../rules/text.ts'
import { textOf } from './attachments.ts'

// What mail servers and providers report back: bounces (RFC 3464, and those that only look like it), deliveries and complaints
// (RFC 5965). All of it is what a mail says: whether it is about a letter of ours is for db/inbox/reports.ts to prove.

export type Report = {
  /** A delivery is all that is no bad news, and a delay: it is still tried. */
  kind: 'bounce' | 'complaint' | 'delivery'
  /** The address is no good, now and later; a full mailbox is. */
  permanent: boolean
  /** Enhanced status code (RFC 3463) such as 5.1.1, or an SMTP code. */
  code: string | null
  /** Every address the report may be about, the likeliest first. */
  recipients: string[]
  /** Message-IDs of what it is about, as far as the report says. */
  refersTo: string[]
}

type Look = {
  email: Email
  header: (name: string) => string
  from: string
  subject: string
  text: string
}

/** Null for what is no report. */
export const readReport = (look: Look): Report | null =>
  readFeedback(look) ?? readStatus(look) ?? readWords(look)

/** What is not delivered for good: 5.x.x, but for what a mailbox may get over (full 5.2.2, too big 5.3.4, policy 5.7.x). */
const passing = /^5\.(2\.2|3\.4|7\.\d+)$/

const maxBlocks = 50

function readStatus({ email, text }: Look): Report | null {
  const report = partOf(email, 'message/delivery-status')
  if (!report) return null
  // A block for the message, and one for each recipient (RFC 3464, 2.1); some servers leave out what stands between.
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

/** A bounce without the standard's part: a server's name or an empty return path, and words that say so. */
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
  // not-spam, and whatever else may come to be registered, is nothing against a letter of ours.
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
