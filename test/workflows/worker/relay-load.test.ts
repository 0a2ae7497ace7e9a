import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { listen } from '../../../db/listen.ts'
import { enqueueStoredStart } from '../../../db/operations/outbox.ts'
import { givenClient } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
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
  const looks = async () =>
    (
      await sql<{ looks: boolean }>`
        select exists (select from outbox_looks where until > clock_timestamp()) as looks`.execute(
        service.db,
      )
    ).rows[0]?.looks
  const left = async () =>
    (await service.db.selectFrom('outbox').select('id').where('dispatchedAt', 'is', null).execute())
      .length
  const allDispatched = () => eventually(left, (n) => n === 0, 30_000)

  it('looks by itself, and nobody has to tell it', async () => {
    while (!(await looks())) await start()
    told = 0
    const began = performance.now()
    for (let n = 0; n < 20; n++) await start()
    ok(performance.now() - began < 1_500, 'before it stops looking')
    await allDispatched()
    equal(told, 0)
  })

  it('is told again once it has stopped looking', async () => {
    await allDispatched()
    await eventually(looks, (does) => does === false)
    told = 0
    await start()
    await eventually(
      async () => told,
      (n) => n === 1,
    )
    await allDispatched()
  })

  it('is told by the commit of a call that comes alone, and once more for all that come with it', async () => {
    await allDispatched()
    await eventually(looks, (does) => does === false)
    const workspace = await service.workspace()
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${conversation}/messages`
    const post = () => workspace.call('POST', path, { text: 'Hello' }, { key: randomUUID() })
    const counter = countStatements()
    const tellings = () =>
      counter
        .take()
        .filter(({ sql }) => sql.includes('pg_notify'))
        .map(({ sql }) => (sql.includes('insert into outbox') ? 'with the commit' : 'afterwards'))
    told = 0
    equal((await post()).status, 200)
    await eventually(
      async () => told,
      (n) => n === 1,
    )
    deepEqual(tellings(), ['with the commit'])
    await allDispatched()
    told = 0
    await Promise.all([post(), post(), post()])
    await eventually(
      async () => told,
      (n) => n >= 2,
    )
    const [first, ...more] = tellings()
    equal(first, 'with the commit')
    ok(more.includes('afterwards'))
    counter.stop()
  })
})
