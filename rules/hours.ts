import { DateTime } from 'luxon'
import { setNewest } from './newest.ts'

// The day and week of an instant, and whether an agent works at that time. No clock: the current time is always a parameter.
// Workflow code gets instants from activities, because zone data changes with Node.

/**
 * An agent's working hours: an IANA zone, HH:MM to HH:MM, days off as mon…sun or YYYY-MM-DD. Members of callers are kept beside
 * them.
 */
export type Hours = { zone: string; from: string; to: string; daysOff: string[] } & Record<
  string,
  unknown
>

const minuteMs = 60_000
/** The most answers that are kept. */
const mostKept = 500

/**
 * A calculation whose answer is the same for all instants of a minute: it is made once for each, because letters that go one
 * after the other ask for it many times a second. `keyOf` distinguishes what it is asked beside the instant.
 */
function oncePerMinute<Of extends unknown[], T>(
  keyOf: (...of: Of) => string,
  calculate: (at: Date, ...of: Of) => T,
): (at: Date, ...of: Of) => T {
  const kept = new Map<string, T>()
  return (at, ...of) => {
    const key = `${Math.floor(at.getTime() / minuteMs)} ${keyOf(...of)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const answer = calculate(at, ...of)
    setNewest(kept, key, answer, mostKept)
    return answer
  }
}

const zoneOnly = (zone: string) => zone
const dayOf = oncePerMinute(zoneOnly, (at, zone) => local(zone, at).toISODate() as string)
const mondayOf = oncePerMinute(
  zoneOnly,
  (at, zone) => local(zone, at).startOf('week').toISODate() as string,
)

/** The day of an instant in a zone, YYYY-MM-DD. */
export const dayIn = (zone: string, at: Date): string => dayOf(at, zone)

/** The Monday of the week of an instant in a zone, YYYY-MM-DD. */
export const mondayIn = (zone: string, at: Date): string => mondayOf(at, zone)

/** The first instant of the next day, and of the next week. */
export const nextDayIn = (zone: string, at: Date): Date =>
  local(zone, at).plus({ days: 1 }).startOf('day').toJSDate()
export const nextMondayIn = (zone: string, at: Date): Date =>
  local(zone, at).plus({ weeks: 1 }).startOf('week').toJSDate()

/** The same time of day `n` weekdays (Monday to Friday) later, in a zone. */
export function addWeekdays(zone: string, at: Date, n: number): Date {
  let day = local(zone, at)
  for (let left = n; left > 0; ) {
    day = day.plus({ days: 1 })
    if (day.weekday <= 5) left--
  }
  return day.toJSDate()
}

const local = (zone: string, at: Date) => DateTime.fromJSDate(at, { zone })

const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Campaign letters are sent on weekdays only; what a member asked for is sent on every day on which the agent works. */
type Days = 'weekdays' | 'every day'

/** Whether a day is a weekend, a day off, or a working day. */
function kindOf(hours: Hours, day: DateTime, days: Days): 'weekend' | 'off' | 'work' {
  if (day.weekday > 5 && days === 'weekdays') return 'weekend'
  const off = hours.daysOff.map((name) => name.toLowerCase())
  return off.includes(names[day.weekday - 1] as string) || off.includes(day.toISODate() as string)
    ? 'off'
    : 'work'
}

// A clock time on a day. It is set, and not added to midnight in minutes, so that it is right on days of 23 or 25 hours.
const atTime = (day: DateTime, time: string) => {
  const minutes = minutesOf(time)
  return minutes >= 24 * 60
    ? day.plus({ days: 1 }).startOf('day')
    : day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 })
}

export type Window =
  | { open: true; closesAt: Date }
  /** opensAt is null if the hours never open. */
  | { open: false; because: 'weekend' | 'hours'; opensAt: Date | null }

/** Whether letters may go at an instant, by the agent's hours; at weekends only if `days` allows it. */
export const windowAt = (hours: Hours, at: Date, days: Days = 'weekdays'): Window =>
  windowOf(at, hours, days)

// Hours begin and end with a minute.
const windowOf = oncePerMinute(
  ({ zone, from, to, daysOff }: Hours, days: Days) =>
    JSON.stringify([zone, from, to, daysOff, days]),
  (at, hours, days) => findWindow(hours, at, days),
)

function findWindow(hours: Hours, at: Date, days: Days): Window {
  const today = local(hours.zone, at)
  const kind = kindOf(hours, today, days)
  if (kind === 'work' && today >= atTime(today, hours.from) && today < atTime(today, hours.to))
    return { open: true, closesAt: atTime(today, hours.to).toJSDate() }
  return {
    open: false,
    because: kind === 'weekend' ? 'weekend' : 'hours',
    opensAt: nextOpening(hours, at, days),
  }
}

// Days off may be dates, so the weeks may all differ; if more than a year of days is off, the hours never open.
const horizonDays = 400

/** The first instant, not before `at`, at which letters may go; null if there is none within a year. */
export function nextOpening(hours: Hours, at: Date, days: Days = 'weekdays'): Date | null {
  const start = local(hours.zone, at)
  for (let i = 0; i <= horizonDays; i++) {
    const day = start.plus({ days: i })
    if (kindOf(hours, day, days) !== 'work') continue
    const from = atTime(day, hours.from)
    if (i > 0 || start < from) return from.toJSDate()
    if (start < atTime(day, hours.to)) return at
  }
  return null
}
