import { deepEqual, match, ok } from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import { type Db, openDatabase } from '../../db/database.ts'
import { type Backfill, steps } from '../../db/migrations/index.ts'
import { givenManyRows } from '../support/many-rows.ts'
import { harmOf, writtenBy } from '../support/migrations.ts'

// A migration runs while the service reads and writes. The foundation does not: its database is empty.

const rows = 300
const most = 50

const harmless: Record<string, string[]> = {
  'a column': ['alter table messages add column later text'],
  'a column with a default that is the same for all rows': [
    `alter table messages add column later integer not null default 0`,
  ],
  'a table that refers to others': [
    'create table later (id text primary key, person text references people, message text references messages)',
    'create index later_by_person on later (person)',
  ],
  'a condition that is not looked at in the rows that are there': [
    `alter table touches add constraint later check (place < 10) not valid`,
    'alter table messages add column later text',
    'alter table messages add constraint later foreign key (later) references people not valid',
  ],
  'another list of values': [
    'alter table messages drop constraint messages_state_check',
    `alter table messages add constraint messages_state_check check (state <> 'later') not valid`,
  ],
  'a condition that holds for the rows that are there': [
    'alter table touches validate constraint touches_kept',
  ],
  'a column less': ['alter table messages drop column archive'],
  'few rows': [`update workspaces set region = 'DE'`, `insert into settings values ('later', '1')`],
  'a function': ['create or replace function later() returns int language sql as $$ select 1 $$'],
}

const harmful: Record<string, [statements: string[], told: RegExp]> = {
  'another type': [['alter table touches alter column place type bigint'], /touches is rewritten/],
  'a column with a value of its own for each row': [
    ['alter table people add column later uuid not null default gen_random_uuid()'],
    /people is rewritten/,
  ],
  'a column that is computed': [
    [`alter table people add column later text generated always as (lower(name)) stored`],
    /people is rewritten/,
  ],
  'values for all rows': [
    [
      'alter table people add column later text',
      `update people set later = name where later is null`,
    ],
    /\d{3} rows of people are written at once/,
  ],
  'the removal of many rows': [['delete from audit'], /\d{3} rows of audit are written at once/],
  'values for all rows of another table': [
    [
      'create table later (id text primary key)',
      'insert into later select id from messages',
      'alter table messages add column later text',
      'alter table messages add constraint later foreign key (later) references later not valid',
    ],
    /rows of messages are read while .*messages is blocked/,
  ],
  'an index that is not built concurrently': [
    ['create index later on messages (workspace, subject)'],
    /\d{3} rows of messages are read while messages is blocked/,
  ],
  'a unique constraint': [
    ['alter table people add constraint later unique (id, name)'],
    /\d{3} rows of people are read while people is blocked/,
  ],
  'a column that must have a value': [
    ['alter table people alter column external_id set not null'],
    /\d{3} rows of people are read while people is blocked/,
  ],
  'a condition on all rows': [
    ['alter table touches add constraint later check (place < 10)'],
    /\d{3} rows of touches are read while touches is blocked/,
  ],
  'a condition that is looked at in the transaction that brings it': [
    [
      'alter table touches add constraint later check (place < 10) not valid',
      'alter table touches validate constraint later',
    ],
    /\d{3} rows of touches are read while touches is blocked/,
  ],
  'a reference of all rows': [
    ['alter table audit add constraint later foreign key (workspace) references workspaces (id)'],
    /\d{3} rows of audit are read while audit, workspaces is blocked/,
  ],
  'a table lock': [
    ['lock table conversations in share mode', 'select count(*) from conversations'],
    /\d{3} rows of conversations are read while conversations is blocked/,
  ],
}

describe('a migration', () => {
  let given: Awaited<ReturnType<typeof givenManyRows>>
  let db: Db
  before(async function () {
    this.timeout(60_000)
    const [foundation = ['', { async up() {} }]] = Object.entries(steps)
    given = await givenManyRows(rows, Object.fromEntries([foundation]))
    db = openDatabase(given.url, 1)
    await sql`alter table touches add constraint touches_kept check (place < 100) not valid`.execute(
      db,
    )
  })
  after(async () => {
    await db.destroy()
    await given.close()
  })

  type Work<T> = (trx: Kysely<unknown>) => Promise<T>
  const kept = <T>(work: Work<T>) =>
    db.transaction().execute((trx) => work(trx as unknown as Kysely<unknown>))
  async function undone<T>(work: Work<T>) {
    const trx = await db.startTransaction().execute()
    try {
      return await work(trx as unknown as Kysely<unknown>)
    } finally {
      await trx.rollback().execute()
    }
  }
  const harm = (statements: string[]) =>
    undone((own) =>
      harmOf(own, async (trx) => {
        for (const statement of statements) await sql.raw(statement).execute(trx)
      }),
    )

  for (const [what, statements] of Object.entries(harmless))
    it(`may bring ${what}`, async () => deepEqual(await harm(statements), []))

  for (const [what, [statements, told]] of Object.entries(harmful))
    it(`is refused if it brings ${what}`, async () =>
      match((await harm(statements)).join('\n'), told))

  /** The most rows that a batch writes. */
  async function mostBy(backfill: Backfill) {
    let all = 0
    let last: string | undefined = ''
    while (last !== undefined) {
      const after: string = last
      const batch = async (trx: Kysely<unknown>) => {
        last = await backfill(trx, after, most)
      }
      all = Math.max(all, await kept((trx) => writtenBy(trx, () => batch(trx))))
    }
    return all
  }

  it('of this release holds up nobody, and its back-fills write no more at a time than they may', async () => {
    for (const [name, { up, backfill }] of Object.entries(steps).slice(1)) {
      deepEqual(await kept((trx) => harmOf(trx, up)), [], name)
      if (backfill) ok((await mostBy(backfill)) <= most, name)
    }
  })

  it('is refused if its back-fill writes all rows at once', async () => {
    const all: Backfill = async (trx) => void (await sql`update people set city = 'X'`.execute(trx))
    ok((await mostBy(all)) > most)
  })
})
