import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isTaken,
  listTaken,
  turnIsOver,
  untilTurn,
} from '../../../activities/conversations/line.ts'

describe('the line of the messages of an account', () => {
  const dueAt = new Date('2026-11-23T09:00:00Z')

  /** Messages of one moment, each of which goes when those before it are gone. */
  function given(account: string) {
    const gone = new Set<number>()
    const asked: number[] = []
    const wait = (seq: number, goesOn = () => true) =>
      untilTurn(
        { account, dueAt, seq: String(seq) },
        {
          goesOn,
          async hasCome() {
            asked.push(seq)
            return Array.from({ length: seq }, (_, before) => before).every((n) => gone.has(n))
          },
        },
      )
    const go = (seq: number) => {
      gone.add(seq)
      turnIsOver({ id: `msg_${seq}`, connection: account })
    }
    return { wait, go, asked }
  }

  it('goes in the order in which they were accepted, whoever comes first', async () => {
    const { wait, go } = given('con_1')
    const went: number[] = []
    await Promise.all(
      [3, 1, 4, 0, 2].map(async (seq) => {
        if (await wait(seq)) went.push(seq)
        go(seq)
      }),
    )
    deepEqual(went, [0, 1, 2, 3, 4])
  })

  it('has only its first one ask, and goes on when one gives up', async () => {
    const { wait, go, asked } = given('con_2')
    let first = true
    const one = wait(1, () => first)
    const two = wait(2)
    await sleep(120)
    deepEqual(new Set(asked), new Set([1]))
    first = false
    equal(await one, false)
    go(0)
    go(1)
    equal(await two, true)
  })

  it('knows what has gone before its row says so', () => {
    isTaken({ id: 'msg_9', connection: 'con_3' })
    deepEqual(listTaken(), ['msg_9'])
    turnIsOver({ id: 'msg_9', connection: 'con_3' })
    deepEqual(listTaken(), [])
  })
})
