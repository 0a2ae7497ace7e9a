import { deepEqual, equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../db/database.ts'
import { listen, listListeners } from '../../db/listen.ts'
import { registry, watchListeners } from '../../process/telemetry/metrics.ts'
import { openWay } from '../support/black-hole.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { comesTo, reaches } from '../support/service.ts'

describe('A listener', function () {
  this.timeout(60_000)
  let database: TestDatabase
  let db: Db
  let way: Awaited<ReturnType<typeof openWay>>
  before(async () => {
    database = await createTestDatabase()
    db = openDatabase(database.url, 1)
    way = await openWay(database.url)
    watchListeners(listListeners)
  })
  after(async () => {
    watchListeners(() => [])
    await way.close()
    await db.destroy()
    await database.drop()
  })
  const tell = (what: string) => sql`select pg_notify('deaf', ${what})`.execute(db)
  const shown = async () =>
    /listener_alive\{channel="deaf"\} (\d)/.exec(await registry.metrics())?.[1]

  it('notices that nothing reaches it any more, says so, and connects again', async () => {
    const heard: string[] = []
    const checks = { everyMs: 300, answerMs: 300 }
    const listener = listen(way.url, 'deaf', (what) => heard.push(what), checks)
    await comesTo(() => heard.length, 1)
    await tell('first')
    await comesTo(() => heard.at(-1), 'first')
    equal(await shown(), '1')
    // At rest, it stays as it is: several questions are answered.
    await new Promise((resolve) => setTimeout(resolve, 1_500)) // Some of its checks.
    deepEqual(heard, ['', 'first'])

    way.swallow()
    await tell('lost')
    await comesTo(shown, '0')
    // Whoever is told so looks at everything.
    await reaches(() => heard.length, 3)
    deepEqual(heard, ['', 'first', ''])
    await tell('second')
    await comesTo(() => heard.at(-1), 'second')
    equal(await shown(), '1')
    await listener.close()
    equal(await shown(), undefined)
  })
})
