import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Gives a role the rights that the API, workers and the operator's commands need on a migrated schema: to its rows, and to
 * nothing of the schema itself. Tables that the same owner creates later are covered too. Does nothing if the role is the
 * owner.
 */
export async function grantRows(owner: Db, role: string) {
  const { rows } = await sql<{ schema: string; mine: boolean; known: boolean }>`
    select current_schema() as schema, current_user = ${role} as mine,
      exists (select from pg_roles where rolname = ${role}) as known`.execute(owner)
  const { schema, mine, known } = rows[0] as (typeof rows)[number]
  if (mine) return
  if (!known)
    throw new Error(
      `There is no role ${role}: create it (create role … login password '…') and migrate again.`,
    )
  const to = sql.id(role)
  const within = sql.id(schema)
  const rights = sql`select, insert, update, delete on tables`
  await owner.transaction().execute(async (trx) => {
    // Two of these at once would conflict in the catalogue, which fails rather than waits.
    await sql`select pg_advisory_xact_lock(hashtext('grants'))`.execute(trx)
    for (const grant of [
      sql`grant usage on schema ${within} to ${to}`,
      sql`grant select, insert, update, delete on all tables in schema ${within} to ${to}`,
      sql`grant usage on all sequences in schema ${within} to ${to}`,
      sql`alter default privileges in schema ${within} grant ${rights} to ${to}`,
      sql`alter default privileges in schema ${within} grant usage on sequences to ${to}`,
      // The role reads which migrations have run (/readyz) and writes none.
      sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock, backfills from ${to}`,
    ])
      await grant.execute(trx)
  })
}
