import { deepEqual } from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { runErasure } from './erasure.ts'
import { withoutTemporal } from './pending.ts'

// One seed that is always the same, and another one each time; `npm run faults -- --erasure --seed N` repeats it.

describe('an erasure, while the processes are killed', function () {
  this.timeout(600_000)
  for (const seed of [7, randomInt(1_000_000)])
    it(`seed ${seed} leaves nothing of the person`, async function () {
      const { violations, folder } = await runErasure(seed).catch(withoutTemporal(this))
      deepEqual(violations, [], `see ${folder}`)
    })
})
