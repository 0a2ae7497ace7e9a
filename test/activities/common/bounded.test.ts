import { equal, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationFailure } from '@temporalio/common'
import { inFlightOf } from '../../../activities/common/bounded.ts'

describe('inFlightOf', () => {
  it('runs a limited number at once, and gives each freed place to one that waits', async () => {
    const key = randomUUID()
    let inHand = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inHand)
      await sleep(10)
      inHand--
    }
    const bound = { most: 3, waiting: 20 }
    await Promise.all(Array.from({ length: 20 }, () => inFlightOf(key, bound, work)))
    equal(most, 3)
    for (let i = 0; i < 5; i++) await inFlightOf(key, { most: 3, waiting: 0 }, work)
    equal(inHand, 0)
  })

  it('lets more wait while places are held only briefly', async () => {
    const key = randomUUID()
    const bound = { most: 2, waiting: 1, waitingBriefly: 20 }
    const all = (ms: number) =>
      Promise.allSettled(Array.from({ length: 20 }, () => inFlightOf(key, bound, () => sleep(ms))))
    const refused = async (ms: number) =>
      (await all(ms)).filter(({ status }) => status === 'rejected').length
    await inFlightOf(key, bound, () => sleep(5))
    equal(await refused(5), 0)
    // Twenty could not all wait behind work that takes so long.
    await inFlightOf(key, bound, () => sleep(400))
    equal(await refused(5), 17)
  })

  it('turns the others away at once, to come back in turn', async () => {
    const key = randomUUID()
    let end = () => {}
    const held = inFlightOf(key, { most: 1 }, () => new Promise<void>((resolve) => (end = resolve)))
    const delays: number[] = []
    for (let i = 0; i < 3; i++)
      await inFlightOf(key, { most: 1, waiting: 0 }, async () => {}).catch(
        ({ type, nextRetryDelay }: ApplicationFailure) => {
          equal(type, 'busy')
          delays.push(nextRetryDelay as number)
        },
      )
    equal(delays.length, 3)
    ok((delays[0] as number) <= (delays[1] as number))
    ok((delays[1] as number) <= (delays[2] as number))
    end()
    await held
  })

  it('frees a place after a failure, and keeps none for a caller that gave up waiting', async () => {
    const key = randomUUID()
    const bound = { most: 1 }
    await rejects(
      inFlightOf(key, bound, () => Promise.reject(new Error('ours'))),
      /ours/,
    )
    let end = () => {}
    const held = inFlightOf(key, bound, () => new Promise<void>((resolve) => (end = resolve)))
    await rejects(
      inFlightOf(key, bound, async () => {}),
      { type: 'busy' },
    )
    end()
    await held
    equal(await inFlightOf(key, { most: 1, waiting: 0 }, async () => 'done'), 'done')
  })
})
