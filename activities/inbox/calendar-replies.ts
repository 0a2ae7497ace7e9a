import type { VEvent } from 'node-ical'
import type { Email } from 'postal-mime'
import { readEmail } from '../../rules/addresses.ts'
import { plainText } from '../../rules/text.ts'
import { eventsIn } from '../ports/calendar/events.ts'
import { textOf } from './attachments.ts'

/**
 * A guest's answer to an invitation: a PARTSTAT in lower case. `at` is null if the reply does not say when. `sentBy` is who
 * answers for the guest, an empty text if that is not an address.
 */
export type CalendarReply = {
  uid: string
  address: string
  sentBy: string | null
  answer: string
  at: Date | null
}

// A reply is about one event and one guest (RFC 5546, 3.2.3) and a few kilobytes long; some programs add it twice.
const maxParts = 3
const maxBytes = 64 * 1024
const maxReplies = 10

/**
 * The answers to invitations in a mail (iMIP METHOD:REPLY, RFC 6047), and what the guest has added in words; null if the mail is
 * not a reply.
 */
export function readCalendarReplies({
  attachments,
}: Email): { replies: CalendarReply[]; comment: string } | null {
  const parts = attachments
    .filter(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics')
    .slice(0, maxParts)
    .map((part) => textOf(part, maxBytes))
    .filter((text) => /^METHOD:REPLY[ \t]*\r?$/im.test(text))
  if (parts.length === 0) return null
  const events = parts.flatMap(eventsIn).slice(0, maxReplies)
  const comment = events.map(commentOf).find((text) => text !== '')
  return { replies: repliesIn(events), comment: comment ?? '' }
}

/** The COMMENT of an event (RFC 5546, 3.2.3), or an empty text. Some programs add the place and time of the meeting below a line. */
function commentOf(event: VEvent): string {
  const [first] = [(event as { comment?: unknown }).comment ?? ''].flat()
  const value = typeof first === 'object' ? (first as { val?: unknown }).val : first
  const [own = ''] = plainText(String(value ?? '')).split('*~*~*')
  return own.trim()
}

function repliesIn(events: VEvent[]): CalendarReply[] {
  return events.flatMap((event) => {
    const [attendee] = [event.attendee ?? []].flat()
    if (!attendee || typeof attendee === 'string') return []
    const address = readEmail(String(attendee.val))?.value
    const given = attendee.params?.['SENT-BY' as keyof typeof attendee.params]
    const sentBy = given === undefined ? null : (readEmail(String(given))?.value ?? '')
    const answer = String(attendee.params?.PARTSTAT ?? '').toLowerCase()
    const uid = String(event.uid ?? '')
    if (!address || !/^[a-z-]{1,40}$/.test(answer) || uid.length > 1000 || uid.includes('\0'))
      return []
    const at = event.dtstamp instanceof Date ? event.dtstamp : null
    return [{ uid, address, sentBy, answer, at: at && !Number.isNaN(at.getTime()) ? at : null }]
  })
}
