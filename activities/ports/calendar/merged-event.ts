import { foldLines } from 'ical-generator'
import { DateTime } from 'luxon'
import { eventsIn, instanceOf, instantIn } from '../../../rules/calendar/events.ts'
import { unfolded } from '../../../rules/calendar/zones.ts'

// An event that stands in a calendar already is changed in what has changed. A member has alarms, categories, a colour and other
// properties of their own in it, which stay.

/** `current` is what the calendar's server has, `next` the event as it is now; `zone` is for times whose own is unknown. */
export type Merging = { current: string; next: string; zone: string }

// What moves with a meeting of ours, and what its guests have answered.
const ofTime = ['DTSTART', 'DTEND', 'DURATION', 'DTSTAMP', 'LAST-MODIFIED', 'SEQUENCE']
// What the one who invites decides (RFC 5546, 2.1.4).
const ofOrganizer = [
  ...[...ofTime, 'RECURRENCE-ID', 'RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'SUMMARY', 'DESCRIPTION'],
  ...['LOCATION', 'GEO', 'ORGANIZER', 'STATUS', 'URL', 'CONFERENCE', 'RESOURCES', 'CONTACT'],
  ...['ATTACH', 'COMMENT', 'CREATED', 'X-ALT-DESC', 'ATTENDEE'],
]

/** A meeting of ours at its new time. */
export function movedEvent({ current, next, zone }: Merging): string {
  const [calendar, given] = [calendarIn(current), calendarIn(next)]
  const [old, event] = [calendar && masterOf(calendar), given && masterOf(given)]
  if (!calendar || !given || !old || !event) return next
  const guests = new Set(addressesOf(event))
  const isTaken = (line: string) =>
    ofTime.includes(propertyOf(line)) ||
    (propertyOf(line) === 'ATTENDEE' && guests.has(addressOf(line)))
  const changed = changedEvent({ calendar, old }, { calendar: given, event }, zone, isTaken)
  const events = partsNamed(calendar, 'VEVENT').map((one) => (one === old ? changed : one))
  return textOf(withParts(calendar, given, events))
}

/** A meeting to which the member was invited: what its newest version says, over what the calendar has. */
export function mergedInvitation({ current, next, zone }: Merging): string {
  const [calendar, given] = [calendarIn(current), calendarIn(next)]
  const events = given ? partsNamed(given, 'VEVENT') : []
  if (!calendar || !given || events.length === 0) return next
  const keyOf = keysIn(zone)
  const known = new Map(partsNamed(calendar, 'VEVENT').map((one) => [keyOf(calendar, one), one]))
  const series = events.find((event) => keyOf(given, event) === '')
  const before = known.get('')
  // Single occurrences of a series that was moved are those of another one.
  const isAnother =
    series !== undefined &&
    before !== undefined &&
    rhythmOf(calendar, before, zone) !== rhythmOf(given, series, zone)
  if (isAnother) for (const key of known.keys()) if (key !== '') known.delete(key)
  for (const event of events) {
    const key = keyOf(given, event)
    // An occurrence that is changed for the first time has what the member has set for the series.
    const old = known.get(key) ?? before
    const isTaken = (line: string) =>
      ofOrganizer.includes(propertyOf(line)) && (isAnother || propertyOf(line) !== 'EXDATE')
    const changed =
      old && changedEvent({ calendar, old }, { calendar: given, event }, zone, isTaken)
    known.set(key, changed ?? event)
  }
  return textOf(withParts(calendar, given, [...known.values()]))
}

/** Without one occurrence, as `next` names it by its RECURRENCE-ID; undefined if nothing is left. */
export function withoutOccurrence({ current, next, zone }: Merging): string | undefined {
  const [calendar, given] = [calendarIn(current), calendarIn(next)]
  const [event] = given ? partsNamed(given, 'VEVENT') : []
  const named = event && lineOf(event, 'RECURRENCE-ID')
  if (!calendar || !given || !event || named === undefined) return current
  const keyOf = keysIn(zone)
  const key = keyOf(given, event)
  const others = partsNamed(calendar, 'VEVENT').filter((one) => keyOf(calendar, one) !== key)
  if (others.length === 0) return undefined
  const leftOut = named.replace(/^RECURRENCE-ID/i, 'EXDATE').replace(/;RANGE=[^;:]*/i, '')
  return textOf(
    withParts(
      calendar,
      given,
      others.map((one) =>
        keyOf(calendar, one) === '' ? { ...one, lines: [...one.lines, leftOut] } : one,
      ),
    ),
  )
}

type Standing = { calendar: Component; old: Component }
type Given = { calendar: Component; event: Component }

/** The event as it stands, with the properties of the given one that are taken; its alarms go with it. */
function changedEvent(
  { calendar, old }: Standing,
  given: Given,
  zone: string,
  isTaken: (line: string) => boolean,
): Component {
  const numbers = [old, given.event].map((one) => Number(contentOf(lineOf(one, 'SEQUENCE') ?? '')))
  const sequence = Math.max(...numbers.map((number) => number || 0))
  const lines = [
    ...old.lines.filter((line) => !isTaken(line)),
    ...given.event.lines.filter((line) => isTaken(line) || isLeftOut(line)),
  ].filter((line) => propertyOf(line) !== 'SEQUENCE')
  const [from, to] = [beginOf(calendar, old, zone), beginOf(given.calendar, given.event, zone)]
  const byMs = from && to ? +to - +from : 0
  return {
    name: old.name,
    lines: [...new Set([...lines, `SEQUENCE:${sequence}`])],
    parts: old.parts.map((part) => (part.name === 'VALARM' ? movedAlarm(part, byMs) : part)),
  }
}

/** Occurrences that the calendar leaves out stay out beside those that the new version does. */
const isLeftOut = (line: string) => propertyOf(line) === 'EXDATE'

/** Most alarms are relative to the event, and those at an instant of their own move as it does. */
function movedAlarm(alarm: Component, byMs: number): Component {
  const lines = alarm.lines.map((line) => {
    if (propertyOf(line) !== 'TRIGGER' || !/^\d{8}T\d{6}Z$/.test(contentOf(line))) return line
    const at = DateTime.fromFormat(contentOf(line), format, { zone: 'utc' })
    return at.isValid
      ? line.replace(/\d{8}T\d{6}Z\s*$/, at.plus({ milliseconds: byMs }).toFormat(format))
      : line
  })
  return { ...alarm, lines }
}
const format = "yyyyMMdd'T'HHmmss'Z'"

/** A calendar with these events, and the rules of zones that they may name: the newer ones of a name. */
function withParts(calendar: Component, given: Component, events: Component[]): Component {
  const zones = [...partsNamed(calendar, 'VTIMEZONE'), ...partsNamed(given, 'VTIMEZONE')]
  const byName = new Map(zones.map((zone) => [contentOf(lineOf(zone, 'TZID') ?? ''), zone]))
  const others = calendar.parts.filter(({ name }) => name !== 'VEVENT' && name !== 'VTIMEZONE')
  return { ...calendar, parts: [...byName.values(), ...events, ...others] }
}

const masterOf = (calendar: Component): Component | undefined => {
  const events = partsNamed(calendar, 'VEVENT')
  return events.find((event) => !lineOf(event, 'RECURRENCE-ID')) ?? events[0]
}

const addressOf = (line: string) =>
  contentOf(line)
    .replace(/^mailto:/i, '')
    .toLowerCase()
const addressesOf = ({ lines }: Component) =>
  lines.filter((line) => propertyOf(line) === 'ATTENDEE').map(addressOf)

const times = ['UID', 'DTSTART', 'DTEND', 'DURATION', 'RECURRENCE-ID']

/** An event with nothing but its times, as the library reads it. */
function read(calendar: Component, event: Component, zone: string) {
  const bare = {
    ...event,
    lines: event.lines.filter((line) => times.includes(propertyOf(line))),
    parts: [],
  }
  const parts = [...partsNamed(calendar, 'VTIMEZONE'), bare]
  return eventsIn(textOf({ ...calendar, parts }), zone)[0]
}

const beginOf = (calendar: Component, event: Component, zone: string): Date | undefined => {
  const start = read(calendar, event, zone)?.start
  return start && instantIn(zone, start, start.dateOnly === true)
}

/** By what an event is known beside others of its UID: the occurrence that it is, or nothing for the series. */
const keysIn = (zone: string) => (calendar: Component, event: Component) => {
  if (!lineOf(event, 'RECURRENCE-ID')) return ''
  const at = read(calendar, event, zone)?.recurrenceid
  return at instanceof Date ? instanceOf(at, zone) : ''
}

/** When a series begins and recurs. */
const rhythmOf = (calendar: Component, event: Component, zone: string) =>
  `${beginOf(calendar, event, zone)?.toISOString()} ${contentOf(lineOf(event, 'RRULE') ?? '').toUpperCase()}`

// An iCalendar text as components within components (RFC 5545, 3.6), so that one of them can be changed and everything else stays as
// another program wrote it.

type Component = { name: string; lines: string[]; parts: Component[] }

// A calendar has events, and those have alarms.
const deepest = 5

/** The calendar in a text; undefined if there is none. */
function calendarIn(text: string): Component | undefined {
  const root: Component = { name: '', lines: [], parts: [] }
  const open = [root]
  for (const line of unfolded(text)) {
    const inner = open.at(-1) as Component
    const [, mark = '', given = ''] = /^(BEGIN|END):\s{0,5}([\w-]{1,40})\s{0,5}$/i.exec(line) ?? []
    const name = given.toUpperCase()
    if (/^BEGIN$/i.test(mark) && open.length <= deepest) {
      const part = { name, lines: [], parts: [] }
      inner.parts.push(part)
      open.push(part)
    } else if (mark === '') {
      if (line.trim() !== '') inner.lines.push(line)
    } else if (open.length > 1 && inner.name === name) open.pop()
  }
  return root.parts.find(({ name }) => name === 'VCALENDAR')
}

const textOf = (component: Component): string => `${foldLines(linesOf(component).join('\r\n'))}\r\n`

const linesOf = ({ name, lines, parts }: Component): string[] => [
  ...[`BEGIN:${name}`, ...lines],
  ...[...parts.flatMap(linesOf), `END:${name}`],
]

/** The name of the property that a line gives. */
const propertyOf = (line: string): string => (/^[\w-]{1,60}/.exec(line)?.[0] ?? '').toUpperCase()

/** The first line that gives a property. */
const lineOf = ({ lines }: Component, property: string): string | undefined =>
  lines.find((line) => propertyOf(line) === property)

/** What stands behind the parameters of a line; those in quotation marks may have colons. */
const contentOf = (line: string): string =>
  /^[\w-]+(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line)?.[1]?.trim() ?? ''

const partsNamed = ({ parts }: Component, name: string): Component[] =>
  parts.filter((part) => part.name === name)
