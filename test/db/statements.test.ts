import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { compiledOnce, compiledPerShape } from '../../db/compiled.ts'
import {
  bothInOneTrip,
  type Db,
  inOneTrip,
  isConflict,
  openDatabase,
  retrying,
} from '../../db/database.ts'
import { createNames } from '../../db/statements.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { createTestDatabase, type TestDatabase, testPostgres } from '../support/postgres.ts'

type Prepared = { statement: string; generic: number }

/** What this connection has prepared. The statement itself comes with a comment of its own, so that it gets no name. */
const preparedOn = async (db: Db) =>
  (
    await sql<Prepared>`select statement, generic_plans::int as generic from pg_prepared_statements ${sql.raw(`-- ${randomUUID()}`)}`.execute(
      db,
    )
  ).rows

describe('The names of statements', () => {
  const names = createNames()
  const twice = (text: string) => {
    equal(names.of(text), undefined)
    return names.of(text)
  }

  it('are given to what comes again, one name to each text', () => {
    const name = twice('select 1')
    ok(name)
    equal(names.of('select 1'), name)
    notEqual(twice('select 2'), name)
  })

  it('are not given to what only steers a transaction or the schema, or to several statements at once', () => {
    const others = ['begin', 'savepoint a', 'create table a (b int)', 'select 1; select 2']
    for (const text of others) equal(twice(text), undefined, text)
  })

  it('are not given to texts of any length', () => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => `$${i + 2}`).join(', ')
    const rows = (n: number) =>
      Array.from({ length: n }, (_, i) => `($${2 * i + 1}, $${2 * i + 2}, default)`).join(', ')
    const named = (textOf: (n: number) => string) =>
      Array.from({ length: 10 }, (_, i) => twice(textOf(i + 1))).filter(Boolean).length
    ok(named((n) => `select * from people where workspace = $1 and id in (${list(n)})`) <= 4)
    ok(named((n) => `insert into people (id, name, at) values ${rows(n)}`) <= 4)
    equal(twice(`select '${'x'.repeat(20_000)}'`), undefined)
  })
})

