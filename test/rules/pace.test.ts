import { deepEqual, equal } from 'node:assert/strict'
import { holdOf, limitsOf } from '../../rules/budgets.ts'
import {
  addWeekdays,
  dayIn,
  type Hours,
  mondayIn,
  nextDayIn,
  nextMondayIn,
  nextOpening,
  windowAt,
} from '../../rules/hours.ts'
import { termOf } from '../../rules/pace.ts'
import { sender } from '../support/facts.ts'

const at = (iso: string) => new Date(iso)
const iso = (date: Date | null) =>
  date === null ? null : date.toISOString().replace(':00.000Z', 'Z')

const berlin: Hours = { zone: 'Europe/Berlin', from: '09:00', to: '18:00', daysOff: [] }
const newYork: Hours = { ...berlin, zone: 'America/New_York' }
// Its clocks change in the night to a Friday: a change on a day of work, and at midnight.
const cairo: Hours = { ...berlin, zone: 'Africa/Cairo' }

describe('the days of a zone', () => {
  const days: [what: string, zone: string, at: string, day: string, monday: string][] = [
    ['a Sunday is the last of its week', 'UTC', '2026-11-29T23:59Z', '2026-11-29', '2026-11-23'],
    ['a Monday is the first', 'UTC', '2026-11-30T00:00Z', '2026-11-30', '2026-11-30'],
    ['Berlin is a day ahead', 'Europe/Berlin', '2026-11-29T23:00Z', '2026-11-30', '2026-11-30'],
    ['New York a day behind', 'America/New_York', '2026-11-30T04:59Z', '2026-11-29', '2026-11-23'],
    ['Auckland is far ahead', 'Pacific/Auckland', '2026-11-29T11:00Z', '2026-11-30', '2026-11-30'],
    ['a week spans two months', 'Europe/Berlin', '2026-12-02T12:00Z', '2026-12-02', '2026-11-30'],
    ['a week spans two years', 'Europe/Berlin', '2027-01-01T12:00Z', '2027-01-01', '2026-12-28'],
    ['the year ends by the zone', 'Europe/Berlin', '2026-12-31T23:00Z', '2027-01-01', '2026-12-28'],
    ['a leap day is a day', 'Europe/Berlin', '2028-02-29T12:00Z', '2028-02-29', '2028-02-28'],
  ]
  for (const [what, zone, instant, day, monday] of days)
    it(`${what}: ${instant} in ${zone}`, () => {
      deepEqual([dayIn(zone, at(instant)), mondayIn(zone, at(instant))], [day, monday])
    })

  const next: [what: string, zone: string, at: string, nextDay: string, nextMonday: string][] = [
    ['on a usual day', 'UTC', '2026-11-25T15:00Z', '2026-11-26T00:00Z', '2026-11-30T00:00Z'],
    ['at the first instant', 'UTC', '2026-11-30T00:00Z', '2026-12-01T00:00Z', '2026-12-07T00:00Z'],
    [
      'over a day of 23 hours',
      'Europe/Berlin',
      '2027-03-27T23:30Z',
      '2027-03-28T22:00Z',
      '2027-03-28T22:00Z',
    ],
    [
      'over a day of 25 hours',
      'Europe/Berlin',
      '2026-10-24T22:30Z',
      '2026-10-25T23:00Z',
      '2026-10-25T23:00Z',
    ],
    [
      'into a day without midnight',
      'Africa/Cairo',
      '2027-04-29T12:00Z',
      '2027-04-29T22:00Z',
      '2027-05-02T21:00Z',
    ],
    [
      'over the year',
      'America/New_York',
      '2026-12-31T12:00Z',
      '2027-01-01T05:00Z',
      '2027-01-04T05:00Z',
    ],
  ]
  for (const [what, zone, instant, day, monday] of next)
    it(`the next day and week begin right ${what}: ${instant} in ${zone}`, () => {
      deepEqual(
        [iso(nextDayIn(zone, at(instant))), iso(nextMondayIn(zone, at(instant)))],
        [day, monday],
      )
    })
})

