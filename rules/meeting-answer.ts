import { foldLines, ICalCalendar, ICalCalendarMethod } from 'ical-generator'
import { DateTime } from 'luxon'
import { whenWords } from './meeting-words.ts'
import { plainLine } from './text.ts'

// The answer to somebody else's invitation: the mail, and what their calendar program reads in it (iMIP METHOD:REPLY, RFC 6047).

export const invitationAnswers = ['accepted', 'tentative', 'declined'] as const
export type InvitationAnswer = (typeof invitationAnswers)[number]

/** An invitation to a meeting of somebody else's. Instants are ISO 8601. */
export type Invited = {
  uid: string
  /** Its version. */
  sequence: number
  /** Of a series, the occurrence that it is about, by its beginning; otherwise empty. */
  instance: string
  title: string
  startsAt: string
  endsAt: string
  isFullDay: boolean
  organizer: string
  organizerName: string
  /** The address under which we are invited. */
  invited: string
}
type Said = { answer: InvitationAnswer; comment: string | undefined; name: string }

const openings: Record<InvitationAnswer, string> = {
  accepted: 'Accepted',
  tentative: 'Tentative',
  declined: 'Declined',
}

/** The subject and the text of the mail; `zone` is that of the time in it. */
export function answerLetter(invitation: Invited, { answer, comment }: Said, zone: string) {
  const { title, isFullDay } = invitation
  const times = {
    startsAt: new Date(invitation.startsAt),
    endsAt: new Date(invitation.endsAt),
    isFullDay,
  }
  const subject = `${openings[answer]}: ${plainLine(title).trim()}`.slice(0, 250)
  const words = comment === undefined ? [] : [comment.trim()]
  return { subject, text: [...words, `${subject}\n${whenWords(times, zone)}`].join('\n\n') }
}

type Written = { now: Date; zone: string }

/**
 * The answer in iCalendar; it is about one event and one guest (RFC 5546, 3.2.3). `now` is when it is written; whole days are those
 * of `zone`.
 */
export function answerEvent(
  invitation: Invited,
  { answer, comment, name }: Said,
  { now, zone }: Written,
) {
  const { uid, sequence, instance, title, organizer, organizerName, invited } = invitation
  const { isFullDay } = invitation
  // The library writes a day as UTC has it.
  const at = (instant: string) =>
    isFullDay
      ? DateTime.fromISO(instant, { zone }).setZone('utc', { keepLocalTime: true }).toJSDate()
      : new Date(instant)
  const calendar = new ICalCalendar({
    prodId: { company: 'Postroom', product: 'Postroom', language: 'EN' },
    method: ICalCalendarMethod.REPLY,
  })
  calendar.createEvent({
    ...{ id: uid, sequence, stamp: now, summary: plainLine(title).trim() },
    ...{ start: at(invitation.startsAt), end: at(invitation.endsAt), allDay: isFullDay },
    ...(instance !== '' && { recurrenceId: at(instance) }),
    organizer: { name: organizerName || organizer, email: organizer },
    attendees: [{ email: invited, name, status: answer.toUpperCase() as never }],
  })
  const days = /^(RECURRENCE-ID):(\d{8})T000000Z/m
  const written = calendar.toString()
  const text = isFullDay ? written.replace(days, '$1;VALUE=DATE:$2') : written
  if (comment === undefined) return text
  // The library writes no COMMENT.
  return text.replace(/^END:VEVENT/m, () => `${commentLine(comment)}\r\nEND:VEVENT`)
}

function commentLine(comment: string): string {
  const escaped = comment
    .trim()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
  return foldLines(`COMMENT:${escaped}`)
}
