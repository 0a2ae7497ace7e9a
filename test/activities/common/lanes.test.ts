import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from '../../../activities/common/lanes.ts'

const numbers = Array.from({ length: 20 }, (_, n) => n)

describe('work in lanes', () => {
  it('is done for each item in order, and never more at once than it may be', async () => {
    const begun: number[] = []
    let [inHand, most] = [0, 0]
    const done = await inLanes(numbers, { atOnce: 3 }, async (n) => {
      begun.push(n)
      most = Math.max(most, ++inHand)
      await sleep(1)
      inHand--
    })
    deepEqual([done, begun, most], [20, numbers, 3])
  })

  it('begins nothing more after its time, or once something has failed, and waits for what has begun', async () => {
    let over = 0
    const slow = async () => {
      await sleep(20)
      over++
    }
    equal(await inLanes(numbers, { atOnce: 2, forMs: 10 }, slow), 2)
    equal(over, 2)
    const work = async (n: number) => {
      if (n === 0) throw new Error('no')
      await slow()
    }
    await rejects(inLanes(numbers, { atOnce: 3 }, work), /no/)
    equal(over, 4)
  })
})
