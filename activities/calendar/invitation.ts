import { foldLines, ICalCalendar, type ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { DateTime } from 'luxon'
import type { InvitationMethod, Proposal } from '../../db/calendar/tables.ts'
import { whenWords } from '../../rules/meeting-words.ts'
import { plainLine } from '../../rules/text.ts'
import { vtimezoneOf } from './vtimezone.ts'

// A meeting in iCalendar (RFC 5545): the mail that guests get (iMIP, RFC 6047), and the event on the calendar's server.

export type Invited = {
  uid: string
  sequence: number
  title: string
  agenda: string
  /** The zone in which the meeting was booked. */
  zone: string
  startsAt: Date
  endsAt: Date
  guests: string[]
  replies: { address: string; answer: string }[]
}
export type Organizer = { name: string; address: string }

/** The METHOD of each mail to a guest (RFC 5546, 1.4): a move is a request with a higher SEQUENCE. */
export const iTipMethods = {
  request: 'request',
  update: 'request',
  cancel: 'cancel',
  decline: 'declinecounter',
} as const

/** `stamp` is the time of writing. A request and its cancellation differ in METHOD, SEQUENCE and STATUS. */
export function iMipOf(
  method: InvitationMethod,
  meeting: Invited,
  organizer: Organizer,
  stamp: Date,
): string {
  const calendar = calendarOf(meeting, organizer, stamp, method === 'cancel')
  calendar.method(iTipMethods[method].toUpperCase() as ICalCalendarMethod)
  return calendar.toString()
}

/**
 * The event as its calendar's server keeps it: without METHOD (RFC 4791 §4.1). We write to the guests ourselves; SCHEDULE-AGENT
 * (RFC 6638 §7.1) keeps a server that would do so too from inviting everybody twice.
 */
export function storedEventOf(meeting: Invited, organizer: Organizer | undefined, stamp: Date) {
  const text = calendarOf(meeting, organizer, stamp, false).toString()
  const unfolded = text.replaceAll('\r\n ', '')
  return foldLines(unfolded.replace(/^(ATTENDEE|ORGANIZER)(?=[;:])/gm, '$1;SCHEDULE-AGENT=CLIENT'))
}

function calendarOf(
  meeting: Invited,
  organizer: Organizer | undefined,
  stamp: Date,
  cancelled: boolean,
) {
  const { uid, sequence, title, agenda, zone, startsAt, endsAt } = meeting
  const calendar = new ICalCalendar({
    prodId: { company: 'Postroom', product: 'Postroom', language: 'EN' },
    // The zone is set on the event. If it were set on the whole calendar, the library would also use it for DTSTAMP, which must
    // be in UTC.
    timezone: { name: null, generator: (name) => vtimezoneOf(name, [startsAt, endsAt]) },
  })
  const inZone = (at: Date) => DateTime.fromJSDate(at, { zone: isUtc(zone) ? 'utc' : zone })
  calendar.createEvent({
    id: uid,
    sequence,
    stamp,
    start: inZone(startsAt),
    end: inZone(endsAt),
    ...(!isUtc(zone) && { timezone: zone }),
    summary: oneLine(title),
    ...(agenda !== '' && { description: agenda }),
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    ...(organizer && {
      organizer: { name: organizer.name || organizer.address, email: organizer.address },
      attendees: meeting.guests.map((email) => ({
        email,
        rsvp: !cancelled,
        role: 'REQ-PARTICIPANT' as never,
        status: statusOf(meeting, email) as never,
      })),
    }),
  })
  return calendar
}

const isUtc = (zone: string) => /^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal|Greenwich)$/i.test(zone)

const statuses = new Set(['ACCEPTED', 'DECLINED', 'TENTATIVE'])
function statusOf({ replies }: Invited, address: string) {
  const answer = replies.find((reply) => reply.address === address)?.answer.toUpperCase()
  return answer && statuses.has(answer) ? answer : 'NEEDS-ACTION'
}

/** A title on a single line: mail subjects and summaries have no line breaks. */
const oneLine = (title: string): string => plainLine(title).replace(/\s+/g, ' ').trim()

/** The text for a guest without a calendar program. */
export function letterOf(
  method: InvitationMethod,
  meeting: Invited,
  organizer: Organizer,
  proposal?: Proposal,
) {
  const title = oneLine(meeting.title)
  const when = whenWords(meeting, meeting.zone)
  const who = organizer.name || organizer.address
  const { subject, first } = openings[method]
  const agenda = ['request', 'update'].includes(method) ? meeting.agenda.trim() : ''
  const proposed = proposal
    ? `You proposed ${whenWords({ startsAt: new Date(proposal.startsAt), endsAt: new Date(proposal.endsAt) }, meeting.zone)}.`
    : ''
  const parts = [first(who), `${title}\n${when}`, agenda, proposed]
  return {
    subject: `${subject}: ${title}`,
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  }
}

const openings: Record<InvitationMethod, { subject: string; first(who: string): string }> = {
  request: { subject: 'Invitation', first: (who) => `${who} invites you to a meeting:` },
  update: { subject: 'New time', first: (who) => `${who} has moved this meeting:` },
  cancel: { subject: 'Cancelled', first: (who) => `${who} has cancelled this meeting:` },
  decline: {
    subject: 'Not moved',
    first: (who) => `${who} cannot make the time that you proposed. The meeting stays when it is:`,
  },
}
