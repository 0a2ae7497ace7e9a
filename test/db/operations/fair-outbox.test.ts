import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  commandDispatched,
  enqueueSignal,
  enqueueStoredStart,
  lockCommands,
} from '../../../db/operations/outbox.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('the outbox', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const start = (workspace: string, type = 'sendMessage') =>
    enqueueStoredStart(service.db, {
      type,
      workflowId: `${workspace}:${randomUUID()}`,
      args: [],
      attributes: { Workspace: workspace },
    })
  const fill = (workspace: string, count: number) =>
    sql`insert into outbox (kind, workspace, workflow_type, workflow_id, args)
      select 'start', ${workspace}, 'sendMessage', ${workspace} || ':' || n, '[]'
      from generate_series(1, ${count}::int) n`.execute(service.db)
  /** What a relay takes at once, as `<workspace> <type or signal>`. */
  const take = (limit = 25) =>
    service.db.transaction().execute(async (trx) => {
      const commands = await lockCommands(trx, limit)
      for (const { id } of commands) await commandDispatched(trx, id)
      return commands.map((one) => `${one.workspace} ${one.workflowType ?? one.signal}`)
    })

  it('serves the workspaces in turn, however many commands one of them has', async () => {
    await fill('wsp_many', 1000)
    await start('wsp_one')
    for (let n = 0; n < 3; n++) await start('wsp_few')
    const first = await take()
    equal(first.length, 25)
    deepEqual(
      first.slice(0, 3).map((line) => line.split(' ')[0]),
      ['wsp_many', 'wsp_one', 'wsp_few'],
    )
    equal(first.filter((line) => line.startsWith('wsp_few')).length, 3)
    // No other workspace has commands left, so the rest go at full speed.
    deepEqual(await take(), Array(25).fill('wsp_many sendMessage'))
  })

  it('gives awaited commands first, then sends and signals, then deliveries, each by age', async () => {
    await start('wsp_a', 'syncMailbox')
    await start('wsp_a')
    await enqueueSignal(service.db, 'wsp_a:key', 'changed')
    await enqueueSignal(service.db, 'tch_1-e1', 'changed', [], { workspace: 'wsp_a' })
    await start('wsp_a', 'checkMeeting')
    await start('wsp_a')
    deepEqual(await take(), [
      'wsp_a checkMeeting',
      'wsp_a sendMessage',
      'wsp_a changed',
      'wsp_a changed',
      'wsp_a sendMessage',
      'wsp_a syncMailbox',
    ])
  })

  it('skips what is put off and what another relay holds', async () => {
    await fill('wsp_a', 60)
    await sql`update outbox set next_try_at = now() + interval '1 hour' where id % 3 = 0`.execute(
      service.db,
    )
    await service.db.transaction().execute(async (trx) => {
      const held = await lockCommands(trx, 25)
      const others = await take()
      equal(held.length, 25)
      equal(others.length, 15)
    })
    equal((await take()).length, 25)
    equal((await take()).length, 0)
  })

  it('costs the same per batch however long the queue is', async () => {
    const { db } = service
    /** The quickest of some batches, in ms. */
    const quickest = async () => {
      let least = Number.POSITIVE_INFINITY
      for (let n = 0; n < 15; n++) {
        const begun = performance.now()
        await db.transaction().execute((trx) => lockCommands(trx, 25))
        least = Math.min(least, performance.now() - begun)
      }
      return least
    }
    const workspaces = ['wsp_a', 'wsp_b', 'wsp_c']
    for (const workspace of workspaces) await fill(workspace, 100)
    await sql`vacuum analyze outbox`.execute(db)
    const few = await quickest()
    for (const workspace of workspaces) await fill(workspace, 20_000)
    await sql`vacuum analyze outbox`.execute(db)
    const many = await quickest()
    ok(many < Math.max(few, 1) * 20, `${few} ms of 300, ${many} ms of 60,300`)
  })
})

describe('the relay', function () {
  this.timeout(60_000)

  it('continues at once with what follows a command that Temporal refuses', async function () {
    const service = await startService()
    const { db } = service
    // One in each batch of 25 is refused: its type is too long.
    await sql`insert into outbox (kind, workspace, workflow_type, workflow_id, args)
      select 'start', 'wsp_a', case n % 25 when 1 then repeat('x', 2000) else 'sweep' end, 'wsp_a:relay-' || n || random(), '[]'
      from generate_series(1, 250) n`.execute(db)
    const left = async () =>
      Number(
        (
          await db
            .selectFrom('outbox')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('dispatchedAt', 'is', null)
            .where('refusedAt', 'is', null)
            .executeTakeFirstOrThrow()
        ).count,
      )
    try {
      // What the relay starts is served by nobody.
      await service.work(this, {}, { only: ['mail'] })
      await eventually(left, (n) => n === 0, 30_000)
      const { rows } = await sql<{ pauses: number }>`
        select count(*)::int as pauses from (
          select dispatched_at - lag(dispatched_at) over (order by dispatched_at) as pause
          from outbox where dispatched_at is not null) as one
        where pause > interval '0.9 s'`.execute(db)
      // While Temporal is away the relay waits a second between batches; ten batches would take nine seconds.
      ok((rows[0]?.pauses ?? 0) < 6, `${rows[0]?.pauses} pauses`)
    } finally {
      await service.close()
    }
  })
})
