import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import PostalMime from 'postal-mime'
import { openImap } from '../../activities/ports/mail/imap.ts'
import type { Message } from './mail.ts'
import type { TestMailboxes } from './mailboxes.ts'

// Mail that servers, providers and mail programs make, as they make it.

type Report = { to: string; recipient: string; letter: Pick<Message, 'messageId'> }

/** A delivery status notification (RFC 3464). */
export function bounce(
  report: Report & {
    status: string
    action?: 'failed' | 'delayed'
    text?: string
    /** Further recipients of the same letter that it reports. */
    others?: string[]
  },
): Mail.Options {
  const { to, recipient, letter, status, action = 'failed', others = [] } = report
  const { text = '550 no such user' } = report
  return mailOf(to, 'MAILER-DAEMON@mx.example', 'Undelivered Mail Returned to Sender', [
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    'Auto-Submitted: auto-replied',
    '',
    ...part('text/plain', ['Your message could not be delivered.']),
    ...part('message/delivery-status', [
      'Reporting-MTA: dns; mx.example',
      ...[recipient, ...others].flatMap((one) => [
        '',
        `Final-Recipient: rfc822; ${one}`,
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${text}`,
      ]),
    ]),
    ...part('message/rfc822', [`Message-ID: ${letter.messageId}`, 'Subject: x', '', 'text']),
    '--b--',
  ])
}

/** One in the words of a server that does not follow the standard; without a letter it quotes none. */
export const plainBounce = ({
  to,
  recipient,
  letter,
}: Omit<Report, 'letter'> & Partial<Pick<Report, 'letter'>>): Mail.Options =>
  mailOf(to, 'MAILER-DAEMON@mx.example', 'failure notice', [
    '',
    'Your message could not be delivered.',
    '',
    `<${recipient}>:`,
    '550 5.1.1 no mailbox here',
    '',
    ...(letter
      ? ['--- Below this line is a copy of the message.', '', `Message-ID: ${letter.messageId}`]
      : []),
  ])

/** An abuse report (RFC 5965), or another kind of feedback. */
export const complaint = ({
  to,
  recipient,
  letter,
  kind = 'abuse',
}: Report & { kind?: string }): Mail.Options =>
  mailOf(to, 'fbl@provider.example', 'complaint about a message', [
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    ...part('text/plain', ['This is an e-mail abuse report.']),
    ...part('message/feedback-report', [
      `Feedback-Type: ${kind}`,
      'User-Agent: test/1',
      'Version: 1',
      `Original-Rcpt-To: <${recipient}>`,
    ]),
    ...part('text/rfc822-headers', [`Message-ID: ${letter.messageId}`, `To: ${recipient}`]),
    '--b--',
  ])

const part = (type: string, lines: string[]) => ['--b', `Content-Type: ${type}`, '', ...lines, '']

let made = 0
function mailOf(to: string, from: string, subject: string, rest: string[]): Mail.Options {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <report-${Date.now()}-${++made}@mx.example>`,
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
  ]
  return { envelope: { from: '', to }, raw: [...head, ...rest].join('\r\n') }
}

/** A member's own mail program at the Sent folder. */
export async function sentFolder({ imapPort }: Pick<TestMailboxes, 'imapPort'>, account: string) {
  const server = { host: '127.0.0.1', port: imapPort, secure: false, user: account }
  const mailbox = await openImap(server, 'secret')
  return {
    async list() {
      const path = await mailbox.sentPath()
      if (!path) return []
      await mailbox.open(path)
      const found = await mailbox.list(1)
      const uids = found.map(({ uid }) => uid)
      const raws = await mailbox.fetch(uids, 1_000_000)
      return Promise.all(
        found.flatMap(({ uid, arrivedAt }) => {
          const raw = raws.get(uid)
          return raw ? PostalMime.parse(raw).then((mail) => ({ ...mail, arrivedAt })) : []
        }),
      )
    },
    async put(message: Mail.Options) {
      const raw = await new MailComposer(message).compile().build()
      const path = (await mailbox.sentPath()) ?? (await mailbox.createSent())
      // No day is given: GreenMail reads the hour from 12:00 to 12:59 as midnight's (its issue 211).
      await mailbox.append(path, raw)
    },
    close: mailbox.close,
  }
}
