import { comparedForm } from '../../addresses.ts'
import { instanceOf, instantIn } from '../../calendar/events.ts'
import { whenWords } from '../../meeting-words.ts'
import { plainLine } from '../../text.ts'
import {
  type CalendarPart,
  commentOf,
  fieldOf,
  partyOf,
  sequenceOf,
  stampOf,
  uidOf,
} from './parts.ts'

// What a mail says about a meeting, other than an answer to our invitation: an invitation to somebody else's meeting, its
// cancellation, or another time for a meeting of ours.

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
