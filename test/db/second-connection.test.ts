import { equal, match } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { secondConnectionsOf } from '../support/second-connection.ts'
import { startService, type TestService } from '../support/service.ts'

// The rule that every run of the tests holds transactions against (support/second-connection), held against samples.

describe('a transaction', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const ask = (db: Db) => sql`select 1`.execute(db)

  it('that uses only its own connection is accepted', async () => {
    const { db } = service
    const found = await secondConnectionsOf(() =>
      db.transaction().execute(async (trx) => {
        await ask(trx)
        await trx.selectFrom('settings').selectAll().execute()
      }),
    )
    equal(found.length, 0)
  })

  it('that takes another connection is refused, however deep the call', async () => {
    const { db } = service
    const load = async () => ask(db)
    const [found = ''] = await secondConnectionsOf(() =>
      db.transaction().execute(async (trx) => {
        await ask(trx)
        await Promise.all([load()])
      }),
    )
    match(found, /^begun at test\/db\/second-connection\.test\.ts:\d+, a second one at test\/db/)
  })

  it('that begins another transaction within itself is refused', async () => {
    const { db } = service
    const found = await secondConnectionsOf(() =>
      db.transaction().execute(() => db.transaction().execute((trx) => ask(trx))),
    )
    equal(found.length, 1)
  })

  it('is no longer watched once it has ended', async () => {
    const { db } = service
    const found = await secondConnectionsOf(async () => {
      let later = () => {}
      const told = new Promise<void>((resolve) => {
        later = resolve
      })
      const left = await db.transaction().execute(async () => [told.then(() => ask(db))])
      later()
      await Promise.all(left)
      await ask(db)
    })
    equal(found.length, 0)
  })
})
