import { type SqlBool, sql } from 'kysely'
import { limitsOf } from '../../rules/budgets.ts'
import { dayIn, mondayIn } from '../../rules/hours.ts'
import type { Db } from '../database.ts'
import { connectionRows } from './connections.ts'
import type { HealthLevel, Signal } from './tables.ts'

/** The sending accounts of a workspace with what they have used today and this week, by the days of its zone. */
export const listSenderHealth = (db: Db, workspace: string, zone: string, now: Date) => {
  const monday = mondayIn(zone, now)
  return db
    .selectFrom('connections')
    .select(['id', 'kind', 'account', 'health', 'signals', 'checkedAt', 'limitDay', 'limitWeek'])
    .select([
      sql<number>`coalesce((select used from connection_usage u where u.connection = connections.id and u.day = ${dayIn(zone, now)}::date), 0)`.as(
        'usedDay',
      ),
      sql<number>`coalesce((select sum(used) from connection_usage u where u.connection = connections.id
        and u.day >= ${monday}::date and u.day < ${monday}::date + 7), 0)::int`.as('usedWeek'),
    ])
    .where('workspace', '=', workspace)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .execute()
}

export type SenderHealthRow = Awaited<ReturnType<typeof listSenderHealth>>[number]

/**
 * What GET senders/health answers, and the activity that checks senders, which imports nothing of api; the limits are those in
 * force at the level of health.
 */
export const presentHealth = (rows: SenderHealthRow[]) => ({
  checked:
    rows.length > 0 && rows.every(({ checkedAt, kind }) => kind !== 'email' || checkedAt !== null),
  accounts: rows.map((row) => ({
    connection: row.id,
    channel: row.kind,
    account: row.account,
    health: {
      level: row.health,
      limits: limitsOf(row),
      weakest: row.signals
        .filter(({ level }) => level === row.health && level !== 'normal')
        .map(({ key }) => key),
      signals: row.signals,
    },
    used: { day: row.usedDay, week: row.usedWeek },
  })),
})

/** E-mail accounts and those with a bridge. */
const mailAccounts = (db: Db) =>
  connectionRows(db)
    .where((eb) => eb.or([eb('kind', '=', 'email'), eb('bridge', 'is not', null)]))
    .where(sql<SqlBool>`not connections.paused`)
    .where('connections.removedAt', 'is', null)

/** Those of one workspace, or one of its connections. */
export function listMailAccounts(db: Db, workspace: string, connection: string | null) {
  const accounts = mailAccounts(db).where('connections.workspace', '=', workspace)
  return (connection === null ? accounts : accounts.where('connections.id', '=', connection))
    .orderBy('connections.id')
    .execute()
}

// As the indexes have it. Their conditions are literal too, since a prepared statement does not know the values of its parameters.
const checkedAt = sql<Date>`coalesce(connections.checked_at, '-infinity')`

/** Those of all workspaces that have not been checked since `before`, the ones that were checked longest ago first. */
export const listToCheck = (db: Db, before: Date, limit: number) =>
  mailAccounts(db)
    .where(checkedAt, '<', before)
    .orderBy(checkedAt)
    .orderBy('connections.id')
    .limit(limit)
    .execute()

/** Those of all workspaces that were found dead, in the same order. */
export const listDead = (db: Db, limit: number) =>
  mailAccounts(db)
    .where(sql<SqlBool>`not connections.alive`)
    .orderBy(checkedAt)
    .orderBy('connections.id')
    .limit(limit)
    .execute()

/** About how many accounts there are. */
export async function countConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from connections where not paused and removed_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** An account that could not be checked takes its turn again after the others. */
export const noteUnchecked = (db: Db, connection: string, now: Date) =>
  db.updateTable('connections').set({ checkedAt: now }).where('id', '=', connection).execute()

export type Checked = {
  alive: boolean
  problem: string | null
  health: HealthLevel
  signals: Signal[]
  checkedAt: Date
}

/** Notes the outcome of a check; true if the account has just begun or ceased to work. */
export async function updateChecked(
  db: Db,
  connection: string,
  checked: Checked,
): Promise<boolean> {
  const before = await db
    .selectFrom('connections')
    .select(['alive', 'health'])
    .where('id', '=', connection)
    .executeTakeFirst()
  await db
    .updateTable('connections')
    .set({ ...checked, signals: JSON.stringify(checked.signals) })
    .where('id', '=', connection)
    .execute()
  return (
    before !== undefined && (before.alive !== checked.alive || before.health !== checked.health)
  )
}