describe('addWeekdays', () => {
  const cases: [what: string, zone: string, at: string, n: number, then: string][] = [
    ['Monday and three is Thursday', 'UTC', '2026-11-23T09:00Z', 3, '2026-11-26T09:00Z'],
    ['Wednesday and three is Monday', 'UTC', '2026-11-25T09:00Z', 3, '2026-11-30T09:00Z'],
    ['Friday and one is Monday', 'UTC', '2026-11-27T09:00Z', 1, '2026-11-30T09:00Z'],
    ['Monday and five is Monday', 'UTC', '2026-11-23T09:00Z', 5, '2026-11-30T09:00Z'],
    ['Saturday and one is Monday', 'UTC', '2026-11-28T09:00Z', 1, '2026-11-30T09:00Z'],
    ['Sunday and three is Wednesday', 'UTC', '2026-11-29T09:00Z', 3, '2026-12-02T09:00Z'],
    ['none is the same instant', 'UTC', '2026-11-28T09:00Z', 0, '2026-11-28T09:00Z'],
    ['over the year', 'UTC', '2026-12-30T09:00Z', 3, '2027-01-04T09:00Z'],
    ['eight is two weekends', 'UTC', '2026-11-26T09:00Z', 8, '2026-12-08T09:00Z'],
    // Nine o'clock stays nine o'clock.
    ['into summer', 'Europe/Berlin', '2027-03-26T08:00Z', 3, '2027-03-31T07:00Z'],
    ['out of summer', 'Europe/Berlin', '2026-10-23T07:00Z', 3, '2026-10-28T08:00Z'],
    ['into summer', 'America/New_York', '2027-03-12T14:00Z', 1, '2027-03-15T13:00Z'],
    ['out of summer', 'America/New_York', '2026-10-30T13:00Z', 1, '2026-11-02T14:00Z'],
    // Friday 00:30 does not exist there; half past the first hour of the day does.
    ['to a time that is missing', 'Africa/Cairo', '2027-04-28T22:30Z', 1, '2027-04-29T22:30Z'],
    // A Friday evening in Berlin is a Saturday in Auckland.
    ["by the zone's weekdays", 'Pacific/Auckland', '2026-11-27T19:00Z', 1, '2026-11-29T19:00Z'],
  ]
  for (const [what, zone, from, n, then] of cases)
    it(`${what}: ${from} and ${n} in ${zone}`, () => {
      equal(iso(addWeekdays(zone, at(from), n)), then)
    })
})

