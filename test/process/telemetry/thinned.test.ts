import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openThinning } from '../../../process/telemetry/thinned.ts'

const timesOf = (told: { times: number } | undefined) => told?.times

describe('troubles that repeat', () => {
  it('are told when they begin, each by itself', () => {
    const often = openThinning()
    const told = ['one', 'one', 'two', 'one', 'two'].map((what) => timesOf(often(what)))
    deepEqual(told, [1, undefined, 1, undefined, undefined])
  })

  it('are told again after a while, with how often they came', async () => {
    const often = openThinning(300)
    let told = often('one')
    for (let calls = 1; calls === 1 || !told; ) {
      await sleep(5)
      told = often('one')
      calls++
      if (told) equal(told.times, calls)
    }
  })

  it('begin again once they have been away for as long', async () => {
    const often = openThinning(20)
    const since = often('one')?.since as Date
    await sleep(40)
    const told = often('one')
    equal(told?.times, 1)
    equal((told?.since as Date) > since, true)
  })
})
