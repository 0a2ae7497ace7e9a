import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { openBreaker } from '../../../process/limits/breaker.ts'

describe('a breaker', () => {
  let asked = 0
  const fails = (why: string) => async () => {
    asked++
    throw new Error(why)
  }
  const works = async () => {
    asked++
    return 'answer'
  }
  const given = () => {
    asked = 0
    const breaker = openBreaker({
      isFailure: (error) => (error as Error).message === 'down',
      resting: (delayMs, error) => Object.assign(new Error('resting'), { delayMs, error }),
    })
    const down = async (times: number, key = 'one') => {
      for (let i = 0; i < times; i++) await rejects(breaker.ask(key, fails('down')))
    }
    return { ...breaker, down }
  }

  it('asks until the server has failed five times in a row, then says until when it rests, and why', async () => {
    const { ask, down } = given()
    await down(5)
    equal(asked, 5)
    const told = await ask('one', works).catch((error: unknown) => error)
    const { message, delayMs, error } = told as Error & { delayMs: number; error: Error }
    deepEqual([message, error.message, asked], ['resting', 'down', 5])
    ok(delayMs > 4_000 && delayMs <= 5_000, String(delayMs))
  })

  it('does not count failures that an answer lies between, nor those that are of the question', async () => {
    const { ask, down } = given()
    await down(4)
    equal(await ask('one', works), 'answer')
    await down(4)
    for (let i = 0; i < 9; i++) await rejects(ask('one', fails('what was asked is wrong')))
    equal(await ask('one', works), 'answer')
  })

  it('keeps the servers apart', async () => {
    const { ask, down } = given()
    await down(5)
    equal(await ask('two', works), 'answer')
  })

  it('lets one call try after the rest, and rests longer if that fails', async () => {
    const { ask, down } = given()
    await down(5)
    const { now } = performance
    const began = now.call(performance)
    let later = 5_001
    performance.now = () => began + later
    try {
      let end = () => {}
      const held = new Promise<void>((resolve) => (end = resolve))
      const trying = ask('one', async () => {
        await held
        throw new Error('down')
      })
      await rejects(ask('one', works), { message: 'resting' })
      end()
      await rejects(trying, { message: 'down' })
      later += 10_000
      await rejects(ask('one', works), { message: 'resting' })
      later += 5_001
      equal(await ask('one', works), 'answer')
      equal(await ask('one', works), 'answer')
    } finally {
      performance.now = now
    }
  })
})