describe('windowAt', () => {
  type Expected = ['open', closes: string] | ['weekend' | 'hours', opens: string | null]
  const off = (...daysOff: string[]): Hours => ({ ...berlin, daysOff })
  const cases: [what: string, hours: Hours, at: string, expected: Expected][] = [
    ['a second before', berlin, '2026-11-23T07:59:59Z', ['hours', '2026-11-23T08:00Z']],
    ['at the first instant', berlin, '2026-11-23T08:00Z', ['open', '2026-11-23T17:00Z']],
    ['in the last second', berlin, '2026-11-23T16:59:59Z', ['open', '2026-11-23T17:00Z']],
    ['at the last instant', berlin, '2026-11-23T17:00Z', ['hours', '2026-11-24T08:00Z']],
    ['on a Friday evening', berlin, '2026-11-27T17:00Z', ['hours', '2026-11-30T08:00Z']],
    ['on a Saturday', berlin, '2026-11-28T12:00Z', ['weekend', '2026-11-30T08:00Z']],
    ['late on a Sunday', berlin, '2026-11-29T22:59Z', ['weekend', '2026-11-30T08:00Z']],
    ['on a Sunday night', berlin, '2026-11-29T23:00Z', ['hours', '2026-11-30T08:00Z']],
    ['a weekend by the zone', newYork, '2026-11-30T04:59Z', ['weekend', '2026-11-30T14:00Z']],
    ['the last day of a year', berlin, '2026-12-31T18:00Z', ['hours', '2027-01-01T08:00Z']],
    [
      'around the clock on a Monday',
      { ...berlin, from: '00:00', to: '24:00' },
      '2026-11-23T22:59Z',
      ['open', '2026-11-23T23:00Z'],
    ],
    [
      'around the clock on a Sunday',
      { ...berlin, from: '00:00', to: '24:00' },
      '2026-11-29T22:59Z',
      ['weekend', '2026-11-29T23:00Z'],
    ],
    ['a named day off', off('tue'), '2026-11-24T10:00Z', ['hours', '2026-11-25T08:00Z']],
    ['a name in capitals', off('TUE'), '2026-11-24T10:00Z', ['hours', '2026-11-25T08:00Z']],
    ['a date off', off('2026-12-25'), '2026-12-25T10:00Z', ['hours', '2026-12-28T08:00Z']],
    [
      'the same day next year',
      off('2026-12-25'),
      '2028-12-25T10:00Z',
      ['open', '2028-12-25T17:00Z'],
    ],
    [
      'names and dates off',
      off('mon', '2026-11-24', '2026-11-25'),
      '2026-11-20T18:00Z',
      ['hours', '2026-11-26T08:00Z'],
    ],
    ['a weekend off', off('sat', 'sun'), '2026-11-28T10:00Z', ['weekend', '2026-11-30T08:00Z']],
    ['every day off', off('mon', 'tue', 'wed', 'thu', 'fri'), '2026-11-23T10:00Z', ['hours', null]],
    ['before the clocks go on', berlin, '2027-03-26T18:00Z', ['hours', '2027-03-29T07:00Z']],
    ['before the clocks go back', berlin, '2026-10-23T18:00Z', ['hours', '2026-10-26T08:00Z']],
    ['before the clocks go on', newYork, '2027-03-12T23:00Z', ['hours', '2027-03-15T13:00Z']],
    ['before the clocks go back', newYork, '2026-10-30T23:00Z', ['hours', '2026-11-02T14:00Z']],
    ['the Friday clocks go on', cairo, '2027-04-30T05:59Z', ['hours', '2027-04-30T06:00Z']],
    ['the Friday clocks go on', cairo, '2027-04-30T06:00Z', ['open', '2027-04-30T15:00Z']],
    [
      'from a midnight that is missing',
      { ...cairo, from: '00:00' },
      '2027-04-29T21:59Z',
      ['hours', '2027-04-29T22:00Z'],
    ],
    [
      'to the end of a day of 25 hours',
      { ...cairo, to: '24:00' },
      '2026-10-29T12:00Z',
      ['open', '2026-10-29T22:00Z'],
    ],
  ]
  for (const [what, hours, instant, [state, then]] of cases)
    it(`${what}: ${instant} in ${hours.zone} is ${state}`, () => {
      const window = windowAt(hours, at(instant))
      if (window.open) deepEqual(['open', iso(window.closesAt)], [state, then])
      else deepEqual([window.because, iso(window.opensAt)], [state, then])
    })

  it('gives opening times at which the hours are really open, throughout two years', () => {
    for (const hours of [berlin, newYork, cairo, off('wed', '2027-01-01')])
      for (let time = Date.parse('2026-01-01T03:17:00Z'); ; time += 23 * 3_600_000) {
        if (time > Date.parse('2028-01-01T00:00:00Z')) break
        const window = windowAt(hours, new Date(time))
        const opensAt = window.open ? new Date(time) : (window.opensAt as Date)
        equal(windowAt(hours, opensAt).open, true, `${hours.zone} ${opensAt.toISOString()}`)
        if (!window.open) equal(windowAt(hours, new Date(+opensAt - 1)).open, false)
        equal(+(nextOpening(hours, new Date(time)) as Date), +opensAt)
      }
  })
})

