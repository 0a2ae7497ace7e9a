import { deepEqual, equal, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import {
  ensureDatabase,
  ownerRole,
  prepareDatabase,
  serviceRole,
  withClient,
} from '../../dev/stack/postgres.ts'
import { parseConfig } from '../../process/config.ts'
import { testPostgres } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const denied = { code: '42501' }

describe('the role of the service', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is not a superuser, does not bypass row level security, and creates no roles or databases', async () => {
    const { rows } = await sql`select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb
      from pg_roles where rolname = current_user`.execute(service.db)
    const off = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }
    deepEqual(rows, [{ rolname: serviceRole, ...off }])
    const members = await sql`select from pg_auth_members
      where member = current_user::regrole`.execute(service.db)
    equal(members.rows.length, 0)
  })

  it('owns nothing of its database', async () => {
    const { rows } = await sql`select classid::regclass, objid from pg_shdepend
      where refobjid = current_user::regrole and deptype = 'o'`.execute(service.db)
    deepEqual(rows, [])
  })

  it('creates, changes and drops no table, not even a temporary one', async () => {
    for (const statement of [
      sql`create table mine (id text)`,
      sql`create temporary table mine (id text)`,
      sql`create schema mine`,
      sql`alter table people add column mine text`,
      sql`create index mine on people (name)`,
      sql`drop table people`,
      sql`truncate people`,
      sql`alter table people disable trigger all`,
      sql`insert into kysely_migration (name, timestamp) values ('9999', '')`,
    ])
      await rejects(statement.execute(service.db), denied)
  })

  it('can use the rows of tables that the owner creates later', async () => {
    const { url, ownerUrl } = await database('roles_later')
    await withClient(ownerUrl, (client) =>
      client.query('create table later (id bigint generated always as identity, name text)'),
    )
    await withClient(url, async (client) => {
      await client.query(`insert into later (name) values ('one')`)
      const { rows } = await client.query(`delete from later returning id`)
      deepEqual(rows, [{ id: '1' }])
    })
  })

  it('keeps the contents of a database whose tables a superuser created', async () => {
    const server = await testPostgres()
    const name = 'roles_taken_over'
    await ensureDatabase(server, name)
    await migrateToLatest(server.url(name))
    const old = openDatabase(server.url(name), 1)
    const houseUpdatedAt = new Date()
    const workspace = { id: 'wsp_old', name: 'Old', timezone: 'UTC', tagging: false }
    await old
      .insertInto('workspaces')
      .values({ ...workspace, houseRules: '', houseUpdatedAt })
      .execute()
    await old.destroy()

    const { url } = await database(name)
    await database(name)
    await withClient(url, async (client) => {
      const owners = `select distinct tableowner as owner from pg_tables where schemaname = 'public'`
      deepEqual((await client.query(owners)).rows, [{ owner: ownerRole }])
      deepEqual((await client.query('select name from workspaces')).rows, [{ name: 'Old' }])
      await rejects(client.query('drop table workspaces'), denied)
    })
  })

  it('is named to the migration by the URL, and must exist', async () => {
    const DATABASE_URL = 'postgres://an%20app@127.0.0.1/postroom'
    const MIGRATE_DATABASE_URL = 'postgres://owner@127.0.0.1/postroom'
    const config = parseConfig({ DATABASE_URL, MIGRATE_DATABASE_URL })
    deepEqual(
      [config.databaseRole, config.migrateDatabaseUrl, config.databaseUrl],
      ['an app', MIGRATE_DATABASE_URL, DATABASE_URL],
    )
    equal(parseConfig({ DATABASE_URL }).migrateDatabaseUrl, DATABASE_URL)
    const { ownerUrl } = await database('roles_named')
    await rejects(migrateToLatest(ownerUrl, 'nobody_here'), /There is no role nobody_here/)
    await migrateToLatest(ownerUrl, ownerRole)
  })
})

async function database(name: string) {
  const server = await testPostgres()
  const urls = await prepareDatabase(server, name, {
    owner: server.password,
    service: server.password,
  })
  await migrateToLatest(urls.ownerUrl, serviceRole)
  return urls
}
