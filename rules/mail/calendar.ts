import type { VEvent } from 'node-ical'
import type { Attachment, Email } from 'postal-mime'
import { comparedForm, readEmail } from '../addresses.ts'
import { bounded, eventsIn, instanceOf, instantIn } from '../calendar/events.ts'
import { whenWords } from '../meeting-words.ts'
import { plainLine, plainText } from '../text.ts'
import { bytesOf } from './parsed.ts'

// What a mail says about a meeting, in the parts that calendar programs write for each other (iMIP, RFC 6047): guests' answers to
// invitations of ours, and notes of any other kind.

/** An invitation to somebody else's meeting, its cancellation, or another time for a meeting of ours. */
export type CalendarNote = {
  method: 'request' | 'cancel' | 'counter' | 'declinecounter' | 'refresh' | 'publish'
  uid: string
  /** Its number among the versions of the meeting. */
  sequence: number
  /** Of a series: the occurrence that it is about, by its beginning; empty if it is about the whole. */
  instance: string
  title: string
  /** Null in a cancellation that does not repeat it. */
  startsAt: Date | null
  endsAt: Date | null
  /** It takes whole days. */
  isFullDay: boolean
  /** There are more such meetings. */
  repeats: boolean
  location: string
  agenda: string
  organizer: { address: string; name: string; sentBy: string | null } | null
  /** Those who are invited; in a counter the one who proposes it, first. */
  attendees: string[]
  comment: string
  /** When it was written. */
  at: Date | null
}

const methods: Record<string, CalendarNote['method']> = {
  request: 'request',
  // To people who are not invited, and one more occurrence of a series (RFC 5546, 3.2.1 and 3.2.4).
  publish: 'publish',
  add: 'publish',
  cancel: 'cancel',
  counter: 'counter',
  declinecounter: 'declinecounter',
  refresh: 'refresh',
}
const longest = { title: 300, location: 1_000, agenda: 20_000 }
const mostAttendees = 200

/** What the first event of a mail that has one says; `zone` is the workspace's. */
export function readCalendarNote(parts: CalendarPart[], zone: string): CalendarNote | null {
  for (const { method: given, events } of parts) {
    const method = methods[given]
    if (!method) continue
    for (const event of events) {
      const uid = uidOf(event)
      if (!uid) continue
      const organizer = partyOf((event as { organizer?: unknown }).organizer)
      const attendees = [event.attendee ?? []].flat().flatMap((one) => partyOf(one)?.address ?? [])
      const { recurrenceid } = event
      return {
        ...{ method, uid, ...timesOf(event, zone), repeats: event.rrule !== undefined },
        sequence: sequenceOf(event) ?? 0,
        instance: recurrenceid instanceof Date ? instanceOf(recurrenceid, zone) : '',
        title: plainLine(fieldOf(event, 'summary', longest.title)).trim(),
        location: plainLine(fieldOf(event, 'location', longest.location)).trim(),
        agenda: fieldOf(event, 'description', longest.agenda),
        organizer: organizer ?? null,
        attendees: attendees.slice(0, mostAttendees),
        comment: commentOf(event),
        at: stampOf(event),
      }
    }
  }
  return null
}

function timesOf(event: CalendarPart['events'][number], zone: string) {
  const isFullDay = event.datetype === 'date'
  const [start, end] = [event.start, event.end ?? event.start]
  const none = { startsAt: null, endsAt: null, isFullDay }
  if (!(start instanceof Date) || !(end instanceof Date)) return none
  const [startsAt, endsAt] = [start, end].map((at) => instantIn(zone, at, isFullDay))
  if (!startsAt || !endsAt || Number.isNaN(+startsAt) || Number.isNaN(+endsAt)) return none
  return { startsAt, endsAt: endsAt < startsAt ? startsAt : endsAt, isFullDay }
}

/** Whether the one who invites, or the guest, has written the mail, and no program for many. */
export function isByItsAuthor(note: CalendarNote | null, from: string): boolean {
  if (note === null || ['publish', 'refresh'].includes(note.method)) return false
  if (note.method === 'counter') return true
  const { address, sentBy } = note.organizer ?? { address: '', sentBy: null }
  return [address, sentBy].some((one) => one !== null && comparedForm(one) === comparedForm(from))
}

/**
 * The text of a mail with what its calendar part says: what, when and where above the words of its sender. `text` is what the mail
 * itself says.
 */
export function withNote(text: string, note: CalendarNote | null, zone: string): string {
  if (note === null || (note.method === 'publish' && text !== '')) return text
  const { startsAt, endsAt, isFullDay, repeats } = note
  const when =
    startsAt && endsAt
      ? `${whenWords({ startsAt, endsAt, isFullDay }, zone)}${repeats ? ', repeated' : ''}`
      : ''
  const head = [openings[note.method] + (note.title || 'Meeting'), when, note.location]
  const words = withComment(text || (note.method === 'counter' ? '' : note.agenda), note.comment)
  return [head.filter((line) => line !== '').join('\n'), words]
    .filter((part) => part !== '')
    .join('\n\n')
}

