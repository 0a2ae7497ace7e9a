import { equal, throws } from 'node:assert/strict'
import { iso } from '../../rules/iso.ts'

describe('an instant as text', () => {
  it('is what the engine writes', () => {
    const day = 24 * 60 * 60_000
    const instants = [0, 1, -1, 999, day - 1, day, -day, 8.64e15, -8.64e15, Date.UTC(9999, 11, 31)]
    for (let i = 0; i < 2_000; i++) instants.push(1.8e12 - i * 12_345_678, -6.3e13 + i * 7_654_321)
    for (const ms of instants) equal(iso(new Date(ms)), new Date(ms).toISOString())
  })

  it('does not exist of an invalid date', () => {
    iso(new Date(0))
    throws(() => iso(new Date(Number.NaN)), RangeError)
    equal(iso(new Date(0)), '1970-01-01T00:00:00.000Z')
  })
})
