import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import pg from 'pg'
import { migrateToLatest } from '../../db/migrate.ts'
import { type Backfill, type Step, steps } from '../../db/migrations/index.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const addColumn = (name: string): Step => ({
  up: async (db) =>
    void (await sql.raw(`alter table settings add column ${name} text`).execute(db)),
})

describe('migrations, while the service runs', () => {
  let database: TestDatabase
  let said: string[]
  beforeEach(async () => {
    database = await createTestDatabase()
    said = []
  })
  afterEach(() => database.drop())

  const asOwner = (text: string) => withClient(database.ownerUrl, (client) => client.query(text))
  const migrate = (later: Record<string, Step>, heard: (line: string) => void = () => {}) =>
    migrateToLatest(
      database.ownerUrl,
      serviceRole,
      (line) => {
        said.push(line)
        heard(line)
      },
      { steps: { ...steps, ...later }, patience: { lockMs: 100, pauseMs: 20 } },
    )
  const columns = async () => {
    const { rows } = await asOwner(
      `select column_name as name from information_schema.columns where table_name = 'settings' order by 1`,
    )
    return rows.map(({ name }) => name)
  }

  /** A reader whose transaction stays open until it is ended. */
  async function openReader() {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('begin; select count(*) from settings')
    return {
      end: () => client.end(),
    }
  }

  it('wait for a lock only for a moment, say so, and try again until they have it', async () => {
    const reader = await openReader()
    let tries = 0
    await migrate({ '0901-later': addColumn('later') }, (line) => {
      if (/another transaction holds a lock/.test(line) && ++tries === 2) void reader.end()
    })
    match(said[0] ?? '', /^0901-later: another transaction holds a lock; trying again in 0\.02 s$/)
    equal(said.at(-1), '0901-later: Success')
    deepEqual(await columns(), ['later', 'name', 'value'])
  })

  it('let others read the table between two tries', async () => {
    const reader = await openReader()
    const migrated = migrate({ '0901-later': addColumn('later') })
    for (let i = 0; i < 5; i++)
      await withClient(database.url, async (client) => {
        await client.query(`set statement_timeout = 1000`)
        await client.query('select count(*) from settings')
      })
    await reader.end()
    await migrated
  })

  it('are transactions of their own: what was done before one that fails stays', async () => {
    const bad: Step = {
      up: async (db) => {
        await addColumn('second').up(db)
        throw new Error('no')
      },
    }
    await rejects(migrate({ '0901-first': addColumn('first'), '0902-second': bad }), /no/)
    deepEqual(said, ['0901-first: Success'])
    deepEqual(await columns(), ['first', 'name', 'value'])
    await migrate({ '0901-first': addColumn('first'), '0902-second': addColumn('second') })
    deepEqual(await columns(), ['first', 'name', 'second', 'value'])
  })

  it('are done once by two runs at the same time', async () => {
    const later = { '0901-first': addColumn('first'), '0902-second': addColumn('second') }
    await Promise.all([migrate(later), migrate(later)])
    deepEqual(said.filter((line) => line.includes('Success')).sort(), [
      '0901-first: Success',
      '0902-second: Success',
    ])
  })

  describe('fill in the rows that are there', () => {
    const all = 2_500
    let batches: number
    beforeEach(async () => {
      batches = 0
      await asOwner(
        `insert into settings select 'n' || lpad(i::text, 5, '0'), '1' from generate_series(1, ${all}) i`,
      )
    })

    /** Fails in the batch with this number. */
    const fill =
      (failsAt?: number): Backfill =>
      async (trx, after, most) => {
        if (++batches === failsAt) throw new Error('interrupted')
        const { rows } = await sql<{ name: string }>`
          with batch as (select name from settings where name > ${after} order by name limit ${most})
          update settings set later = coalesce(later, '') || 'x' from batch
          where settings.name = batch.name returning settings.name`.execute(trx)
        return rows
          .map(({ name }) => name)
          .sort()
          .at(-1)
      }
    const later = (backfill: Backfill) => ({ '0901-later': { ...addColumn('later'), backfill } })
    const filled = async () => {
      const { rows } = await asOwner(
        `select later, count(*)::int as n from settings where name like 'n%' group by 1`,
      )
      return rows
    }

    it('in batches, once', async () => {
      await migrate(later(fill()))
      deepEqual(await filled(), [{ later: 'x', n: all }])
      equal(batches, 4)
      deepEqual(said, [
        '0901-later: Success',
        'back-fill of 0901-later: begins',
        'back-fill of 0901-later: Success',
      ])
      await migrate(later(fill()))
      equal(batches, 4)
    })

    it('go on where they were interrupted', async () => {
      await rejects(migrate(later(fill(2))), /interrupted/)
      deepEqual((await filled()).map(({ n }) => n).sort(), [1000, 1500])
      await migrate(later(fill()))
      deepEqual(await filled(), [{ later: 'x', n: all }])
    })

    it('are shared out among two runs at the same time', async () => {
      await Promise.all([migrate(later(fill())), migrate(later(fill()))])
      deepEqual(await filled(), [{ later: 'x', n: all }])
    })

    it('wait for a row that somebody holds, and let it go meanwhile', async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(`begin; update settings set value = '2' where name = 'n00001'`)
      await migrate(later(fill()), (line) => {
        if (/another transaction holds a lock/.test(line)) void client.query('commit')
      })
      await client.end()
      deepEqual(await filled(), [{ later: 'x', n: all }])
    })
  })
})
