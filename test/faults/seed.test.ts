import { deepEqual } from 'node:assert/strict'
import { withoutTemporal } from './pending.ts'
import { runSeed } from './seed.ts'

const seed = 7

describe('whatever dies, and whenever', function () {
  this.timeout(300_000)
  it(`seed ${seed} violates no invariant`, async function () {
    const { violations, folder } = await runSeed(seed).catch(withoutTemporal(this))
    deepEqual(violations, [], `see ${folder}`)
  })
})
