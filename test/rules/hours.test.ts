import { deepEqual, equal } from 'node:assert/strict'
import { dayIn, mondayIn, windowAt } from '../../rules/hours.ts'

describe('days and hours, asked again and again', () => {
  const hours = { zone: 'Europe/Berlin', from: '09:00', to: '18:00', daysOff: [] }
  // A Monday in Berlin, which is an hour ahead of UTC.
  const at = (time: string) => new Date(`2026-11-23T${time}Z`)

  it('change with the minute in which the day or the hours begin or end', () => {
    const isOpen = (time: string) => windowAt(hours, at(time)).open
    const times = ['07:59:59.999', '08:00:00.000', '16:59:59.999', '17:00:00.000']
    deepEqual(times.map(isOpen), [false, true, true, false])
    equal(dayIn('Europe/Berlin', at('22:59:59.999')), '2026-11-23')
    equal(dayIn('Europe/Berlin', at('23:00:00.000')), '2026-11-24')
    equal(mondayIn('Europe/Berlin', new Date('2026-11-22T22:59:59.999Z')), '2026-11-16')
    equal(mondayIn('Europe/Berlin', new Date('2026-11-22T23:00:00.000Z')), '2026-11-23')
  })

  it('are told apart by zone, hours, days off and kind of days within one minute', () => {
    const now = at('08:30:00')
    deepEqual(
      ['Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles'].map((zone) => [
        dayIn(zone, now),
        windowAt({ ...hours, zone }, now).open,
      ]),
      [
        ['2026-11-23', true],
        ['2026-11-23', false],
        ['2026-11-23', false],
      ],
    )
    equal(dayIn('Pacific/Auckland', at('12:30:00')), '2026-11-24')
    equal(windowAt({ ...hours, from: '10:00' }, now).open, false)
    equal(windowAt({ ...hours, to: '09:15' }, now).open, false)
    equal(windowAt({ ...hours, daysOff: ['mon'] }, now).open, false)
    const sunday = new Date('2026-11-22T08:30:00Z')
    equal(windowAt(hours, sunday).open, false)
    equal(windowAt(hours, sunday, 'every day').open, true)
  })
})
