import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { mayNotifyRelay, wakeRelay } from '../../../api/wake-relay.ts'
import { listen } from '../../../db/listen.ts'
import { enqueueStoredStart } from '../../../db/operations/outbox.ts'
import { givenClient } from '../../support/given.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'
import { countStatements } from '../../support/statements.ts'

describe('the relay under load', function () {
  this.timeout(60_000)
  let service: TestService
  let told = 0
  let listener: ReturnType<typeof listen>
  before(async function () {
    service = await startService()
    listener = listen(service.databaseUrl, 'outbox', () => told++)
    await eventually(
      async () => told,
      (n) => n > 0,
    )
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(async () => {
    await listener?.close()
    await service?.close()
  })

  const start = () =>
    enqueueStoredStart(service.db, {
      type: 'sweep',
      workflowId: `wsp_load:${randomUUID()}`,
      args: [],
      attributes: {},
    })
  /** Whether the relay looks by itself, for so long at least. */
  const looks = async (ms = 0) =>
    (
      await sql<{ looks: boolean }>`
        select exists (select from outbox_looks
          where until > clock_timestamp() + ${ms} * interval '1 ms') as looks`.execute(service.db)
    ).rows[0]?.looks
  const left = async () =>
    (await service.db.selectFrom('outbox').select('id').where('dispatchedAt', 'is', null).execute())
      .length
  const allDispatched = () => eventually(left, (n) => n === 0, 30_000)

  it('looks by itself, and nobody has to tell it', async () => {
    // It looks for some time after it has found something: on a slow machine, the starts are tried again until they are in it.
    const looksForMs = 1_000
    // What was told before it looked may still be on its way.
    const arrivesMs = 200
    let began = Number.NEGATIVE_INFINITY
    while (performance.now() - began > looksForMs) {
      while (!(await looks(looksForMs + arrivesMs))) await start()
      await sleep(arrivesMs)
      told = 0
      began = performance.now()
      for (let n = 0; n < 20; n++) await start()
    }
    await allDispatched()
    equal(told, 0)
  })

  it('is told again once it has stopped looking', async () => {
    await allDispatched()
    await eventually(looks, (does) => does === false)
    told = 0
    await start()
    await comesTo(() => told, 1)
    await allDispatched()
  })

  it('is told by the commit of a call that comes alone, and once more for all that come with it', async () => {
    await allDispatched()
    await eventually(looks, (does) => does === false)
    const workspace = await service.workspace()
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${conversation}/messages`
    const post = () => workspace.call('POST', path, { text: 'Hello' }, { key: randomUUID() })
    const counter = countStatements(service.databaseUrl)
    const tellings = () =>
      counter
        .take()
        .filter(({ sql }) => sql.includes("pg_notify('outbox'"))
        .map(({ sql }) => (sql.includes('insert into outbox') ? 'with the commit' : 'afterwards'))
    told = 0
    equal((await post()).status, 200)
    await comesTo(() => told, 1)
    deepEqual(tellings(), ['with the commit'])
    await allDispatched()
    await Promise.all([post(), post(), post()])
    await allDispatched()
    equal(tellings()[0], 'with the commit')
    counter.stop()
    await eventually(looks, (does) => does === false)
    // What follows happens at one instant, however slow the machine is.
    while (!mayNotifyRelay(service.db)) await sleep(5)
    told = 0
    for (let n = 0; n < 100; n++) wakeRelay(service.db)
    equal(mayNotifyRelay(service.db), false)
    await sleep(300)
    equal(told, 1)
  })
})
