import { deepEqual } from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { withoutTemporal } from './pending.ts'
import { runSeed } from './seed.ts'

// Another one each time; `npm run faults -- --seed N` repeats it.
const seed = randomInt(1_000_000)

describe('whatever dies, and whenever', function () {
  this.timeout(300_000)
  it(`seed ${seed} violates no invariant`, async function () {
    const { violations, folder } = await runSeed(seed).catch(withoutTemporal(this))
    deepEqual(violations, [], `see ${folder}`)
  })
})
