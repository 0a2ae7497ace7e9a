import { equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRate } from '../../../process/limits/rate.ts'

describe('a rate', () => {
  it('lets one begin at once, and each further one when those before have had their time', () => {
    const rate = openRate()
    equal(rate.next(1_000), 0)
    const waits = [rate.next(500), rate.next(100), rate.next(100)]
    for (const [i, ms] of [1_000, 1_500, 1_600].entries()) {
      const wait = waits[i] ?? 0
      ok(wait <= ms && wait > ms - 100, `${wait} instead of ${ms}`)
    }
  })

  it('saves up no time while nothing begins', async () => {
    const rate = openRate()
    rate.next(10)
    await sleep(30)
    equal(rate.next(1_000), 0)
    ok(rate.next(1_000) > 900)
  })

  it('begins anew when it is told to', () => {
    const rate = openRate()
    rate.next(60_000)
    rate.reset()
    equal(rate.next(1_000), 0)
  })
})
