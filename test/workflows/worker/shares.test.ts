import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { Info } from '@temporalio/activity'
import { shareOf } from '../../../activities/worker/shares.ts'

describe('the share that a workspace has of a task queue', () => {
  const share = shareOf('test', 8)
  const infoOf = (id: string, more: object = {}) =>
    ({ isLocal: false, workflowExecution: { workflowId: id, runId: 'run' }, ...more }) as Info

  /** Begins an activity, and answers what ends it. */
  function begin(info: Info) {
    let end = () => {}
    const until = new Promise<void>((resolve) => (end = resolve))
    const done = share(info).execute?.({ args: [], headers: {} }, () => until)
    return { end, done }
  }
  const turnedAway = (info: Info) => rejects(begin(info).done as Promise<unknown>, { type: 'busy' })

  it('is a quarter of its slots, by the id of an operation or what its start has said', async () => {
    const held = [
      begin(infoOf('wsp_a:1')),
      begin(infoOf('tch_1', { priority: { fairnessKey: 'wsp_a' } })),
    ]
    await turnedAway(infoOf('wsp_a:2'))
    await turnedAway(infoOf('tch_2', { priority: { fairnessKey: 'wsp_a' } }))
    const others = [begin(infoOf('wsp_b:1')), begin(infoOf('wsp_b:2'))]
    await turnedAway(infoOf('wsp_b:3'))
    for (const { end } of [...held, ...others]) end()
    await Promise.all([...held, ...others].map(({ done }) => done))
    const again = begin(infoOf('wsp_a:2'))
    again.end()
    await again.done
  })

  it('is not asked for by work of the whole deployment, nor by what is part of a task of its workflow', async () => {
    const infos = [
      ...Array.from({ length: 10 }, () => infoOf('postroom-sweep')),
      ...Array.from({ length: 10 }, () => infoOf('wsp_c:1', { isLocal: true })),
    ]
    const begun = infos.map(begin)
    for (const { end } of begun) end()
    equal((await Promise.all(begun.map(({ done }) => done))).length, 20)
  })

  it('says when to come back', async () => {
    const held = [begin(infoOf('wsp_d:1')), begin(infoOf('wsp_d:2'))]
    const delays = await Promise.all(
      [3, 4].map((n) =>
        (begin(infoOf(`wsp_d:${n}`)).done as Promise<unknown>).catch(
          (error: { nextRetryDelay: number }) => error.nextRetryDelay > 0,
        ),
      ),
    )
    deepEqual(delays, [true, true])
    for (const { end } of held) end()
  })
})
