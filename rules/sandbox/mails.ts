import { DateTime } from 'luxon'
import { referencesTo } from '../outgoing.ts'
import { cut, plainLine } from '../text.ts'
import { type Back, sandboxDomain, type Wish } from './recipients.ts'

// The mails that come back to a sandbox: what people, their programs and their servers would write. They are whole mails (RFC 5322),
// read as any other.

/** The letter that they answer. */
export type Letter = {
  from: { name: string; address: string }
  toName?: string | undefined
  subject: string
  text: string
  messageId: string
  references: string[]
  date: Date
  calendar?: { method: string; content: string } | undefined
}

/** `id` tells this mail from all others; `now` is when it is written. */
type Context = { recipient: string; id: string; now: Date }

const words: Record<Wish, string> = {
  interested: 'Thank you for your letter. I am interested. Please tell me more about it.',
  question: 'Thank you for your letter. I have a question: does it work without the internet?',
  quote: 'Thank you for your letter. Please send me an offer with your prices.',
  meeting: 'Thank you for your letter. Thursday at ten suits me. Please call me.',
  declined: 'Thank you for your letter, but we are not interested.',
}
const thanks = 'Thank you for your answer. I will come back to you.'
const mostQuoted = 10_000
const mostSubject = 200

/**
 * The mail that comes back for a letter; undefined if none does: the invitation that a recipient would answer is missing, they are
 * there again, or have had the last word. A person answers the first letter of a thread as they are named, and the next one with
 * thanks.
 */
export function mailBack(letter: Letter, back: Back, context: Context): string | undefined {
  const answers = letter.references.filter((id) => id.endsWith(`@${sandboxDomain}>`)).length
  if (back.kind === 'bounce') return bounce(letter, context)
  if (back.kind === 'complaint') return complaint(letter, context)
  if (back.kind === 'meeting') return meetingAnswer(letter, back.answer, context)
  if (back.kind === 'away')
    return context.now.toISOString().slice(0, 10) < back.until
      ? away(letter, back.until, context)
      : undefined
  if (back.kind === 'unsubscribe')
    return reply(letter, 'Please unsubscribe me from your list.', context)
  if (answers > 1) return undefined
  return reply(letter, answers === 0 ? words[back.wish] : thanks, context)
}

function reply(letter: Letter, said: string, context: Context) {
  return mail(
    [
      ...personal(letter, context, `Re: ${bare(letter.subject)}`),
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
    ],
    base64(`${said}\n\n${quotation(letter)}`),
  )
}

function away(letter: Letter, until: string, context: Context) {
  const day = DateTime.fromISO(until, { zone: 'utc' }).toFormat('d MMMM yyyy', { locale: 'en' })
  return mail(
    [
      ...personal(letter, context, `Automatic reply: ${bare(letter.subject)}`),
      'Auto-Submitted: auto-replied',
      'X-Auto-Response-Suppress: All',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
    ],
    base64(`Thank you for your mail. I am out of the office until ${day}.\n`),
  )
}

/** An answer to the invitation (iTIP, RFC 5546, and iMIP, RFC 6047). */
function meetingAnswer({ calendar, ...letter }: Letter, answer: string, context: Context) {
  if (calendar?.method !== 'request') return undefined
  const lines = calendar.content.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const begin = lines.indexOf('BEGIN:VEVENT')
  const event = lines.slice(begin + 1, lines.indexOf('END:VEVENT'))
  const kept = event.filter((line) =>
    /^(UID|SEQUENCE|ORGANIZER|DTSTART|DTEND|SUMMARY|RECURRENCE-ID)[;:]/i.test(line),
  )
  const zones = lines.slice(
    Math.max(lines.indexOf('BEGIN:VTIMEZONE'), 0),
    lines.lastIndexOf('END:VTIMEZONE') + 1,
  )
  const content = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Postroom//Sandbox//EN',
    'METHOD:REPLY',
    ...zones,
    'BEGIN:VEVENT',
    ...kept,
    `DTSTAMP:${context.now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `ATTENDEE;PARTSTAT=${answer}:mailto:${context.recipient}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  const said: Record<string, string> = {
    ACCEPTED: 'Accepted',
    TENTATIVE: 'Tentative',
    DECLINED: 'Declined',
  }
  return mail(
    [
      ...personal(letter, context, `${said[answer]}: ${bare(letter.subject)}`),
      'Content-Type: text/calendar; charset=utf-8; method=REPLY',
      'Content-Transfer-Encoding: base64',
    ],
    base64(content.map(folded).join('\r\n')),
  )
}

