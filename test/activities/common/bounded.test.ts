import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationFailure } from '@temporalio/common'
import { bounded } from '../../../activities/common/bounded.ts'

describe('bounded work', () => {
  it('runs a limited number at once, and gives each freed place to one that waits', async () => {
    let inHand = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inHand)
      await sleep(10)
      inHand--
    }
    const run = bounded({ name: 'test', ofKey: 3, waiting: 17 })
    await Promise.all(Array.from({ length: 20 }, () => run('one', work)))
    equal(most, 3)
    for (let i = 0; i < 5; i++) await run('one', work)
    equal(inHand, 0)
  })

  it('lets more wait while places are held only briefly', async () => {
    const run = bounded({ name: 'test', ofKey: 2, waiting: 1, waitingBriefly: 20 })
    const all = (ms: number) =>
      Promise.allSettled(Array.from({ length: 20 }, () => run('one', () => sleep(ms))))
    const refused = async (ms: number) =>
      (await all(ms)).filter(({ status }) => status === 'rejected').length
    await run('one', () => sleep(5))
    equal(await refused(5), 0)
    // Twenty could not all wait behind work that takes so long.
    await run('one', () => sleep(400))
    equal(await refused(5), 17)
  })

  it('turns the others away at once, to come back in turn', async () => {
    let end = () => {}
    const run = bounded({ name: 'test', ofKey: 1, waiting: 0 })
    const held = run('one', () => new Promise<void>((resolve) => (end = resolve)))
    const delays: number[] = []
    for (let i = 0; i < 3; i++)
      await run('one', async () => {}).catch(({ type, nextRetryDelay }: ApplicationFailure) => {
        equal(type, 'busy')
        delays.push(nextRetryDelay as number)
      })
    equal(delays.length, 3)
    ok((delays[0] as number) <= (delays[1] as number))
    ok((delays[1] as number) <= (delays[2] as number))
    end()
    await held
  })

  it('frees a place after a failure, and keeps none for a caller that gave up waiting', async () => {
    const run = bounded({ name: 'test', ofKey: 1 })
    await rejects(
      run('one', () => Promise.reject(new Error('ours'))),
      /ours/,
    )
    let end = () => {}
    const held = run('one', () => new Promise<void>((resolve) => (end = resolve)))
    await rejects(
      run('one', async () => {}),
      { type: 'busy' },
    )
    end()
    await held
    equal(await run('one', async () => 'done'), 'done')
  })

  it('is turned away for the one with the most that wait, where all share the places', async () => {
    const run = bounded({ name: 'test', all: 1, waiting: 3 })
    const began: string[] = []
    const ask = (key: string) =>
      run(key, async () => {
        began.push(key)
        await sleep(5)
      }).catch(() => void began.push(`not ${key}`))
    await Promise.all(['many', 'many', 'many', 'many', 'one'].map(ask))
    deepEqual(began, ['many', 'not many', 'many', 'one', 'many'])
  })
})
