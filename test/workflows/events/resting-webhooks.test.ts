import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { runnerWorkflowId } from '../../../db/events/webhook-runners.ts'
import { eventIds, givenHook } from '../../support/given-hook.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

// What becomes of events while the address accepts none.

describe('events of a webhook', function () {
  this.timeout(120_000)
  let service: TestService
  const taskQueue = `test-${randomUUID()}`
  const only = ['rows', 'remote', 'hooks'] as const
  before(async function () {
    service = await startService()
    await service.work(this.test?.ctx, {}, { taskQueue, only })
  })
  after(() => service.close())

  const given = (answers: number[]) => givenHook(service, answers)

  it('rest while the address accepts none; one is tried after a rest, and then all others', async function () {
    const answers = [500]
    const own = await startService()
    await own.work(this, { firstRestMs: 1_000 }, { only })
    const { receiver, happen, count, read, row } = await givenHook(own, answers)
    await happen(40)
    const resting = await eventually(read, ({ restsUntil }) => restsUntil !== null)
    ok(Date.parse(resting.restsUntil) > own.clock.now().getTime() - 1_000)
    ok(receiver.got.length < 10, `${receiver.got.length} tries`)
    await eventually(row, (one) => one?.runner === 'resting')
    const tried = receiver.got.length
    // The first rest ends, one delivery is tried, and the next rest is longer.
    const failures = (await row())?.failures ?? 0
    await eventually(row, (one) => (one?.failures ?? 0) > failures, 30_000)
    equal(receiver.got.length, tried + 1)
    answers[0] = 204
    await comesTo(() => count('delivered'), 40, 60_000)
    equal((await read()).restsUntil, null)
    equal(new Set(eventIds(receiver)).size, 40)
    await own.close()
  })

  it('do not wait for the end of a rest once the webhook is edited', async () => {
    const answers = [500]
    const { happen, count, call, path, row, receiver } = await given(answers)
    await happen(12)
    await eventually(row, (one) => one?.runner === 'resting')
    answers[0] = 204
    await call('PATCH', path, { url: `${receiver.url}/moved` })
    await reaches(() => count('delivered'), 1, 8_000)
    equal(receiver.got.at(-1)?.path, '/events/moved')
  })

  it('are given up when the webhook is disabled, and end when it is deleted', async () => {
    const { happen, count, call, path, row, webhook } = await given([500])
    await happen(12)
    await eventually(row, (one) => one?.runner === 'resting')
    const off = await call('PATCH', path, { enabled: false })
    equal(off.body.restsUntil, null)
    await comesTo(() => count('failed'), 12)
    const other = await given([500])
    await other.happen(12)
    const { epoch = 0 } = (await eventually(other.row, (one) => one?.runner === 'resting')) ?? {}
    await other.call('DELETE', other.path)
    const client = await testClient()
    const id = runnerWorkflowId(other.webhook.id, epoch)
    deepEqual(await client.workflow.getHandle(id).result(), {
      state: 'done',
      reason: 'nothing_queued',
    })
    ok(webhook.id)
  })

  it('are delivered by another workflow when theirs is terminated', async () => {
    const answers = [500]
    const { happen, count, row, webhook } = await given(answers)
    await happen(12)
    const { epoch = 0 } = (await eventually(row, (one) => one?.runner === 'resting')) ?? {}
    const client = await testClient()
    await client.workflow.getHandle(runnerWorkflowId(webhook.id, epoch)).terminate('by hand')
    answers[0] = 204
    // It has existed for a while.
    await sql`update webhooks set woken_at = now() - interval '1 hour', rests_until = null where id = ${webhook.id}`.execute(
      service.db,
    )
    const sweep = { taskQueue, workflowId: randomUUID(), args: [] }
    await client.workflow.execute('sweep', sweep)
    await comesTo(() => count('delivered'), 12, 30_000)
    equal((await row())?.epoch, epoch + 1)
  })
})
