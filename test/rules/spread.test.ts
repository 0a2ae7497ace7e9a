import { equal, ok } from 'node:assert/strict'
import { spreadMs } from '../../rules/spread.ts'

describe('what falls due for many at one moment', () => {
  it('is spread over a minute, and is due for each at the same time again', () => {
    const all = Array.from({ length: 1000 }, (_, i) => spreadMs(`cmp_01k${i}`, 60_000))
    equal(Math.min(...all) >= 0 && Math.max(...all) < 60_000, true)
    for (let from = 0; from < 60_000; from += 6_000) {
      const there = all.filter((ms) => ms >= from && ms < from + 6_000).length
      ok(there > 60 && there < 140, `${there} from ${from} ms on`)
    }
    equal(spreadMs('cmp_01k7', 60_000), all[7])
  })
})
