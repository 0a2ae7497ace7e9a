import { createHash } from 'node:crypto'
import { plainLine, plainText } from '../text.ts'
import type { Authentication } from './authentication.ts'
import type { AutoReply } from './automatic/auto-reply.ts'
import type { CalendarNote, CalendarReply } from './calendar.ts'
import { fieldsIn, valueIn } from './mime/fields.ts'
import { type Sender, shownIn } from './writer.ts'

// What the inbox keeps of a mail, and what a worker reads of it by itself. The rest is read in a child process (read.ts), so
// the worker does not load what that needs.

export type ReceivedFile = {
  name: string
  type: string
  content: Buffer
  /** The name by which the HTML refers to it, without brackets. */
  cid: string | null
}

/** What a mail server, a provider or a mail program reports; only a claim until a letter of ours proves it (db/inbox/proof.ts). */
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
  others?: Pick<Report, 'permanent' | 'code' | 'recipients'>[]
  /** It comes from a mail server, and its words do not say what it reports. */
  unclear?: true
  /** What the server said in its own words, if it stands in a field of its own. */
  said?: string
}

/** What depends on who wrote a mail. */
export type Reading = Pick<
  ReceivedMail,
  'from' | 'suspect' | 'automated' | 'weak' | 'unclear' | 'autoReply' | 'report'
>

export type ReceivedMail = {
  /** With its angle brackets. For a mail without one it is derived from the content, so that it is the same each time. */
  messageId: string
  /** The Message-IDs that it had before a provider replaced them. */
  originalIds: string[]
  /** In-Reply-To and References, the closest last. */
  references: string[]
  from: Sender
  /** The sender may be forged: the mail is shown, but nothing may follow from it. */
  suspect: boolean
  /** Where it asks for answers, if that is elsewhere than From. */
  replyTo: Sender[]
  /** The same mail as that of the writer whom a group or a form names, if From is an address of ours. */
  written: Reading | null
  to: string[]
  cc: string[]
  /** Only mail of ours may have it: it is not sent to anybody else. */
  bcc: string[]
  /** The value of Date, if that is a date. */
  date: Date | null
  subject: string
  text: string
  /** As it came, without control characters; null if the mail has none, or one that is too long to keep. */
  html: string | null
  files: ReceivedFile[]
  /** No person wrote it: it says so itself (RFC 3834), it is a report or an answer to an invitation, or a mail server sent it. */
  automated: boolean
  /** It has signs of a program that people's mail may have too, such as those of a list: it is automatic unless it answers us. */
  weak: boolean
  /** A person sent it, as far as one can tell, but it reads like something that a program wrote. */
  unclear: boolean
  autoReply: AutoReply | null
  report: Report | null
  /** Guests' answers to invitations, written by a calendar program. */
  calendarReplies: CalendarReply[]
  /** What it says about another meeting, or another time for one of ours; null if it says nothing of the kind. */
  calendarNote: CalendarNote | null
  /** What the headers claim about the sender, the topmost first. Who made each claim is not known here. */
  authentication: Authentication[]
  /** The same about the mail that a group has sent on. */
  originalAuthentication: Authentication[]
}

/** It is about a meeting that is known already, and so no beginning of a conversation. */
export const isAboutMeeting = ({ calendarReplies, calendarNote }: ReceivedMail): boolean =>
  calendarReplies.length > 0 ||
  ['cancel', 'counter', 'declinecounter', 'refresh'].includes(calendarNote?.method ?? '')

const maxReferences = 100

export const line = (text: string) => plainLine(text).trim()

const idPattern = /<[^<>\s]{1,990}>/
// Postgres indexes at most 2,704 bytes. A valid id is ASCII (RFC 5322, 3.6.4), but an invalid one may take three bytes a
// character.
const isKept = (id: string) => Buffer.byteLength(id) <= 2_000
/** The first Message-ID in a text, with its brackets. */
export const idIn = (value: string) => idPattern.exec(plainText(value))?.find(isKept)

// Some programs leave out the brackets of an id, or break it over two lines.
const idsPattern = /<([^<>]{1,1990})>|([^<>\s,;"'()]+)/g
const bareId = /^[^<>@\s]{1,400}@[^<>@\s]{1,500}$/

function idsIn(text: string): string[] {
  return [...text.matchAll(idsPattern)].flatMap(([whole, bracketed, bare = '']) => {
    if (bracketed === undefined) return bareId.test(bare) ? `<${bare}>` : []
    if (idPattern.test(whole)) return whole
    const id = bracketed.replaceAll(/\s+/g, '')
    return bareId.test(id) ? `<${id}>` : []
  })
}

export function referencesIn(value: string): string[] {
  const text = plainText(value).slice(0, 100_000)
  return [...new Set(idsIn(text))].filter(isKept).slice(-maxReferences)
}

export function bodyAt(raw: Buffer): number {
  const at = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((place) => place >= 0)
  return at.length > 0 ? Math.min(...at) : 0
}

export function dateOf(value: string | undefined): Date | null {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

/** What the head of a mail says of which mail it is; `messageId` is empty if it has none. */
export function headIn(head: Buffer): { messageId: string; from: string; dated: Date | null } {
  const fields = fieldsIn(head)
  const said = (name: string) => valueIn(fields, name) ?? ''
  return {
    messageId: idIn(said('message-id')) ?? '',
    from: said('from'),
    dated: dateOf(said('date')),
  }
}

/**
 * Reads the head by hand, as far as possible, and keeps the whole mail as a file. This is cheap for any mail, and nothing in
 * the mail can prevent it from being stored. Nothing may follow from such a mail, because it was not read in the usual way.
 */
export function unreadable(raw: Buffer): ReceivedMail {
  const head = raw.subarray(0, 64 * 1024).toString('latin1')
  const field = (name: string) =>
    line(new RegExp(`^${name}:[ \\t]{0,20}([^\\r\\n]{0,900})`, 'im').exec(head)?.[1] ?? '')
  const hash = createHash('sha256')
    .update(raw.subarray(bodyAt(raw)))
    .digest('hex')
  return {
    messageId: idIn(field('Message-ID')) ?? `<${hash}@no-message-id.invalid>`,
    originalIds: [],
    references: referencesIn(`${field('References')} ${field('In-Reply-To')}`),
    from: { name: '', address: shownIn(field('From')) },
    suspect: true,
    replyTo: [],
    written: null,
    to: [],
    cc: [],
    bcc: [],
    date: dateOf(field('Date')),
    subject: field('Subject'),
    text: 'This message could not be read; it is attached as it came.',
    html: null,
    files: [{ name: 'message.eml', type: 'message/rfc822', content: raw, cid: null }],
    automated: false,
    weak: false,
    unclear: false,
    autoReply: null,
    report: null,
    calendarReplies: [],
    calendarNote: null,
    authentication: [],
    originalAuthentication: [],
  }
}