const openings = {
  request: '',
  publish: '',
  cancel: 'Cancelled: ',
  counter: 'Another time proposed: ',
  declinecounter: 'Another time declined: ',
  refresh: 'Asks for the meeting as it is now: ',
}

/** The words of a COMMENT above the text, unless the text says the same: some programs give the text twice, or its beginning. */
export function withComment(text: string, comment: string): string {
  const [said, added] = [text, comment].map((words) =>
    words.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase(),
  )
  if (!added || !said) return text || comment
  const isSaid = said.includes(added) || added.startsWith(said)
  return isSaid ? text : `${comment}\n\n${text}`
}

type CalendarPart = { method: string; events: VEvent[] }

// A mail is about one event (RFC 5546, 3.2), and some programs add it twice. Its description may be long.
const maxParts = 3
const maxBytes = 512 * 1024
const maxEvents = 10

/** What is said in a calendar's language, by METHOD in lower case; `zone` is for times whose own is unknown. */
export const calendarPartsOf = ({ attachments }: Email, zone: string): CalendarPart[] =>
  attachments
    .filter(isCalendar)
    .slice(0, maxParts)
    .flatMap((part) => {
      const text = decoded(part)
      const events = eventsIn(text, zone).slice(0, maxEvents)
      const stated = /^METHOD:\s*([A-Z-]{1,20})\s*$/im.exec(text)?.[1]
      // Some programs say it in the head of the part alone.
      const method = (stated ?? (events.length > 0 ? part.method : undefined))?.toLowerCase()
      return method ? [{ method, events }] : []
    })

const isCalendar = ({ mimeType, filename }: Attachment) =>
  /^(text\/(x-v)?calendar|application\/ics)$/i.test(mimeType) || /\.ics$/i.test(filename ?? '')

/** iCalendar is UTF-8 (RFC 5545, 3.1.4); some programs write it in their own eight bits. */
function decoded(part: Attachment): string {
  const bytes = bytesOf(part).subarray(0, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text of a field, which has parameters at times. */
function fieldOf(event: VEvent, name: string, most: number): string {
  const [first] = [(event as unknown as Record<string, unknown>)[name] ?? ''].flat()
  return bounded(first, most).trim()
}

/** The COMMENT of an event, or an empty text. Some programs add the place and time of the meeting below a line. */
const commentOf = (event: VEvent): string =>
  (fieldOf(event, 'comment', 20_000).split('*~*~*')[0] ?? '').trim()

/** Somebody who takes part or invites. `sentBy` is who writes for them, an empty text if that is not an address. */
type Party = {
  address: string
  name: string
  sentBy: string | null
  answer: string
}

function partyOf(value: unknown): Party | undefined {
  const { val, params = {} } =
    typeof value === 'object' && value !== null
      ? (value as { val?: unknown; params?: Record<string, unknown> })
      : { val: value }
  const address = readEmail(String(val ?? ''))?.value
  if (!address) return undefined
  const given = params['SENT-BY']
  return {
    address,
    name: plainText(String(params.CN ?? '')).slice(0, 300),
    sentBy: given === undefined ? null : (readEmail(String(given))?.value ?? ''),
    answer: String(params.PARTSTAT ?? '').toLowerCase(),
  }
}

/** The UID of an event; undefined if it cannot be kept. */
function uidOf({ uid }: VEvent): string | undefined {
  const text = String(uid ?? '')
  return text === '' || text.length > 1000 || text.includes('\0') ? undefined : text
}

/** Its number among the versions of its event; null if it does not say. */
const sequenceOf = ({ sequence }: VEvent): number | null =>
  Number.isSafeInteger(Number(sequence ?? Number.NaN)) ? Number(sequence) : null

/** When it was written, if it says so. */
const stampOf = ({ dtstamp }: VEvent): Date | null =>
  dtstamp instanceof Date && !Number.isNaN(dtstamp.getTime()) ? new Date(dtstamp) : null

/**
 * A guest's answer to an invitation: a PARTSTAT in lower case. `at` is null if the reply does not say when. `sentBy` is who
 * answers for the guest, an empty text if that is not an address. `sequence` is the version of the meeting that it answers.
 */
export type CalendarReply = {
  uid: string
  address: string
  sentBy: string | null
  answer: string
  sequence: number | null
  at: Date | null
}

/**
 * The answers to invitations in a mail (iMIP METHOD:REPLY, RFC 6047), and what the guest has added in words; null if the mail is
 * not a reply. A reply is about one event and one guest (RFC 5546, 3.2.3).
 */
export function readCalendarReplies(
  parts: CalendarPart[],
): { replies: CalendarReply[]; comment: string } | null {
  const answers = parts.filter(({ method }) => method === 'reply')
  if (answers.length === 0) return null
  const events = answers.flatMap(({ events }) => events)
  const replies = events.flatMap((event) => {
    const uid = uidOf(event)
    const guest = partyOf([event.attendee ?? []].flat()[0])
    if (!uid || !guest || !/^[a-z-]{1,40}$/.test(guest.answer)) return []
    const { address, sentBy, answer } = guest
    return [{ uid, address, sentBy, answer, sequence: sequenceOf(event), at: stampOf(event) }]
  })
  return { replies, comment: events.map(commentOf).find((text) => text !== '') ?? '' }
}