describe('A connection', () => {
  let database: TestDatabase
  let db: Db
  beforeEach(async () => {
    database = await createTestDatabase()
    db = openDatabase(database.url, 1)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })
  const asOwner = async (text: string, isAdmin = false) => {
    const url = isAdmin ? (await testPostgres()).url('postgres') : database.ownerUrl
    await withClient(url, (client) => client.query(text))
  }
  const setting = (name: string) =>
    db.selectFrom('settings').selectAll().where('name', '=', name).executeTakeFirst()
  const put = (to: Db, name: string) =>
    to
      .insertInto('settings')
      .values({ name, value: JSON.stringify(1) })
      .onConflict((oc) => oc.column('name').doUpdateSet({ value: JSON.stringify(2) }))
      .returningAll()
      .executeTakeFirstOrThrow()

  it('plans a statement no more that comes again and again', async () => {
    for (let i = 0; i < 8; i++) await setting('clock')
    const [only, ...more] = await preparedOn(db)
    equal(more.length, 0)
    ok(only?.statement.includes('"settings"'))
    ok((only?.generic ?? 0) > 0)
  })

  it('keeps one plan for a usual page, however long the table', async () => {
    await db
      .insertInto('settings')
      .values(
        Array.from({ length: 5000 }, (_, i) => ({ name: `${i}`.padStart(6, '0'), value: '1' })),
      )
      .execute()
    await asOwner('analyze settings')
    const page = (after: string, limit: number) =>
      db
        .selectFrom('settings')
        .select('name')
        .where('name', '>', after)
        .orderBy('name')
        .limit(limit)
        .execute()
    for (let i = 0; i < 10; i++) equal((await page(`000${i}`, 51)).length, 51)
    for (let limit = 2; limit < 40; limit++) equal((await page('', limit)).length, limit)
    const prepared = await preparedOn(db)
    equal(prepared.length, 2)
    ok(prepared.some(({ statement, generic }) => statement.endsWith('limit 51') && generic > 0))
  })

  it('carries a query out with the parameters of each call, though it is built once', async () => {
    let built = 0
    const settingsOf = compiledOnce((db, name: string, value: string) => {
      built++
      return db
        .selectFrom('settings')
        .select('name')
        .where('name', '=', name)
        .where('value', '=', sql<number>`${value}::jsonb`)
    })
    for (const name of ['a', 'b', 'c']) await put(db, name)
    for (const name of ['a', 'b', 'c']) deepEqual(await settingsOf(db, name, '1'), [{ name }])
    deepEqual(await settingsOf(db, 'a', '2'), [])
    equal(built, 1)
    const turned = compiledOnce((db, value: string, name: string) =>
      db
        .selectFrom('settings')
        .select('name')
        .where('name', '=', name)
        .where('value', '=', sql<number>`${value}::jsonb`),
    )
    await rejects(turned(db, '1', 'a'), /parameters/)
  })

  it('carries a query out with values at several places of it, built once for each shape', async () => {
    let built = 0
    const settingsOf = compiledPerShape(
      (db, { name, value }: { value: string | null; name: string }, shape: 'equal' | 'other') => {
        built++
        const others = sql`and name <> ${'x'}`
        return sql<{ name: string }>`select name from settings where ${value}::text is not null
          and (name = ${name} or ${name} = 'all') ${shape === 'other' ? others : sql``} order by name`.compile(
          db,
        )
      },
    )
    for (const name of ['x', 'y']) await put(db, name)
    const names = async (name: string, value: string | null, shape: 'equal' | 'other') =>
      (await settingsOf(db, { value, name }, shape)).map((row) => row.name)
    deepEqual(await names('x', '1', 'equal'), ['x'])
    deepEqual(await names('y', '1', 'equal'), ['y'])
    deepEqual(await names('y', null, 'equal'), [])
    deepEqual(await names('x', '1', 'other'), [])
    deepEqual((await names('all', '1', 'other')).includes('y'), true)
    equal((await names('all', '1', 'other')).includes('x'), false)
    equal(built, 2)
  })

  it('carries two statements of a transaction out in one trip, and tells why the first was refused', async () => {
    const both = (first: string) =>
      db.transaction().execute(async (trx) => {
        const second = sql<{ b: number }>`select 2 as b`.compile(trx)
        return bothInOneTrip(trx, sql<{ a: number }>`${sql.raw(first)}`.compile(trx), second)
      })
    deepEqual(await both('select 1 as a'), [[{ a: 1 }], [{ b: 2 }]])
    await rejects(both('select 1 / 0 as a'), { code: '22012' })
    deepEqual(await both('select 3 as a'), [[{ a: 3 }], [{ b: 2 }]])
  })

  it('repeats no statement outside of its transaction, though the end of that was sent with it', async () => {
    const tell = sql`select pg_notify('tests', 'a')`.compile(db)
    const count = sql<{ n: number }>`select count(*)::int as n from settings`.compile(db)
    const once = () => inOneTrip(db, () => [tell, count])
    for (let i = 0; i < 3; i++) deepEqual(await once(), [{ n: 0 }])
    await sql`deallocate all`.execute(db)
    const refused = rejects(once(), (error) => isConflict(error))
    // All answers have arrived when the first one is read.
    await setImmediate()
    const until = Date.now() + 100
    while (Date.now() < until);
    await refused
    deepEqual(await once(), [{ n: 0 }])
  })

  it('has a bounded number of prepared statements, and goes on with those it has dropped', async () => {
    const ask = async (n: number) =>
      (await sql<{ n: number }>`select ${sql.lit(n)}::int as n`.execute(db)).rows[0]?.n
    for (let i = 0; i < 400; i++) equal(await ask(Math.floor(i / 2)), Math.floor(i / 2))
    equal((await preparedOn(db)).length, 150)
    equal(await ask(0), 0)
    await db.transaction().execute(async (trx) => {
      await rejects(sql`select 1 / 0`.execute(trx))
      await rejects(sql`select ${sql.lit(1000)}::int as n`.execute(trx))
      await sql`rollback`.execute(trx)
    })
    for (let i = 0; i < 200; i++) equal(await ask(i), i)
  })

  it('does not take a statement for prepared that Postgres refused', async () => {
    const wrong = () => sql`select missing from settings`.execute(db)
    for (let i = 0; i < 3; i++) await rejects(wrong, { code: '42703' })
    await asOwner('alter table settings add column missing text')
    await wrong()
    deepEqual((await wrong()).rows, [])
  })

  it('goes on with a statement whose parameters could not be sent', async () => {
    const ask = (value: unknown) => sql`select ${value}::jsonb as value`.execute(db)
    await ask({})
    await ask({})
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    await rejects(ask(circular), /circular/)
    deepEqual((await ask({ a: 1 })).rows, [{ value: { a: 1 } }])
  })

  it('reads and writes on when a migration adds a column', async () => {
    for (let i = 0; i < 3; i++) {
      await put(db, 'a')
      await setting('a')
    }
    await asOwner('alter table settings add column later text')
    deepEqual(await setting('a'), { name: 'a', value: 2, later: null })
    equal((await put(db, 'a')).name, 'a')
    await asOwner('alter table settings add column still_later text')
    equal((await put(db, 'b')).value, 1)
  })

  it('has a transaction run again that a migration came between', async () => {
    for (let i = 0; i < 3; i++) {
      await put(db, 'a')
      await setting('a')
    }
    await asOwner('alter table settings add column later text')
    let runs = 0
    await retrying(2, () =>
      db.transaction().execute(async (trx) => {
        runs++
        await put(trx, `run ${runs}`)
        await put(trx, 'a')
      }),
    )
    equal(runs, 2)
    equal(await setting('run 1'), undefined)
    ok(await setting('run 2'))
    await asOwner('alter table settings add column still_later text')
    await rejects(
      db.transaction().execute((trx) => put(trx, 'a')),
      (error) => isConflict(error),
    )
    await db.transaction().execute((trx) => put(trx, 'a'))
  })

  it('that a restart of Postgres ended is replaced by one that prepares anew', async () => {
    for (let i = 0; i < 3; i++) await setting('a')
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    await asOwner(`do $$ begin perform pg_terminate_backend(${rows[0]?.pid}, 5000); end $$`, true)
    // The pool may not have heard of it yet.
    await setting('a').catch(() => {})
    for (let i = 0; i < 3; i++) await setting('a')
    equal((await preparedOn(db)).length, 1)
  })
})
