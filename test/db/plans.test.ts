import { deepEqual } from 'node:assert/strict'
import { withClient } from '../../dev/stack/postgres.ts'
import { largeTables } from '../support/plans/large.ts'
import { readIndexes, wholeReadsOf, withoutWholeReads } from '../support/plans/plan.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

// The rule that every run of the tests holds the plans of its statements against (support/plans), held against statements itself.

const served: Record<string, string> = {
  'a row by its id': 'select * from messages where id = $1',
  'a page in the order of an index':
    'select * from people where workspace = $1 order by lower(name), id limit 51',
  'what a condition of an index has':
    "select id from messages where state = 'sending' and reason = 'unconfirmed'",
  'the first of all': `select due_at from messages where state = 'queued' order by greatest(due_at, next_try_at) limit 1`,
  'a small table': 'select count(*) from members',
  'rows of others, one by one':
    'select p.id, (select count(*) from addresses a where a.person = p.id) from people p where p.id = $1',
  'a change of rows that are found': `update touches set state = 'failed' where campaign = $1 and state = $2`,
}

const whole: Record<string, [statement: string, how: string]> = {
  'a text without an index': ['select * from messages where text = $1', 'messages from end to end'],
  'a count of all': ['select count(*) from people', 'all of people_by_change'],
  'a state of which an index has a part only': [
    "select count(*) from deliveries where state = 'queued' and status = $1",
    'deliveries from end to end',
  ],
  'a removal by age without an index': ['delete from audit where at < $1', 'all of audit_newest'],
  'a branch of an or': [
    `select * from outbox where id = $1 or workflow_id = $2`,
    'outbox from end to end',
  ],
}

describe('a statement that reads large tables', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  const found = (statement: string) =>
    withClient(database.ownerUrl, async (client) => {
      await client.query(withoutWholeReads)
      return wholeReadsOf(client, statement, await readIndexes(client))
    })

  for (const [what, statement] of Object.entries(served))
    it(`may read ${what}`, async () => deepEqual(await found(statement), []))

  for (const [what, [statement, how]] of Object.entries(whole))
    it(`is refused if it reads ${what}`, async () =>
      deepEqual(
        (await found(statement)).map((one) => one.how),
        [how],
      ))

  it('knows tables that are there', () =>
    withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query(
        `select name from unnest($1::text[]) name where to_regclass(name) is null`,
        [largeTables],
      )
      deepEqual(rows, [])
    }))
})
