import { type RawBuilder, sql } from 'kysely'
import { compiledOnce } from '../compiled.ts'
import type { Builder, Db, Trx } from '../database.ts'
import { probeOf } from './rests.ts'

// The accounts that letters and messages go out through, and the budget of each.

/**
 * Accounts with the names of their members, who sign their letters. `probeAt`: when one letter may be sent through an account
 * that rests. `mode`: whether the mail server that it is connected to is a real one.
 */
export const connectionRows = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .selectAll('connections')
    .innerJoin('workspaces', 'workspaces.id', 'connections.workspace')
    .select([
      'members.name as memberName',
      probeOf(sql.ref('connections.id')).as('probeAt'),
      'workspaces.mode',
    ])

export const findConnection = async (db: Db, id: string) => (await connectionWith(db, id)).at(0)

const connectionWith = compiledOnce((db, id: string) =>
  connectionRows(db).where('connections.id', '=', id),
)

/** The account that a message goes through. */
export const findConnectionOf = async (db: Db, message: string) =>
  (await connectionOf(db, message)).at(0)

const connectionOf = compiledOnce((db, message: string) =>
  connectionRows(db)
    .innerJoin('messages', 'messages.connection', 'connections.id')
    .where('messages.id', '=', message),
)

export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof findConnection>>>

/** Locks the connection alone, for a claim of a letter that goes to nobody in the workspace's contacts. */
export const lockConnection = (trx: Trx, connection: string) =>
  trx
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', connection)
    .forUpdate()
    .executeTakeFirstOrThrow()

/**
 * The statement that takes one unit of the day for each row of `claimed`, an earlier part of the same statement. Call it in the
 * claim, with the connection locked.
 */
export const takingUnit = (db: Builder, connection: string, day: string, claimed: 'claimed') =>
  db
    .insertInto('connectionUsage')
    .columns(['connection', 'day', 'used'])
    .expression(
      sql`select ${connection}, ${day}::date, 1 from ${sql.table(claimed)}` as RawBuilder<never>,
    )
    .onConflict((oc) =>
      oc
        .columns(['connection', 'day'])
        .doUpdateSet({ used: sql<number>`connection_usage.used + 1` }),
    )

/** Gives a unit back to the day it was taken from, because the letter was not accepted. */
export const returnUnit = (trx: Trx, connection: string, day: string) =>
  trx
    .updateTable('connectionUsage')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('connection', '=', connection)
    .where('day', '=', day)
    .execute()

/** The accounts of every workspace that can send, but for sandboxes, with the server or bridge they hand letters to. */
export const listSendingAccounts = (db: Db) =>
  db
    .selectFrom('connections')
    .innerJoin('workspaces', 'workspaces.id', 'connections.workspace')
    .select(['connections.id', 'workspace', 'account', 'smtp', 'bridge'])
    .where('mode', '=', 'live')
    .where((is) => is.or([is('smtp', 'is not', null), is('bridge', 'is not', null)]))
    .orderBy('workspace')
    .orderBy('connections.id')
    .execute()
