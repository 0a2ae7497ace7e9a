import type { Context, Liquid } from 'liquidjs'
import { DateTime } from 'luxon'

// Dates in letters. Liquid would take the clock and the time zone of the machine; a letter has one moment, and the zone of its
// workspace.

/** When a letter is made, and the IANA zone in which its dates are printed. */
export type Moment = { now: Date; zone: string }

const moments = new WeakMap<Context, Moment>()

/** A rendering whose dates are those of a moment. */
export function timed(context: Context, moment: Moment): Context {
  moments.set(context, moment)
  return context
}

const dateFilters = [
  ...['date', 'date_to_string', 'date_to_long_string'],
  ...['date_to_xmlschema', 'date_to_rfc822'],
]

// Whatever is longer is no date, and reading it would take long.
const longestDate = 100

/** Has the filters of dates read what they are given as of the letter's moment. */
export function keepTime(liquid: Liquid): void {
  for (const name of dateFilters) {
    const print = liquid.filters[name] as (this: unknown, ...given: unknown[]) => unknown
    liquid.registerFilter(name, function (value, ...given) {
      if (typeof value === 'string' && value.length > longestDate) return value
      const moment = moments.get(this.context)
      return print.call(this, moment ? instantOf(value, moment) : value, ...given)
    })
  }
}

const withZone =
  /(?:\dz|\b(?:utc|gmt)|:\d\d(?:\.\d+)?\s*(?:gmt|utc)?[+-]\d\d:?\d\d)(?:\s*\(.*\))?$/i
const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/

/** A day or a time that names no zone is one in the workspace's; what is no date stays as it is. */
function instantOf(value: unknown, { now, zone }: Moment): unknown {
  if (value === 'now' || value === 'today') return now
  if (typeof value !== 'string' || /^\d+$/.test(value)) return value
  const text = value.trim()
  if (withZone.test(text)) return value
  const local = iso.test(text)
    ? new Date(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`)
    : new Date(`${text} UTC`)
  if (Number.isNaN(local.getTime())) return value
  return DateTime.fromJSDate(local, { zone: 'utc' })
    .setZone(zone, { keepLocalTime: true })
    .toJSDate()
}