/** A report of the server that could not deliver the letter (RFC 3461 to 3464). */
function bounce(letter: Letter, { recipient, id, now }: Context) {
  const edge = `bounce-${id}`
  return mail(
    [
      ...machine(
        letter,
        'Mail Delivery Subsystem',
        'mailer-daemon',
        'Undelivered Mail Returned to Sender',
        {
          id,
          now,
        },
      ),
      'Auto-Submitted: auto-replied',
      `Content-Type: multipart/report; report-type=delivery-status; boundary="${edge}"`,
    ],
    [
      `--${edge}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'Your message could not be delivered to the following address:',
      '',
      `<${recipient}>: host ${sandboxDomain} said: 550 5.1.1 No such user here`,
      '',
      `--${edge}`,
      'Content-Type: message/delivery-status',
      '',
      `Reporting-MTA: dns; ${sandboxDomain}`,
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Original-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 No such user here',
      '',
      ...returned(letter, recipient, edge, 'text/rfc822-headers'),
    ].join('\r\n'),
  )
}

/** A report of a provider whose user has called the letter spam (ARF, RFC 5965). */
function complaint(letter: Letter, { recipient, id, now }: Context) {
  const edge = `complaint-${id}`
  return mail(
    [
      ...machine(letter, 'Feedback Loop', 'feedback', `FW: ${bare(letter.subject)}`, { id, now }),
      `Content-Type: multipart/report; report-type=feedback-report; boundary="${edge}"`,
    ],
    [
      `--${edge}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This is an e-mail abuse report for a message that you have sent.',
      '',
      `--${edge}`,
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'User-Agent: Postroom-Sandbox/1.0',
      'Version: 1',
      `Original-Mail-From: <${letter.from.address}>`,
      `Original-Rcpt-To: <${recipient}>`,
      `Arrival-Date: ${rfc2822(now)}`,
      '',
      ...returned(letter, recipient, edge, 'message/rfc822'),
    ].join('\r\n'),
  )
}

const returned = (letter: Letter, recipient: string, edge: string, type: string) => [
  `--${edge}`,
  `Content-Type: ${type}`,
  '',
  `Message-ID: ${letter.messageId}`,
  `Date: ${rfc2822(letter.date)}`,
  `From: ${mailbox(letter.from.name, letter.from.address)}`,
  `To: ${recipient}`,
  `Subject: ${word(letter.subject)}`,
  '',
  `--${edge}--`,
  '',
]

/** The head of what a person writes, or their program in their name. */
const personal = (
  letter: Omit<Letter, 'calendar'>,
  { recipient, id, now }: Context,
  subject: string,
) => [
  ...head(letter, subject, { id, now }),
  `From: ${mailbox(letter.toName ?? '', recipient)}`,
  `In-Reply-To: ${letter.messageId}`,
  `References: ${referencesTo(letter.messageId, letter.references).join('\r\n ')}`,
]

const machine = (
  letter: Letter,
  name: string,
  account: string,
  subject: string,
  at: Omit<Context, 'recipient'>,
) => [
  'Return-Path: <>',
  ...head(letter, subject, at),
  `From: ${mailbox(name, `${account}@${sandboxDomain}`)}`,
]

const head = (
  letter: Pick<Letter, 'from'>,
  subject: string,
  { id, now }: Omit<Context, 'recipient'>,
) => [
  `Received: by ${sandboxDomain}; ${rfc2822(now)}`,
  `Date: ${rfc2822(now)}`,
  `Message-ID: <${id}@${sandboxDomain}>`,
  `To: ${letter.from.address}`,
  `Subject: ${word(subject)}`,
  'MIME-Version: 1.0',
]

const mail = (lines: string[], body: string) => `${lines.join('\r\n')}\r\n\r\n${body}`

function quotation({ text, from, date }: Letter): string {
  const quoted = cut(text, mostQuoted)
    .trimEnd()
    .split('\n')
    .map((line) => `> ${line.trimEnd()}`)
  const day = DateTime.fromJSDate(date, { zone: 'utc' }).toFormat('d MMMM yyyy', { locale: 'en' })
  return `On ${day}, ${plainLine(from.name)} <${from.address}> wrote:\n${quoted.join('\n')}\n`
}

const bare = (subject: string) => cut(plainLine(subject), mostSubject).replace(/^(re:\s*)+/i, '')

/** A date as RFC 5322 has it. */
const rfc2822 = (at: Date) => DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822() as string

/** Words of a header, as encoded words (RFC 2047) where they are more than plain ASCII. */
function word(text: string): string {
  const line = cut(plainLine(text), mostSubject)
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes('=?')) return line
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > 42) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
    .map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`)
    .join('\r\n ')
}

const mailbox = (name: string, address: string) =>
  name === ''
    ? `<${address}>`
    : `${/^[\w .'-]+$/.test(name) ? `"${name}"` : word(name)} <${address}>`

const base64 = (text: string) =>
  Buffer.from(text)
    .toString('base64')
    .replace(/.{76}/g, (line) => `${line}\r\n`)

/** A line of iCalendar (RFC 5545, 3.1), which has at most 75 octets; these are cut by characters, well below that. */
const folded = (line: string) => line.replace(/(?=.).{36}(?!$)/gu, (part) => `${part}\r\n `)
