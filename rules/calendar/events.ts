import { DateTime, Duration } from 'luxon'
import { type EventInstance, expandRecurringEvent, sync, type VEvent } from 'node-ical'
import { readEmail } from '../addresses.ts'
import { dayStart, offsetSeconds } from '../local-time.ts'
import { plainText } from '../text.ts'
import { clockZone, inKnownZones, rangeField } from './zones.ts'

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

// What the library leaves out of series: dates that are listed (RDATE, RFC 5545, 3.8.5.2), and changes of an occurrence that hold
// for all later ones (RANGE=THISANDFUTURE, 3.2.13).

/** An occurrence. `origin` is when it would have begun if it had not been moved; without it, when it begins. */
type Instance = EventInstance & { origin?: Date }

/** When an occurrence would begin by its series: by this it is known. */
const originOf = ({ origin, event, start }: Instance): Date =>
  origin ?? (event.recurrenceid instanceof Date ? event.recurrenceid : start)

type Override = Pick<VEvent, 'start' | 'end' | 'recurrenceid' | 'status'> & Record<string, unknown>

const overridesOf = ({ recurrences }: VEvent): Override[] => [
  ...new Set(Object.values(recurrences ?? {}) as unknown as Override[]),
]

const rdatesOf = (event: VEvent) => [(event as { rdate?: unknown }).rdate ?? []].flat()

/** Whether its occurrences are listed one by one: by dates, or because nothing but single ones is given. */
const isListed = (event: VEvent): boolean =>
  rdatesOf(event).length > 0 || event.recurrenceid !== undefined || overridesOf(event).length > 0

/** The occurrences that are listed; of an event without a rule its own too. */
function listedInstances(event: VEvent, most: number): Instance[] {
  if (!isListed(event)) return []
  const isFullDay = event.datetype === 'date' || event.start?.dateOnly === true
  const overrides = overridesOf(event).filter(({ recurrenceid }) => recurrenceid instanceof Date)
  const begins = event.rrule || event.recurrenceid ? [] : [{ start: event.start, end: undefined }]
  const dates = [...begins, ...rdatesOf(event).flatMap((rdate) => datesIn(rdate, isFullDay))]
    .slice(0, most)
    .filter(({ start }) => !isLeftOut(event, start, isFullDay))
  const own = dates.map(({ start, end }) => {
    const instead = overrides.find(({ recurrenceid }) => +(recurrenceid as Date) === +start)
    return instead
      ? asMoved(event, instead)
      : { ...shape(event, isFullDay), start, end: end ?? lasting(event, start, isFullDay) }
  })
  // With a rule, the library has those already.
  const others = event.rrule
    ? []
    : overrides.filter(
        ({ recurrenceid }) => !dates.some(({ start }) => +start === +(recurrenceid as Date)),
      )
  return [...own, ...others.slice(0, most).map((override) => asMoved(event, override))]
}

const shape = (event: VEvent, isFullDay: boolean) => ({
  summary: '',
  isFullDay,
  isRecurring: true,
  isOverride: false,
  event,
})

const asMoved = (event: VEvent, override: Override): Instance => ({
  ...shape(event, override.start?.dateOnly === true),
  isOverride: true,
  event: override as unknown as VEvent,
  start: override.start,
  end: override.end ?? override.start,
})

function lasting(event: VEvent, start: Date, isFullDay: boolean): Date {
  const lastsMs = (event.end?.getTime() ?? event.start.getTime()) - event.start.getTime()
  if (!isFullDay) return new Date(start.getTime() + lastsMs)
  return laterDay(start, Math.max(1, Math.round(lastsMs / dayMs)))
}

const dayMs = 24 * 60 * 60 * 1000
/** Days are midnights of this machine's zone. */
const laterDay = (at: Date, days: number) =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)

function isLeftOut({ exdate }: VEvent, start: Date, isFullDay: boolean): boolean {
  const all = Object.values(exdate ?? {})
  return all.some(
    (at) => +at === +start || (at.dateOnly && !isFullDay && +at === +laterDay(start, 0)),
  )
}

/** The dates of an RDATE, whose times have a zone or are in UTC; a period has its own end. */
function datesIn(rdate: unknown, isFullDay: boolean) {
  const { val, params } =
    typeof rdate === 'object' && rdate !== null
      ? (rdate as { val?: unknown; params?: { TZID?: unknown } })
      : { val: rdate, params: {} }
  const zone = clockZone(String(params?.TZID ?? 'UTC'))
  return String(val ?? '')
    .split(',')
    .flatMap((given) => {
      const [begin = '', end = ''] = given.trim().split('/')
      const start = timeOf(begin, zone, isFullDay)
      if (!start) return []
      return [{ start, end: end === '' ? undefined : endOf(start, end, zone) }]
    })
}

function timeOf(value: string, zone: string, isFullDay: boolean): Date | undefined {
  const day = /^(\d{4})(\d\d)(\d\d)/.exec(value)
  if (isFullDay)
    return day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : undefined
  const at = DateTime.fromISO(value, { zone })
  return at.isValid ? at.toJSDate() : undefined
}

function endOf(start: Date, end: string, zone: string): Date | undefined {
  if (!/^[+-]?P/i.test(end)) return timeOf(end, zone, false)
  const lasts = Duration.fromISO(end)
  return lasts.isValid ? new Date(start.getTime() + lasts.toMillis()) : undefined
}

const holdsOn = (override: Override) =>
  override[rangeField] !== undefined &&
  override.recurrenceid instanceof Date &&
  override.start instanceof Date

// A series that moves by more than this is another one.
const mostMovedMs = 60 * dayMs

/** By how many milliseconds at most later occurrences of a series have been moved. */
const mostMoved = (event: VEvent): number =>
  overridesOf(event)
    .filter(holdsOn)
    .map(({ start, recurrenceid }) => Math.abs(+start - +(recurrenceid as Date)))
    .reduce((most, ms) => Math.max(most, Math.min(ms, mostMovedMs)), 0)

/** The occurrences, with what was changed "for this and all following". One that was changed by itself stays as it is. */
function movedOn(event: VEvent, instances: Instance[]): Instance[] {
  const changes = overridesOf(event)
    .filter(holdsOn)
    .toSorted((a, b) => +(a.recurrenceid as Date) - +(b.recurrenceid as Date))
  if (changes.length === 0) return instances
  return instances.map((instance) => {
    const origin = originOf(instance)
    const change = changes.findLast(({ recurrenceid }) => +(recurrenceid as Date) <= +origin)
    if (!change || instance.isOverride) return instance
    const start = moved(change, origin, instance.isFullDay)
    const end = lasting(change as unknown as VEvent, start, instance.isFullDay)
    return { ...instance, start, end, origin, event: change as unknown as VEvent }
  })
}

/** By the clocks of its zone, so that ten o'clock becomes two o'clock on either side of a change of clocks. */
function moved({ start, recurrenceid }: Override, origin: Date, isFullDay: boolean): Date {
  const from = recurrenceid as Date & { tz?: string }
  if (isFullDay) return laterDay(origin, Math.round((+start - +from) / dayMs))
  const zone = clockZone(from.tz ?? 'UTC')
  const wall = (at: Date) => at.getTime() + offsetSeconds(zone, at) * 1000
  const shown = DateTime.fromMillis(wall(origin) + wall(start) - wall(from), { zone: 'utc' })
  return shown.setZone(zone, { keepLocalTime: true }).toJSDate()
}
