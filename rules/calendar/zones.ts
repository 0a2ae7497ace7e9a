import { DateTime } from 'luxon'
import { sync } from 'node-ical'
import { offsetSeconds } from '../local-time.ts'

// Which zone a time of an event is in. A TZID may be any word (RFC 5545, 3.2.19), and the library would read what it does not know,
// like a time that names no zone, in the zone of this machine.

/**
 * The lines of an iCalendar text, each time of an event with a zone that is known: the one that it names, otherwise the one whose
 * rules its VTIMEZONE has, otherwise `zone`, the workspace's. Its VTIMEZONE components are left out, because nothing needs them any
 * more. An event that holds for all later occurrences too (RANGE=THISANDFUTURE) says so in a line of ours.
 */
export function inKnownZones(text: string, zone: string): string {
  const lines = unfolded(text)
  const rules = zoneRulesIn(lines)
  const found = new Map<string, string>()
  const zoneOf = (named: string | undefined, year: number) => {
    const key = `${named ?? ''} ${year}`
    const known = found.get(key) ?? readZone(named, rules, year) ?? zone
    found.set(key, known)
    return known
  }
  let inRules = false
  return lines
    .flatMap((line) => {
      if (isLine(line, 'BEGIN:VTIMEZONE')) inRules = true
      if (!inRules) return timed(line, zoneOf)
      if (isLine(line, 'END:VTIMEZONE')) inRules = false
      return []
    })
    .join('\r\n')
}

const isLine = (line: string, other: string) => line.trim().toUpperCase() === other

/** Without the line ends that fold long lines (RFC 5545, 3.1). */
export const unfolded = (text: string): string[] => text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)

const dated = /^(DTSTART|DTEND|DUE|RECURRENCE-ID|EXDATE|RDATE)(;.*)?:([^:]*)$/is

/** The lines in place of one that gives a time. Values have no colon; some names of zones do. */
function timed(line: string, zoneOf: (named: string | undefined, year: number) => string) {
  const [, name = '', parameters = '', value = ''] = dated.exec(line) ?? []
  if (name === '') return [line]
  const range = /;RANGE="?THISANDFUTURE/i.test(parameters) ? [`${rangeLine}:THISANDFUTURE`] : []
  const times = value.trim().replace(/(?<=T\d{4})(?!\d)/g, '00')
  const first = times.slice(0, 8)
  if (/^\d{8}(,\d{8})*$/.test(times)) return [`${name};VALUE=DATE:${times}`, ...range]
  if (/^\d{8}T\d{6}Z/i.test(times)) return [`${name}:${times.toUpperCase()}`, ...range]
  if (!/^\d{8}T\d{6}/i.test(times)) return [line]
  const named = /;TZID=("[^"]*"|[^;]*)/i.exec(parameters)?.[1]?.replaceAll('"', '').trim()
  const zone = zoneOf(named, Number(first.slice(0, 4)))
  const twice = firstOfTwo(zone, times)
  return [twice ? `${name}:${twice}` : `${name};TZID=${zone}:${times}`, ...range]
}

/** A time that occurs twice on its day means the first (RFC 5545, 3.3.5); the library takes the second. */
function firstOfTwo(zone: string, time: string): string | undefined {
  const both = DateTime.fromISO(time, { zone: clockZone(zone) }).getPossibleOffsets()
  const [first] = both.toSorted((a, b) => a.toMillis() - b.toMillis())
  return first && both.length > 1 ? first.toUTC().toFormat("yyyyMMdd'T'HHmmss'Z'") : undefined
}

/** The library keeps unknown fields under their names without `X-`. */
const rangeLine = 'X-POSTROOM-RANGE'
export const rangeField = 'POSTROOM-RANGE'

/** The zone of a TZID; without one, that of the only rules in the text, which some programs mean. */
function readZone(named: string | undefined, rules: Map<string, Rules>, year: number) {
  if (!named) {
    const [only] = rules.size === 1 ? rules : []
    return only && (zoneNamed(only[0]) ?? zoneByRules(only[1], year))
  }
  const own = rules.get(named)
  return zoneNamed(named) ?? (own && zoneByRules(own, year)) ?? offsetNamed(named)
}

// What these mean stands in their rules alone; the library takes this machine's zone for them.
const nameless = /^(tzone:\/\/Microsoft\/|Customized Time Zone|\(no TZ description\))/i

const ofOldExchange = /^\(GMT([+-]\d\d)[.:](\d\d)\)/i

