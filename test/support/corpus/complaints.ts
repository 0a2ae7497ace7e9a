import { type Letter, letterOf, returned } from './letters.ts'
import { mailOf, multipart, partOf, pick } from './mail.ts'

export type ComplaintSample = {
  name: string
  raw: Buffer
  letter: Letter
  kind: 'complaint' | 'delivery'
}

type Form = {
  name: string
  from: string
  subject: string
  make: (letter: Letter, n: number) => Buffer
  kind?: 'delivery'
}

const arf = (
  letter: Letter,
  type: string,
  fields: string[],
  isHead: boolean,
  subtype = 'report; report-type=feedback-report',
) =>
  multipart(
    subtype,
    [
      partOf({
        type: 'text/plain',
        charset: 'us-ascii',
        text: 'This is an e-mail abuse report for a message received from 192.0.2.7.\n',
      }),
      partOf({
        type: 'message/feedback-report',
        text: [`Feedback-Type: ${type}`, 'User-Agent: Loop/1.0', 'Version: 1', ...fields].join(
          '\n',
        ),
      }),
      partOf({ type: isHead ? 'text/rfc822-headers' : 'message/rfc822', text: returned(letter) }),
    ],
    'fbl',
  )

const types = ['abuse', 'fraud', 'other', 'opt-out', 'virus']

const forms: Form[] = [
  {
    name: 'the standard form',
    from: 'fbl@provider.example',
    subject: 'Abuse report',
    make: (letter, n) =>
      arf(
        letter,
        pick(types, n),
        [`Original-Rcpt-To: <${letter.to}>`, 'Source-IP: 192.0.2.7'],
        n % 2 === 0,
      ),
  },
  {
    name: 'Yahoo',
    from: 'feedback@arf.yahoo.example',
    subject: 'FW: A cold room',
    make: (letter, n) =>
      arf(
        letter,
        'abuse',
        [
          `Original-Mail-From: <${letter.from}>`,
          `Original-Rcpt-To: ${letter.to}`,
          'Reported-Domain: halden.example',
        ],
        n % 2 === 0,
      ),
  },
  {
    name: 'AOL, with the recipient left out',
    from: 'scomp@aol.example',
    subject: 'Email Feedback Report for IP 192.0.2.7',
    make: (letter) =>
      arf(letter, 'abuse', ['Original-Rcpt-To: redacted', 'Removal-Recipient: '], false),
  },
  {
    name: 'Comcast',
    from: 'feedbackloop@provider.example',
    subject: 'Client TOS Notification',
    make: (letter, n) => arf(letter, 'abuse', [`Removal-Recipient: ${letter.to}`], n % 2 === 0),
  },
  {
    name: 'a loop that nests its report',
    from: 'fbl@provider.example',
    subject: 'complaint',
    make: (letter) =>
      multipart(
        'mixed',
        [
          arf(letter, 'abuse', [`Original-Rcpt-To: ${letter.to}`], true),
          partOf({ type: 'text/plain', charset: 'us-ascii', text: 'Footer\n' }),
        ],
        'out',
      ),
  },
  {
    name: 'a loop outside of multipart/report',
    from: 'fbl@provider.example',
    subject: 'complaint',
    make: (letter) => arf(letter, 'abuse', [`Original-Rcpt-To: ${letter.to}`], false, 'mixed'),
  },
  {
    name: 'Outlook.com',
    from: 'staff@hotmail.example',
    subject: 'complaint about message from 192.0.2.7',
    make: (letter) =>
      multipart(
        'mixed',
        [
          partOf({
            type: 'message/rfc822',
            text: `X-HmXmrOriginalRecipient: ${letter.to}\n${returned(letter)}`,
          }),
        ],
        'jmrp',
      ),
  },
  {
    name: 'Outlook.com with a part that says nothing',
    from: 'staff@hotmail.example',
    subject: 'complaint about message from 192.0.2.7',
    make: (letter) =>
      multipart(
        'mixed',
        [
          partOf({ type: 'text/plain', charset: 'us-ascii', text: '\n' }),
          partOf({ type: 'message/rfc822', text: returned(letter) }),
        ],
        'jmrp',
      ),
  },
  {
    name: 'Hotmail before that',
    from: 'Junk Mail Reporting <jmr@hotmail.example>',
    subject: 'JMRP report: A cold room',
    make: (letter, n) =>
      multipart(
        'mixed',
        [
          partOf({
            type: 'text/plain',
            charset: 'us-ascii',
            text: `The message below was reported as ${pick(['junk e-mail', 'spam', 'unwanted mail'], n)} by ${pick(['a Hotmail user', 'one of our customers', 'an MSN member'], n)}.\n`,
          }),
          partOf({ type: 'message/rfc822', text: returned(letter) }),
        ],
        'jmrp',
      ),
  },
  {
    name: 'Amazon SES',
    from: 'AWS Notifications <no-reply@sns.amazonaws.com>',
    subject: 'AWS Notification Message',
    make: (letter) =>
      partOf({
        type: 'text/plain',
        charset: 'utf-8',
        text: `${JSON.stringify({ notificationType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: letter.to }], complaintFeedbackType: 'abuse' }, mail: { messageId: '0100-1', headers: [{ name: 'Message-ID', value: letter.id }] } })}\n\n--\nIf you wish to stop receiving notifications, follow this link.\n`,
      }),
  },
  {
    name: 'a failed authentication',
    from: 'dmarc@provider.example',
    subject: 'Authentication failure',
    kind: 'delivery',
    make: (letter, n) =>
      arf(
        letter,
        'auth-failure',
        [`Original-Rcpt-To: <${letter.to}>`, 'Auth-Failure: dmarc'],
        n % 2 === 0,
      ),
  },
  {
    name: 'not spam',
    from: 'fbl@provider.example',
    subject: 'Not spam',
    kind: 'delivery',
    make: (letter, n) => arf(letter, 'not-spam', [`Original-Rcpt-To: <${letter.to}>`], n % 2 === 0),
  },
]

const each = 6

export const complaints = (): ComplaintSample[] =>
  forms.flatMap(({ name, from, subject, make, kind }) =>
    Array.from({ length: each }, (_, n): ComplaintSample => {
      const letter = letterOf(`complaint ${name} ${n}`)
      const head = [
        pick(['Return-Path: <>', ''], n),
        `From: ${from}`,
        `To: ${letter.from}`,
        `Subject: ${subject}`,
        `Message-ID: <fbl-${n}-${name.replaceAll(/\W/g, '')}@provider.example>`,
      ]
      return {
        name: `${name}, ${n}`,
        raw: mailOf(head, make(letter, n)),
        letter,
        kind: kind ?? 'complaint',
      }
    }),
  )