describe('holdOf', () => {
  const now = at('2026-11-25T10:00:00Z')
  const cases: [what: string, account: Parameters<typeof sender>[1], hold: string | undefined][] = [
    ['is nothing while there is room', { usedDay: 49, usedWeek: 249 }, undefined],
    ['is the day at its limit', { usedDay: 50, usedWeek: 50 }, 'day_limit 2026-11-25T23:00Z'],
    ['is the day beyond its limit', { usedDay: 51, usedWeek: 51 }, 'day_limit 2026-11-25T23:00Z'],
    ['is the week at its limit', { usedDay: 3, usedWeek: 250 }, 'week_limit 2026-11-29T23:00Z'],
    ['is the week before the day', { usedDay: 50, usedWeek: 250 }, 'week_limit 2026-11-29T23:00Z'],
    [
      'is the day at half under caution',
      { health: 'caution', usedDay: 25 },
      'day_limit 2026-11-25T23:00Z',
    ],
    ['is nothing below half under caution', { health: 'caution', usedDay: 24 }, undefined],
    [
      'is the gap after a claim',
      { lastClaimAt: at('2026-11-25T09:59:31Z') },
      'gap 2026-11-25T10:00:01.000Z',
    ],
    ['is over with the gap', { lastClaimAt: at('2026-11-25T09:59:30Z') }, undefined],
    ['is no gap where there is none', { gapSeconds: 0, lastClaimAt: now }, undefined],
    ['is the day before the gap', { usedDay: 50, lastClaimAt: now }, 'day_limit 2026-11-25T23:00Z'],
    [
      'is the rest before the gap',
      { restsUntil: at('2026-11-25T10:15:00Z'), lastClaimAt: now },
      'provider 2026-11-25T10:15Z',
    ],
    ['is over with the rest', { restsUntil: now }, undefined],
    ['is a limit of nothing', { limitDay: 0 }, 'day_limit 2026-11-25T23:00Z'],
  ]
  for (const [what, account, expected] of cases)
    it(what, () => {
      const hold = holdOf(sender('con_a', account), 'Europe/Berlin', now)
      equal(hold && `${hold.because} ${iso(hold.until)}`, expected)
    })

  it("renews the week on Monday in the workspace's zone, wherever the agent is", () => {
    const full = sender('con_a', { usedWeek: 250 })
    // Monday noon in Auckland is still Sunday in New York.
    const sunday = at('2026-11-29T23:00:00Z')
    const until = (zone: string) => iso(holdOf(full, zone, sunday)?.until ?? null)
    equal(until('America/New_York'), '2026-11-30T05:00Z')
    equal(until('Pacific/Auckland'), '2026-12-06T11:00Z')
  })
})

describe('limitsOf', () => {
  it('leaves a limit of one at one, and of zero at zero, under caution', () => {
    const limits = (limitDay: number, limitWeek: number) =>
      limitsOf(sender('con_a', { health: 'caution', limitDay, limitWeek }))
    deepEqual(limits(1, 1), { day: 1, week: 1 })
    deepEqual(limits(0, 0), { day: 0, week: 0 })
  })

  it('halves the limits of an account under caution, and rounds down', () => {
    deepEqual(limitsOf(sender('con_a', { limitDay: 5, limitWeek: 21 })), { day: 5, week: 21 })
    deepEqual(limitsOf(sender('con_a', { health: 'caution', limitDay: 5, limitWeek: 21 })), {
      day: 2,
      week: 10,
    })
  })
})

describe('termOf', () => {
  const now = at('2026-11-23T09:00:00Z')
  const term = (left: number, senders = [sender('con_a')], waitDays = [3, 5]) =>
    termOf({ left, waitDays, senders, zone: 'Europe/Berlin', now })

  it('covers only the follow-ups when nobody is left', () => {
    deepEqual(term(0), { weeks: 2, ends: '2026-12-03', approx: true })
  })
  it('is as long as the follow-ups wait', () => {
    deepEqual(term(0, undefined, [1]), { weeks: 1, ends: '2026-11-24', approx: true })
    deepEqual(term(0, undefined, []), { weeks: 1, ends: '2026-11-23', approx: true })
  })
  it('adds the weekdays that first letters take within the limits', () => {
    deepEqual(term(100), { weeks: 2, ends: '2026-12-07', approx: true })
    deepEqual(term(1000), { weeks: 6, ends: '2026-12-31', approx: true })
  })
  it('counts by the week where that is the narrower limit', () => {
    deepEqual(term(100, [sender('con_a', { limitWeek: 50 })]), {
      weeks: 4,
      ends: '2026-12-17',
      approx: true,
    })
  })
  it('is shorter with a second account, longer under caution', () => {
    const caution = sender('con_b', { health: 'caution' })
    equal(term(1000, [sender('con_a'), sender('con_b')]).ends, '2026-12-17')
    equal(term(1000, [caution]).ends, '2027-01-28')
  })
  it('covers only the follow-ups without an account', () => {
    equal(term(1000, []).ends, '2026-12-03')
  })
})
