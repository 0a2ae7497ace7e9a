import { type EventInstance, expandRecurringEvent, sync, type VEvent } from 'node-ical'
import { readEmail } from '../../db/addresses.ts'
import { dayStart, instantOf } from '../../db/local-time.ts'
import type { Occurrence } from '../../db/meeting-mirror.ts'
import type { Window } from './calendar.ts'

// Reads the events of other calendar programs. They may be anything: what cannot be read is passed over.

// Longer windows, or rules that recur many times a day, are no calendar of meetings.
const mostOccurrences = 1000
const eachDayAtMost = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])

/** The occurrences in an iCalendar text that overlap the window, cancelled ones left out; `zone` is for times without one. */
export function occurrencesIn(text: string, window: Window, zone: string): Occurrence[] {
  return eventsIn(text).flatMap((event) => {
    try {
      return instancesOf(event, window)
        .filter(({ event: { status } }) => status !== 'CANCELLED')
        .slice(0, mostOccurrences)
        .flatMap((instance) => occurrenceOf(event, instance, zone) ?? [])
        .filter(({ startsAt, endsAt }) => endsAt > window.from && startsAt < window.to)
    } catch {
      return []
    }
  })
}

/** The events of an iCalendar text; none where it cannot be read. */
export function eventsIn(text: string): VEvent[] {
  try {
    return Object.values(sync.parseICS(text)).filter(
      (component): component is VEvent => component?.type === 'VEVENT',
    )
  } catch {
    return []
  }
}

function instancesOf(event: VEvent, { from, to }: Window): EventInstance[] {
  const frequency = /FREQ=([A-Z]+)/.exec(event.rrule?.toString() ?? '')?.[1]
  if (event.rrule && !eachDayAtMost.has(frequency ?? '')) return []
  return expandRecurringEvent(event, { from, to, expandOngoing: true })
}

function occurrenceOf(
  event: VEvent,
  { start, end, isFullDay, isRecurring, event: own }: EventInstance,
  zone: string,
): Occurrence | undefined {
  const startsAt = instantIn(zone, start, isFullDay)
  const endsAt = instantIn(zone, end, isFullDay)
  if (!startsAt || !endsAt || Number.isNaN(startsAt.getTime()) || endsAt < startsAt)
    return undefined
  const original = own.recurrenceid instanceof Date ? own.recurrenceid : start
  const attendees = [own.attendee ?? []].flat().flatMap((attendee) => {
    const [value, params] =
      typeof attendee === 'string' ? [attendee, {}] : [attendee.val, attendee.params]
    const address = readEmail(String(value))?.value
    return address ? [{ address, answer: String(params.PARTSTAT ?? '').toLowerCase() }] : []
  })
  return {
    uid: bounded(event.uid, 1000),
    instance: isRecurring ? original.toISOString() : '',
    title: bounded(own.summary, 1000),
    agenda: bounded(own.description, 20_000),
    startsAt,
    endsAt,
    guests: [...new Set(attendees.map(({ address }) => address))],
    replies: attendees.filter(({ answer }) => answer !== '' && answer !== 'needs-action'),
    busy: own.transparency !== 'TRANSPARENT',
  }
}

/**
 * Days without a time, and times without a zone, come as the wall clock of this machine: what they say is the wall clock of
 * the workspace.
 */
function instantIn(zone: string, at: EventInstance['start'], fullDay: boolean): Date | undefined {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  if (fullDay) return dayStart(zone, day)
  if (at.tz) return new Date(at)
  return instantOf(zone, day, `${two(at.getHours())}:${two(at.getMinutes())}`) ?? new Date(at)
}

// Texts with parameters come as an object; NUL is nothing Postgres keeps.
function bounded(value: unknown, most: number): string {
  const text =
    typeof value === 'object' && value !== null ? (value as { val?: unknown }).val : value
  return String(text ?? '')
    .replaceAll('\0', '')
    .slice(0, most)
    .toWellFormed()
}