function zoneNamed(named: string): string | undefined {
  if (/^tzone:\/\/Microsoft\/(Etc)?Utc$/i.test(named)) return 'Etc/UTC'
  if (isZone(named)) return named
  // Some programs put a path of their own before the name.
  const parts = named.split('/')
  const inPath = [3, 2].map((n) => parts.slice(-n).join('/')).find(isZone)
  if (inPath !== undefined && parts.length > 2) return inPath
  return nameless.test(named) ? undefined : windowsZone(named.replace(ofOldExchange, '(UTC$1:$2)'))
}

/** The zone of a name that Windows gives it, as the library knows them. */
function windowsZone(named: string): string | undefined {
  const quoted = named.startsWith('(') ? `"${named}"` : named
  const lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    `DTSTART;TZID=${quoted}:20260115T120000`,
  ]
  const event = sync.parseICS([...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')).a
  const zone = event?.type === 'VEVENT' ? event.start?.tz : undefined
  return zone !== undefined && isZone(zone) ? zone : undefined
}

/** The offset that some programs write in place of a name, such as `(UTC+01:00) Amsterdam` and `GMT-0430`. */
function offsetNamed(named: string): string | undefined {
  const [, sign = '+', hours = '', minutes = '00'] =
    /^\(?(?:UTC|GMT)\s*([+-])(\d{1,2})(?:[:.]?(\d{2}))?\)?(?:\s|$)/i.exec(named) ?? []
  if (hours === '' || Number(hours) > 14 || Number(minutes) > 59) return undefined
  return offsetZone((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)))
}

function offsetZone(minutes: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  const size = Math.abs(minutes)
  const sign = minutes < 0 ? '-' : '+'
  return minutes === 0 ? 'Etc/UTC' : `UTC${sign}${two(size / 60)}${two(size % 60)}`
}

/** The same zone for clocks: an offset is written in another way for the library of calendars. */
export const clockZone = (zone: string): string =>
  zone.replace(/^(?:UTC)?([+-]\d\d):?(\d\d)$/, 'UTC$1:$2')

const isZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Offsets from UTC in minutes, with the year from which each holds. */
type Rules = { standard: Onset[]; daylight: Onset[] }
type Onset = { year: number; offset: number }
// No event needs more of them, and each may have to be compared with all zones.
const mostRules = 50

function zoneRulesIn(lines: string[]): Map<string, Rules> {
  const all = new Map<string, Rules>()
  let current: { name: string; rules: Rules } | undefined
  let kind: keyof Rules | undefined
  let year = 0
  for (const line of lines) {
    const [, field = '', value = ''] = /^([A-Z-]+)(?:[^:A-Z-][^:]*)?:(.*)$/i.exec(line.trim()) ?? []
    const name = field.toUpperCase()
    const given = value.trim()
    if (name === 'BEGIN' && /^VTIMEZONE$/i.test(given))
      current = { name: '', rules: { standard: [], daylight: [] } }
    else if (current === undefined) continue
    else if (name === 'BEGIN') kind = /^DAYLIGHT$/i.test(given) ? 'daylight' : 'standard'
    else if (name === 'TZID') current.name = given.replaceAll('"', '')
    else if (name === 'DTSTART') year = Number(given.slice(0, 4)) || 0
    else if (name === 'TZOFFSETTO' && kind) {
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(given) ?? []
      const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
      if (!Number.isNaN(offset)) current.rules[kind].push({ year, offset })
    } else if (name === 'END' && /^VTIMEZONE$/i.test(given)) {
      if (all.size < mostRules) all.set(current.name, current.rules)
      current = undefined
    }
  }
  return all
}

// Zones with the same offsets in winter and in summer differ in when they change: those of most people come first.
const usual = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Athens', 'America/New_York', 'America/Chicago'],
  ...['America/Denver', 'America/Los_Angeles', 'America/Halifax', 'Australia/Sydney'],
]

function zoneByRules({ standard, daylight }: Rules, year: number): string | undefined {
  const offset = offsetIn(standard, year) ?? offsetIn(daylight, year)
  if (offset === undefined) return undefined
  const other = offsetIn(daylight, year)
  if (other === undefined || other === offset) return offsetZone(offset)
  const wanted = [offset, other].sort().join()
  return [...usual, ...Intl.supportedValuesOf('timeZone')].find(
    (zone) =>
      [0, 6]
        .map((month) => offsetAt(zone, year, month))
        .sort()
        .join() === wanted,
  )
}

/** What holds in a year: the newest that has begun by then. */
const offsetIn = (onsets: Onset[], year: number): number | undefined =>
  (onsets.filter((one) => one.year <= year).toSorted((a, b) => b.year - a.year)[0] ?? onsets[0])
    ?.offset

const offsetAt = (zone: string, year: number, month: number) =>
  offsetSeconds(zone, new Date(Date.UTC(year, month, 15))) / 60
