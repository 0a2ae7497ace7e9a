import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { HealthLevel, Signal } from './tables.ts'

/** The sending accounts of a workspace with what they have used on `day` and in the week from `monday`. */
export const listSenderHealth = (db: Db, workspace: string, at: { day: string; monday: string }) =>
  db
    .selectFrom('connections')
    .select(['id', 'kind', 'account', 'health', 'signals', 'checkedAt', 'limitDay', 'limitWeek'])
    .select([
      sql<number>`coalesce((select used from connection_usage u where u.connection = connections.id and u.day = ${at.day}::date), 0)`.as(
        'usedDay',
      ),
      sql<number>`coalesce((select sum(used) from connection_usage u where u.connection = connections.id
        and u.day >= ${at.monday}::date and u.day < ${at.monday}::date + 7), 0)::int`.as(
        'usedWeek',
      ),
    ])
    .where('workspace', '=', workspace)
    .orderBy('id')
    .execute()

export type SenderHealthRow = Awaited<ReturnType<typeof listSenderHealth>>[number]

/** What GET senders/health answers. `limits` are those in force at the level of health. */
export const presentHealth = (
  rows: SenderHealthRow[],
  limits: (sender: { health: string; limitDay: number; limitWeek: number }) => {
    day: number
    week: number
  },
) => ({
  checked:
    rows.length > 0 && rows.every(({ checkedAt, kind }) => kind !== 'email' || checkedAt !== null),
  accounts: rows.map((row) => ({
    connection: row.id,
    channel: row.kind,
    account: row.account,
    health: {
      level: row.health,
      limits: limits(row),
      weakest: row.signals
        .filter(({ level }) => level === row.health && level !== 'normal')
        .map(({ key }) => key),
      signals: row.signals,
    },
    used: { day: row.usedDay, week: row.usedWeek },
  })),
})

/** E-mail accounts and those with a bridge: of one workspace, one connection, or all. */
export const listMailAccounts = (
  db: Db,
  where: { workspace: string | null; connection: string | null },
) =>
  db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .selectAll('connections')
    .select('members.name as memberName')
    .where((eb) => eb.or([eb('kind', '=', 'email'), eb('bridge', 'is not', null)]))
    .$if(where.workspace !== null, (q) =>
      q.where('connections.workspace', '=', where.workspace as string),
    )
    .$if(where.connection !== null, (q) =>
      q.where('connections.id', '=', where.connection as string),
    )
    .orderBy('connections.id')
    .execute()

export type Checked = {
  alive: boolean
  problem: string | null
  health: HealthLevel
  signals: Signal[]
  checkedAt: Date
}

/** Notes the outcome of a check; true when the account came to life or died by it. */
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
