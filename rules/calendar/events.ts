import { expandRecurringEvent, sync, type VEvent } from 'node-ical'
import { readEmail } from '../addresses.ts'
import { dayStart } from '../local-time.ts'
import { plainText } from '../text.ts'
import { type Instance, isListed, listedInstances, mostMoved, movedOn, originOf } from './series.ts'
import { inKnownZones } from './zones.ts'

// Reads the events of other calendar programs. They may hold anything; what cannot be read is skipped.

export type Window = { from: Date; to: Date }

/** One event, or one occurrence of a recurring event, which `instance` identifies. The length of its texts is limited. */
export type Occurrence = {
  uid: string
  instance: string
  title: string
  agenda: string
  startsAt: Date
  endsAt: Date
  guests: string[]
  replies: { address: string; answer: string }[]
  /** False if the event leaves its time free. */
  busy: boolean
}

// A calendar of meetings does not hold more. Rules are expanded only for as many days as stay within this number, so that no
// occurrence is made in vain.
const mostOccurrences = 1000
const eachDayAtMost = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
/** How often a day an event may recur; rules that list hours and minutes may ask for millions. */
const mostADay = 4
const day = 24 * 60 * 60 * 1000

/** The occurrences in an iCalendar text that overlap the window, without cancelled ones; `zone` is for times whose own is unknown. */
export function occurrencesIn(text: string, window: Window, zone: string): Occurrence[] {
  const found: Occurrence[] = []
  for (const event of eventsIn(text, zone)) {
    if (found.length >= mostOccurrences) break
    try {
      const occurrences = instancesOf(event, window)
        .filter(({ event: { status } }) => status !== 'CANCELLED')
        .flatMap((instance) => occurrenceOf(event, instance, zone) ?? [])
        .filter(({ startsAt, endsAt }) => endsAt > window.from && startsAt < window.to)
      found.push(...occurrences)
    } catch {
      // An event that cannot be expanded is left out.
    }
  }
  return found.slice(0, mostOccurrences)
}

/** The events of an iCalendar text; none if it cannot be read. `zone` is for times whose own is unknown. */
export function eventsIn(text: string, zone: string): VEvent[] {
  try {
    return Object.values(sync.parseICS(inKnownZones(text, zone))).filter(
      (component): component is VEvent => component?.type === 'VEVENT',
    )
  } catch {
    return []
  }
}

function instancesOf(event: VEvent, window: Window): Instance[] {
  // Days begin and end elsewhere at other instants, and a moved occurrence may come from outside of the window.
  const beyond = day + mostMoved(event)
  const from = new Date(window.from.getTime() - beyond)
  const to = new Date(window.to.getTime() + beyond)
  const until = event.rrule ? expandableUntil(event, event.rrule.toString(), from) : to
  if (!until) return []
  const isSet = event.rrule === undefined && isListed(event)
  const byRule = isSet
    ? []
    : expandRecurringEvent(event, { from, to: earlier(to, until), expandOngoing: true })
  const known = new Set(byRule.map((instance) => +originOf(instance)))
  const listed = listedInstances(event, mostOccurrences).filter(
    (instance) => !known.has(+originOf(instance)),
  )
  return movedOn(event, [...byRule, ...listed])
}

/** Until when a rule is expanded; undefined if it recurs too often, or if each occurrence lasts too long. */
function expandableUntil(event: VEvent, rule: string, from: Date): Date | undefined {
  if (!eachDayAtMost.has(/FREQ=([A-Z]+)/.exec(rule)?.[1] ?? '')) return undefined
  const aDay = ['BYHOUR', 'BYMINUTE', 'BYSECOND'].reduce(
    (times, part) =>
      times *
      (rule
        .split(`${part}=`)[1]
        ?.split(/[;\r\n]/)[0]
        ?.split(',').length ?? 1),
    1,
  )
  // Occurrences that began before the window and have not ended belong to it.
  const lastsMs = event.end ? event.end.getTime() - event.start.getTime() : day
  const days = Math.floor(mostOccurrences / aDay) - Math.ceil(Math.max(lastsMs, 0) / day) - 2
  return aDay <= mostADay && days > 0 ? new Date(from.getTime() + days * day) : undefined
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)

function occurrenceOf(event: VEvent, instance: Instance, zone: string): Occurrence | undefined {
  const { start, end, isFullDay, isRecurring, event: own } = instance
  const startsAt = instantIn(zone, start, isFullDay)
  const endsAt = instantIn(zone, end, isFullDay)
  if (!startsAt || !endsAt || Number.isNaN(startsAt.getTime()) || endsAt < startsAt)
    return undefined
  const attendees = [own.attendee ?? []].flat().flatMap((attendee) => {
    const [value, params] =
      typeof attendee === 'string' ? [attendee, {}] : [attendee.val, attendee.params]
    const address = readEmail(String(value))?.value
    return address ? [{ address, answer: String(params.PARTSTAT ?? '').toLowerCase() }] : []
  })
  return {
    uid: bounded(event.uid, 1000),
    instance: isRecurring ? instanceOf(originOf(instance), zone, isFullDay) : '',
    title: bounded(own.summary, 1000),
    agenda: bounded(own.description, 20_000),
    startsAt,
    endsAt,
    guests: [...new Set(attendees.map(({ address }) => address))],
    replies: attendees.filter(({ answer }) => answer !== '' && answer !== 'needs-action'),
    busy: own.transparency !== 'TRANSPARENT',
  }
}

/** Days without a time come as midnights of this machine's zone; they are those of the workspace. */
export function instantIn(zone: string, at: Instance['start'], fullDay: boolean): Date {
  const two = (n: number) => String(n).padStart(2, '0')
  return fullDay
    ? dayStart(zone, `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`)
    : new Date(at)
}

/** By what an occurrence of a series is known: when it would begin if it had not been moved, as ISO 8601. */
export const instanceOf = (
  origin: Date & { dateOnly?: true },
  zone: string,
  isFullDay = false,
): string => instantIn(zone, origin, origin.dateOnly ?? isFullDay).toISOString()

// Texts with parameters come as an object.
export function bounded(value: unknown, most: number): string {
  const text =
    typeof value === 'object' && value !== null ? (value as { val?: unknown }).val : value
  return plainText(String(text ?? '').slice(0, most))
}
