import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { eventIds, givenHook } from '../../support/given-hook.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

describe('events of a webhook', function () {
  this.timeout(120_000)
  let service: TestService
  const taskQueue = `test-${randomUUID()}`
  const work = (context: Mocha.Context | undefined) =>
    service.work(context, {}, { taskQueue, only: ['rows', 'remote', 'hooks'] })
  let worker: Awaited<ReturnType<typeof work>>
  before(async function () {
    service = await startService()
    worker = await work(this)
  })
  after(() => service.close())

  const given = (answers?: (number | 'hang')[], options?: { delayMs: number }) =>
    givenHook(service, answers, options)

  it('arrive in the order in which they happened, at most four at once, through few workflows', async () => {
    const { receiver, happen, count, row } = await given([204], { delayMs: 30 })
    await happen(60)
    await comesTo(() => count('delivered'), 60, 30_000)
    equal(receiver.got.length, 60)
    ok(receiver.most() <= 4, `${receiver.most()} at once`)
    const ids = eventIds(receiver)
    const sorted = ids.toSorted((a, b) => a - b)
    // Concurrent deliveries may overtake one another.
    for (const [place, id] of ids.entries())
      ok(Math.abs(sorted.indexOf(id) - place) < 4, `${id} is at ${place}`)
    const after = await eventually(row, (one) => one?.runner === 'none')
    ok((after?.epoch ?? 0) < 30, `${after?.epoch} workflows for 60 events`)
  })

  it('share eight places among all webhooks of a workspace, each in its turn', async () => {
    const { receiver, call, happen } = await given([204], { delayMs: 1_000 })
    for (let n = 1; n < 14; n++) await call('POST', '/webhooks', { url: `${receiver.url}/${n}` })
    await happen(8)
    await comesTo(() => receiver.got.length, 14 * 8, 90_000)
    ok(receiver.most() <= 8 * 4, `${receiver.most()} at once`)
    equal(new Set(receiver.got.map(({ path }) => path)).size, 14)
  })

  it('are not lost when a worker stops during a delivery', async () => {
    const { happen, count, receiver } = await given([204], { delayMs: 200 })
    await happen(40)
    for (let n = 0; n < 3; n++) {
      await sleep(300)
      await worker.stop()
      worker = await work(undefined)
    }
    await comesTo(() => count('delivered'), 40, 60_000)
    equal(new Set(eventIds(receiver)).size, 40)
  })

  it('delay no other workspace, however many there are and however slow their address is', async () => {
    const slow = await given(['hang'])
    // From before there was a limit.
    await sql`insert into webhooks (id, workspace, member, url, secret, created_at, updated_at)
      select w.id || n, workspace, member, url, secret, created_at, updated_at
      from webhooks w, generate_series(1, 199) n where w.id = ${slow.webhook.id}`.execute(
      service.db,
    )
    const other = await service.workspace()
    await slow.happen(8)
    const queued = async () =>
      Number(
        (
          await service.db
            .selectFrom('deliveries')
            .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('webhooks.workspace', '=', slow.id)
            .where('state', '=', 'queued')
            .where('attempts', '=', 0)
            .executeTakeFirstOrThrow()
        ).count,
      )
    for (let n = 0; n < 3; n++) {
      const { status, text } = await other.call('POST', '/senders/health/check', {})
      equal(status, 200, text)
      ok((await queued()) > 1_000, 'it was answered before those were tried')
    }
    await service.db.deleteFrom('webhooks').where('workspace', '=', slow.id).execute()
  })

  it('come from at most twenty webhooks a workspace', async () => {
    const { call } = await service.workspace()
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        call('POST', '/webhooks', { url: `https://client.example/${n}` }),
      ),
    )
    deepEqual(
      [200, 422].map((wanted) => replies.filter(({ status }) => status === wanted).length),
      [20, 5],
    )
    const refused = replies.find(({ status }) => status === 422)?.body
    equal(refused.code, 'validation_failed')
    deepEqual(
      refused.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [['/url', 'too_many']],
    )
    const { webhooks } = (await call('GET', '/webhooks')).body
    await call('DELETE', `/webhooks/${webhooks[0].id}`)
    equal((await call('POST', '/webhooks', { url: 'https://client.example/' })).status, 200)
  })
})
