import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { listen } from '../../../db/listen.ts'
import { enqueueStoredStart } from '../../../db/operations/outbox.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

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
})
