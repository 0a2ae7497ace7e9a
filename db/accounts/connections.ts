import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// The accounts that letters and messages go out through, and the budget of each.

/** An account with the name of its member, whom its letters are from. */
export const findConnection = (db: Db, id: string) =>
  db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .selectAll('connections')
    .select('members.name as memberName')
    .where('connections.id', '=', id)
    .executeTakeFirst()

export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof findConnection>>>

/** Locks the person, then the connection. Every claim takes its locks in this order, after the campaign. */
export async function lockForClaim(trx: Trx, person: string, connection: string) {
  await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', person)
    .forUpdate()
    .executeTakeFirst()
  return lockConnection(trx, connection)
}

/** Locks the connection alone, for a claim of a letter that goes to nobody in the workspace's contacts. */
export const lockConnection = (trx: Trx, connection: string) =>
  trx
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', connection)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Units used on a day (YYYY-MM-DD of the workspace's zone) and in the week from `monday`. */
export async function findUsage(db: Db, connection: string, day: string, monday: string) {
  return db
    .selectFrom('connectionUsage')
    .select([
      sql<number>`coalesce(sum(used) filter (where day = ${day}::date), 0)::int`.as('day'),
      sql<number>`coalesce(sum(used), 0)::int`.as('week'),
    ])
    .where('connection', '=', connection)
    .where(sql<SqlBool>`day >= ${monday}::date and day < ${monday}::date + 7`)
    .executeTakeFirstOrThrow()
}

/** Takes one unit of the day. Call it in the claim, with the connection locked. */
export const takeUnit = (trx: Trx, connection: string, day: string) =>
  trx
    .insertInto('connectionUsage')
    .values({ connection, day, used: 1 })
    .onConflict((oc) =>
      oc
        .columns(['connection', 'day'])
        .doUpdateSet({ used: sql<number>`connection_usage.used + 1` }),
    )
    .execute()

/** Gives a unit back to the day it was taken from, because the letter was not accepted. */
export const returnUnit = (trx: Trx, connection: string, day: string) =>
  trx
    .updateTable('connectionUsage')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('connection', '=', connection)
    .where('day', '=', day)
    .execute()
