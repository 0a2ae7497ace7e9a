import { DateTime, Duration } from 'luxon'
import type { EventInstance, VEvent } from 'node-ical'
import { offsetSeconds } from '../local-time.ts'
import { clockZone, rangeField } from './zones.ts'

// What the library leaves out of series: dates that are listed (RDATE, RFC 5545, 3.8.5.2), and changes of an occurrence that hold
// for all later ones (RANGE=THISANDFUTURE, 3.2.13).

/** An occurrence. `origin` is when it would have begun if it had not been moved; without it, when it begins. */
export type Instance = EventInstance & { origin?: Date }

/** When an occurrence would begin by its series: by this it is known. */
export const originOf = ({ origin, event, start }: Instance): Date =>
  origin ?? (event.recurrenceid instanceof Date ? event.recurrenceid : start)

type Override = Pick<VEvent, 'start' | 'end' | 'recurrenceid' | 'status'> & Record<string, unknown>

const overridesOf = ({ recurrences }: VEvent): Override[] => [
  ...new Set(Object.values(recurrences ?? {}) as unknown as Override[]),
]

const rdatesOf = (event: VEvent) => [(event as { rdate?: unknown }).rdate ?? []].flat()

/** Whether its occurrences are listed one by one: by dates, or because nothing but single ones is given. */
export const isListed = (event: VEvent): boolean =>
  rdatesOf(event).length > 0 || event.recurrenceid !== undefined || overridesOf(event).length > 0

/** The occurrences that are listed; of an event without a rule its own too. */
export function listedInstances(event: VEvent, most: number): Instance[] {
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
      ? instanceOf(event, instead)
      : { ...shape(event, isFullDay), start, end: end ?? lasting(event, start, isFullDay) }
  })
  // With a rule, the library has those already.
  const others = event.rrule
    ? []
    : overrides.filter(
        ({ recurrenceid }) => !dates.some(({ start }) => +start === +(recurrenceid as Date)),
      )
  return [...own, ...others.slice(0, most).map((override) => instanceOf(event, override))]
}

const shape = (event: VEvent, isFullDay: boolean) => ({
  summary: '',
  isFullDay,
  isRecurring: true,
  isOverride: false,
  event,
})

const instanceOf = (event: VEvent, override: Override): Instance => ({
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
export const mostMoved = (event: VEvent): number =>
  overridesOf(event)
    .filter(holdsOn)
    .map(({ start, recurrenceid }) => Math.abs(+start - +(recurrenceid as Date)))
    .reduce((most, ms) => Math.max(most, Math.min(ms, mostMovedMs)), 0)

/** The occurrences, with what was changed "for this and all following". One that was changed by itself stays as it is. */
export function movedOn(event: VEvent, instances: Instance[]): Instance[] {
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
