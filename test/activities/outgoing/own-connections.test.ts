import { equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../../db/database.ts'
import { givenClient } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

// Whatever waits with all other connections of a worker, such as many imports for one lock.

describe('a letter in hand, while all other connections of its worker are held', function () {
  this.timeout(300_000)
  let service: TestService
  let mail: MailSink
  let [db, letters]: Db[] = []
  before(async function () {
    mail = await testMail()
    service = await startService()
    db = openDatabase(service.databaseUrl, 3, { work: 'activities' })
    letters = openDatabase(service.databaseUrl, 3, { work: 'letters' })
    await service.work(this.test?.ctx, { db, letters }, { only: ['rows', 'send'] })
  })
  after(async () => {
    await service.close()
    await db?.destroy()
    await letters?.destroy()
  })
  beforeEach(() => mail.script({}))

  /** Holds all connections of the pool until it is called. */
  async function holdAll(pool: Db) {
    const until = Promise.withResolvers<void>()
    const begun: Promise<void>[] = []
    const held = Array.from({ length: 3 }, () => {
      const has = Promise.withResolvers<void>()
      begun.push(has.promise)
      return pool.connection().execute(async () => {
        has.resolve()
        await until.promise
      })
    })
    await Promise.all(begun)
    return async () => {
      until.resolve()
      await Promise.all(held)
    }
  }

  it('keeps its lease and is written down as sent, and the next one goes', async () => {
    const room = await service.workspace({ smtpPort: mail.smtpPort })
    const { conversation } = await givenClient(service.db, room, service.clock.now())
    const send = async (): Promise<string> => {
      const path = `/conversations/${conversation}/messages`
      const { status, body, text } = await room.call('POST', path, { text: 'Hello' })
      equal(status, 200, text)
      return body.id
    }
    const rowOf = (id: string) =>
      service.db
        .selectFrom('messages')
        .select(['state', sql<boolean>`leased_until > clock_timestamp()`.as('leased')])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    mail.script({
      onData: async () => {
        reached.resolve()
        await go.promise
      },
    })
    const first = await send()
    await reached.promise
    const release = await holdAll(db as Db)
    try {
      await sleep(12_000) // Longer than a lease counts.
      const { state, leased } = await rowOf(first)
      ok(state === 'sending' && leased, JSON.stringify({ state, leased }))
      go.resolve()
      await comesTo(async () => (await rowOf(first)).state, 'sent')
      mail.script({})
      const second = await send()
      await eventually(
        () => rowOf(second),
        (row) => row.state === 'sent',
        30_000,
      )
    } finally {
      await release()
    }
  })
})
