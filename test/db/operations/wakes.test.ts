import { deepEqual, equal } from 'node:assert/strict'
import { sql } from 'kysely'
import {
  commandDispatched,
  commandFailed,
  leaseCommands,
  lockCommands,
} from '../../../db/operations/outbox.ts'
import { enqueueWake, enqueueWakes } from '../../../db/operations/wakes.ts'
import { startService, type TestService } from '../../support/service.ts'

const runner = 'wsp_a:run'

describe('wakes of runners', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const waiting = async () =>
    (
      await service.db
        .selectFrom('outbox')
        .select(['id', 'workflowId', 'workspace', 'args'])
        .where('dispatchedAt', 'is', null)
        .orderBy('id')
        .execute()
    ).map(({ workflowId, workspace, args }) => [workspace, workflowId, ...args].join(' '))
  const people = () => enqueueWake(service.db, runner, 'people')
  /** The relay takes what is due, does `work`, and has carried it out. */
  const relay = (work: () => Promise<unknown> = async () => {}) =>
    service.db.transaction().execute(async (trx) => {
      const commands = await lockCommands(trx, 25)
      await work()
      if (commands.length > 0) await commandDispatched(trx, ...commands.map(({ id }) => id))
      return commands.length
    })
  const due = () =>
    sql`update outbox set next_try_at = created_at where dispatched_at is null`.execute(service.db)

  it('wait in the outbox once for each runner and reason, however many ask', async () => {
    for (let n = 0; n < 50; n++) {
      await enqueueWakes(
        service.db,
        sql`select 'wsp_' || w || ':run' as workflow from unnest(array['a', 'b']) w`,
        'accounts',
        { together: true },
      )
      if (n % 10 === 0) await people()
    }
    deepEqual(await waiting(), [
      'wsp_a wsp_a:run accounts',
      'wsp_b wsp_b:run accounts',
      'wsp_a wsp_a:run people',
    ])
  })

  it('of many runners wait for a second, so that what comes meanwhile joins them', async () => {
    const of = sql`select ${runner}::text as workflow`
    await enqueueWakes(service.db, of, 'accounts', { together: true })
    equal(await relay(), 0)
    await due()
    equal(await relay(), 1)
    await enqueueWakes(service.db, of, 'accounts', { together: true })
    equal((await waiting()).length, 1)
  })

  it('are written anew while an earlier one is being carried out', async () => {
    await people()
    equal(await relay(people), 1)
    equal((await waiting()).length, 1)
  })

  it('are written anew where the call for an earlier one is still open', async () => {
    await people()
    const ids = await service.db.transaction().execute(async (trx) => {
      const taken = (await lockCommands(trx, 25)).map(({ id }) => id)
      await leaseCommands(trx, taken, 15_000)
      return taken
    })
    await people()
    equal((await waiting()).length, 2)
    // Had the call failed, the command would be carried out again, after the change.
    await commandFailed(service.db, ids[0] as string, { problem: 'UNAVAILABLE', delayMs: 1000 })
    await people()
    equal((await waiting()).length, 2)
  })

  it('do not go before the change has committed for which one of them stands', async () => {
    await people()
    const committed = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const change = service.db.transaction().execute(async (trx) => {
      await enqueueWake(trx, runner, 'people')
      asked.resolve()
      await committed.promise
    })
    await asked.promise
    equal((await waiting()).length, 1)
    equal(await relay(), 0)
    committed.resolve()
    await change
    equal(await relay(), 1)
  })

  it('are none where the change is rolled back', async () => {
    const change = service.db.transaction().execute(async (trx) => {
      await enqueueWake(trx, runner, 'people')
      throw new Error('rolled back')
    })
    await change.catch(() => {})
    deepEqual(await waiting(), [])
  })
})
