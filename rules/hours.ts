import { DateTime } from 'luxon'

// Which day and which week an instant is in, and whether an agent works then. No clock: "now" is always given. Workflow code
// gets instants from activities, because zone data changes with Node.

/** Working hours: HH:MM in an IANA zone, days off as mon…sun or YYYY-MM-DD. */
export type Hours = { zone: string; from: string; to: string; daysOff: string[] }

/** The day of an instant in a zone, YYYY-MM-DD. */
export const dayIn = (zone: string, at: Date): string => local(zone, at).toISODate() as string

/** The Monday of the week of an instant in a zone, YYYY-MM-DD. */
export const mondayIn = (zone: string, at: Date): string =>
  local(zone, at).startOf('week').toISODate() as string

/** The first instant of the day after, of the week after. */
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

/** Campaign letters go on weekdays; what a member asked for goes on every day the agent works. */
type Days = 'weekdays' | 'every day'

/** Whether a day is a weekend, a day off, or one to work on. */
function kindOf(hours: Hours, day: DateTime, days: Days): 'weekend' | 'off' | 'work' {
  if (day.weekday > 5 && days === 'weekdays') return 'weekend'
  const off = hours.daysOff.map((name) => name.toLowerCase())
  return off.includes(names[day.weekday - 1] as string) || off.includes(day.toISODate() as string)
    ? 'off'
    : 'work'
}

// A clock time of a day. Setting it, rather than adding minutes to midnight, is right on days that have 23 or 25 hours.
const atTime = (day: DateTime, time: string) => {
  const minutes = minutesOf(time)
  return minutes >= 24 * 60
    ? day.plus({ days: 1 }).startOf('day')
    : day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 })
}

export type Window =
  | { open: true; closesAt: Date }
  /** opensAt is null when the hours never open. */
  | { open: false; because: 'weekend' | 'hours'; opensAt: Date | null }

/** Whether campaign letters may go at an instant, by the agent's hours; on a weekend only if `days` says so. */
export function windowAt(hours: Hours, at: Date, days: Days = 'weekdays'): Window {
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

// Days off may be dates, so no week repeats for sure; more than a year of them means never.
const horizonDays = 400

/** The first instant from `at` on at which letters may go; null when there is none within a year. */
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
