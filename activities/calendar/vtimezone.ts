import { getVtimezoneComponent } from '@touch4it/ical-timezones'
import { DateTime } from 'luxon'
import { offsetSeconds } from '../../rules/local-time.ts'

// VTIMEZONE components (RFC 5545 §3.6.5) for one meeting. Calendar programs know the library's rules best, but those rules are
// of 2018. They are out of date for Mexico City, São Paulo, Cairo, Tehran and others, and some zones are missing (Europe/Kyiv).
// So the library's component is used if it gives the same offsets as this machine's zone data. Otherwise one is made for the
// meeting, with the offset that holds at its time and no rule.

/** The component of a zone that is right for each of these instants, which are in order. */
export function vtimezoneOf(zone: string, instants: Date[]): string {
  const known = getVtimezoneComponent(zone)
  const observances = known === null ? undefined : readObservances(known)
  const right =
    observances && instants.every((at) => offsetBy(observances, at) === offsetSeconds(zone, at))
  return known !== null && right ? known.trim().split(/\r?\n/).join('\r\n') : fixed(zone, instants)
}

type Observance = {
  onset: DateTime
  from: number
  to: number
  month?: number
  nth?: number
  weekday?: number
}

/** The STANDARD and DAYLIGHT parts; undefined if one of them does not have the form "the nth weekday of a month, every year". */
function readObservances(component: string): Observance[] | undefined {
  const parts = component.split(/BEGIN:(?:STANDARD|DAYLIGHT)\r?\n/).slice(1)
  const read = parts.map(readObservance)
  return read.every((observance) => observance !== undefined) ? read : undefined
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

function readObservance(part: string): Observance | undefined {
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(part)?.[1]
  const [from, to] = [secondsOf(value('TZOFFSETFROM')), secondsOf(value('TZOFFSETTO'))]
  const onset = DateTime.fromFormat(value('DTSTART') ?? '', "yyyyMMdd'T'HHmmss", { zone: 'utc' })
  const rule = value('RRULE')
  if (from === undefined || to === undefined || !onset.isValid || value('RDATE')) return undefined
  if (rule === undefined) return { onset, from, to }
  const [, month, nth, weekday = ''] =
    /^FREQ=YEARLY;BYMONTH=(\d+);BYDAY=(-?\d)([A-Z]{2})$/.exec(rule) ?? []
  if (month === undefined) return undefined
  return {
    onset,
    from,
    to,
    month: Number(month),
    nth: Number(nth),
    weekday: weekdays.indexOf(weekday) + 1,
  }
}

function secondsOf(offset: string | undefined): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(offset ?? '') ?? []
  if (sign === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** The offset that these rules give at an instant, which is that of the last onset before it. */
function offsetBy(observances: Observance[], at: Date): number | undefined {
  const year = at.getUTCFullYear()
  const onsets = observances.flatMap((observance) =>
    [year - 1, year, year + 1].map((of) => ({
      at: onsetIn(observance, of).toMillis() - observance.from * 1000,
      to: observance.to,
    })),
  )
  return onsets.filter((onset) => onset.at <= at.getTime()).sort((a, b) => b.at - a.at)[0]?.to
}

function onsetIn({ onset, month, nth = 0, weekday = 1 }: Observance, year: number): DateTime {
  if (month === undefined) return onset
  const time = { hour: onset.hour, minute: onset.minute }
  const first = DateTime.utc(year, month, 1, time.hour, time.minute)
  if (nth > 0) return first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 })
  const last = first.endOf('month').startOf('day').set(time)
  return last.minus({ days: ((last.weekday - weekday + 7) % 7) + (-nth - 1) * 7 })
}

// The offset of the first instant holds from long ago, and each later one from the moment of its change.
function fixed(zone: string, instants: Date[]): string {
  const [first = new Date(0)] = instants
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`]
  const hold = (onset: string, from: number, to: number) => {
    lines.push('BEGIN:STANDARD', `DTSTART:${onset}`, `TZOFFSETFROM:${shown(from)}`)
    lines.push(`TZOFFSETTO:${shown(to)}`, 'END:STANDARD')
  }
  let held = offsetSeconds(zone, first)
  hold('19700101T000000', held, held)
  instants.slice(1).forEach((at, i) => {
    const offset = offsetSeconds(zone, at)
    if (offset === held) return
    const change = changeBetween(zone, instants[i] as Date, at)
    const onset = DateTime.fromMillis(change.getTime() + held * 1000, { zone: 'utc' })
    hold(onset.toFormat("yyyyMMdd'T'HHmmss"), held, offset)
    held = offset
  })
  return [...lines, 'END:VTIMEZONE'].join('\r\n')
}

/** The second at which the offset changes; there is one change between the two instants. */
function changeBetween(zone: string, before: Date, after: Date): Date {
  let [low, high] = [Math.floor(before.getTime() / 1000), Math.ceil(after.getTime() / 1000)]
  const old = offsetSeconds(zone, before)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetSeconds(zone, new Date(middle * 1000)) === old) low = middle
    else high = middle
  }
  return new Date(high * 1000)
}

function shown(seconds: number): string {
  const minutes = Math.abs(seconds) / 60
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)}`
}
