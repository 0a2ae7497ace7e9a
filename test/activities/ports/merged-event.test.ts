import { deepEqual, equal, match } from 'node:assert/strict'
import { heldEvent } from '../../../activities/ports/calendar/held-event.ts'
import { movedEvent } from '../../../activities/ports/calendar/merged-event.ts'
import { eventsIn } from '../../../rules/calendar/events.ts'

// What stands in a member's calendar is changed in what has changed, whatever program has written it.

const zone = 'Europe/Berlin'
const event = (lines: string[]) => ['BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT']
const calendar = (...events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flatMap(event), 'END:VCALENDAR', ''].join('\r\n')
const linesOf = (text: string | null) =>
  (text ?? '')
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter(Boolean)

const next = calendar([
  ...['DTSTART:20261125T150000Z', 'DTEND:20261125T153000Z', 'SEQUENCE:1', 'SUMMARY:Demo'],
  ...['DTSTAMP:20261123T080000Z', 'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:kim@client.example'],
])

describe('the event of a meeting that moves', () => {
  const kept: Record<string, string[]> = {
    'an alarm': ['BEGIN:VALARM', 'ACTION:AUDIO', 'TRIGGER:-PT15M', 'END:VALARM'],
    "Apple's alarm with what it says of itself": [
      ...['BEGIN:VALARM', 'X-APPLE-DEFAULT-ALARM:TRUE', 'ACTION:DISPLAY', 'TRIGGER:-PT1H'],
      ...['ACKNOWLEDGED:20261123T070000Z', 'UID:b', 'END:VALARM'],
    ],
    'a title of its own': ['SUMMARY:Demo with Kim'],
    'a place, with a colon in its parameters': [
      'LOCATION;ALTREP="https://x.example/a:b":Hafen 3',
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Hafen: 3":geo:53.5,9.9',
    ],
    'categories, a colour and its class': ['CATEGORIES:A,B', 'COLOR:red', 'CLASS:PRIVATE'],
    'what Thunderbird and Outlook add': ['X-MOZ-GENERATION:2', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'],
    'another guest': ['ATTENDEE;CN="Bo: B":mailto:bo@client.example'],
    'a line that is folded': [`DESCRIPTION:${'long words '.repeat(20)}`],
  }
  for (const [what, lines] of Object.entries(kept))
    it(`keeps ${what}`, () => {
      const current = calendar([
        ...['DTSTART;TZID=Europe/Berlin:20261124T100000', 'DURATION:PT1H', 'SEQUENCE:0', ...lines],
      ])
      const all = linesOf(movedEvent({ current, next, zone }))
      for (const line of lines)
        equal(all.filter((one) => one === line.trimEnd() || one === line).length, 1, line)
      deepEqual(all.filter((line) => /^(DTSTART|DTEND|DURATION|SEQUENCE)/.test(line)).sort(), [
        'DTEND:20261125T153000Z',
        'DTSTART:20261125T150000Z',
        'SEQUENCE:1',
      ])
    })

  it('takes back what its guests have answered, and no lower SEQUENCE', () => {
    const current = calendar([
      ...['DTSTART:20261124T090000Z', 'SEQUENCE:4'],
      'ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:Kim@client.example',
    ])
    const all = linesOf(movedEvent({ current, next, zone }))
    deepEqual(all.filter((line) => /^(ATTENDEE|SEQUENCE)/.test(line)).sort(), [
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:kim@client.example',
      'SEQUENCE:4',
    ])
  })

  it('moves an alarm at an instant with it', () => {
    const alarm = ['BEGIN:VALARM', 'TRIGGER;VALUE=DATE-TIME:20261124T080000Z', 'END:VALARM']
    const current = calendar(['DTSTART:20261124T090000Z', ...alarm])
    match(movedEvent({ current, next, zone }), /^TRIGGER;VALUE=DATE-TIME:20261125T140000Z\r$/m)
  })

  for (const current of ['', 'BEGIN:VCALENDAR', calendar(), 'BEGIN:VEVENT\r\n'.repeat(50_000)])
    it(`is written anew over ${JSON.stringify(current.slice(0, 20))}`, () =>
      equal(movedEvent({ current, next, zone }), next))
})

describe('an invitation in a calendar', () => {
  const held = (current: string | null, data: string, isHeld = true) =>
    heldEvent({ ...{ current, data, isHeld, zone }, address: 'ana@us.example', answer: 'accepted' })
  const series = ['DTSTART;TZID=Europe/Berlin:20261126T150000', 'RRULE:FREQ=WEEKLY;COUNT=3']
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM']
  const moved = ['RECURRENCE-ID:20261203T140000Z', 'DTSTART:20261204T090000Z', 'DURATION:PT1H']
  const count = (text: string | null) => eventsIn(text ?? '', zone).length

  it('has one occurrence beside its series, with the alarm of the series', () => {
    const both = held(calendar([...series, ...alarm]), calendar(moved))
    const all = linesOf(both)
    equal(all.filter((line) => line === 'BEGIN:VEVENT').length, 2)
    equal(all.filter((line) => line === 'TRIGGER:-PT5M').length, 2)
    const again = held(both, calendar([...moved.slice(0, 1), 'DTSTART:20261204T100000Z']))
    equal(linesOf(again).filter((line) => line === 'BEGIN:VEVENT').length, 2)
    match(again ?? '', /^DTSTART:20261204T100000Z\r$/m)
  })

  it('keeps its single occurrences where the series is the same, and not where that moves', () => {
    const both = held(calendar(series), calendar(moved))
    const same = held(both, calendar([...series, 'SUMMARY:Other words']))
    equal(linesOf(same).filter((line) => line === 'BEGIN:VEVENT').length, 2)
    const later = calendar(['DTSTART:20261127T150000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'])
    equal(linesOf(held(both, later)).filter((line) => line === 'BEGIN:VEVENT').length, 1)
  })

  it('leaves out an occurrence, and keeps it out of a newer version of the same series', () => {
    const cancelled = ['RECURRENCE-ID;TZID=Europe/Berlin:20261203T150000', 'STATUS:CANCELLED']
    const both = held(calendar(series), calendar(moved))
    const left = held(both, calendar(cancelled), false)
    equal(linesOf(left).filter((line) => line === 'BEGIN:VEVENT').length, 1)
    match(left ?? '', /^EXDATE;TZID=Europe\/Berlin:20261203T150000\r$/m)
    const newer = held(left, calendar([...series, 'SUMMARY:New', 'SEQUENCE:2']))
    match(newer ?? '', /^EXDATE;TZID=Europe\/Berlin:20261203T150000\r$/m)
  })

  it('is gone with its only occurrence', () => {
    equal(held(calendar(moved), calendar(moved.slice(0, 2)), false), null)
    equal(held(null, calendar(moved), false), null)
    equal(count(held(null, calendar(moved))), 1)
  })
})
