import { deepEqual } from 'node:assert/strict'
import { sql } from 'kysely'
import { workspaceRows } from '../../../db/erasure/workspace-rows.ts'
import { startService, type TestService } from '../../support/service.ts'

// Every table of the schema: what the erasure of a workspace does with its rows.

/** Where no row of a tenant stands, or where the erasure itself says what happens with it. */
const others: Record<string, string> = {
  backfills: 'places of migrations',
  erasure_keys: 'has the id of the workspace, and goes near the end (deleteSettings)',
  kysely_migration: 'of migrations',
  kysely_migration_lock: 'of migrations',
  mailbox_sets: 'accounts of many workspaces',
  operations: 'all but that of the erasure go last (deleteOperations)',
  outbox_looks: 'of relays',
  process_starts: 'of processes',
  settings: 'what a file said goes near the end (deleteSettings); the rest is of the deployment',
  workers: 'of processes',
  workspace_erasures: 'stays, with counts',
  workspaces: 'stays, with its id alone',
}

describe('every table', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is known to the erasure of a workspace, or hangs on one that is', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
      service.db,
    )
    const { rows: hanging } = await sql<{ child: string; parent: string }>`
      select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
      where contype = 'f' and confdeltype = 'c' and connamespace = 'public'::regnamespace`.execute(
      service.db,
    )
    const known = new Set([...workspaceRows.map(({ table }) => table), 'operations'])
    for (let before = -1; before !== known.size; ) {
      before = known.size
      for (const { child, parent } of hanging) if (known.has(parent)) known.add(child)
    }
    deepEqual(
      tables.map(({ name }) => name).filter((name) => !known.has(name) && !(name in others)),
      [],
      'a new table: give it its place in db/erasure/workspace-rows.ts, or say here why it has none',
    )
    const names = new Set(tables.map(({ name }) => name))
    deepEqual(
      [...workspaceRows.map(({ table }) => table), ...Object.keys(others)].filter(
        (name) => !names.has(name),
      ),
      [],
    )
  })

  it('is deleted from before those that its rows refer to', async () => {
    const { rows } = await sql<{ child: string; parent: string }>`
      select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
      where contype = 'f' and confdeltype <> 'c' and connamespace = 'public'::regnamespace`.execute(
      service.db,
    )
    const order = workspaceRows.map(({ table }) => table)
    deepEqual(
      rows.filter(
        ({ child, parent }) =>
          child !== parent &&
          order.includes(child) &&
          order.includes(parent) &&
          order.indexOf(child) > order.indexOf(parent),
      ),
      [],
    )
  })
})
