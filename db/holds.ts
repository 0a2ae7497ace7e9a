import { type Expression, type RawBuilder, sql } from 'kysely'
import { bothInOneTrip, type Db, inOneTrip, type Trx } from './database.ts'

// What is held: everything, a workspace, or the accounts of a mail host. Nothing of it is claimed, posted or filed. Whoever sets a
// hold waits for the claims that have passed the fence (`fenceOff`); a claim passes it once it has all its other locks, and reads the
// holds in a later statement. So what is claimed was claimed before the call that holds was answered. What has no claim, such as an
// event for a webhook or a copy for a Sent folder, passes the fence in a transaction of its own, as the last thing before it leaves.

const fences = (workspace: Expression<unknown> | string) => [
  sql`hashtext('holds'), 0`,
  sql`hashtext('holds of a workspace'), hashtext(${workspace}::text)`,
]

/**
 * An expression by which a claim passes the fence of its workspace, until its transaction ends. What is selected beside it is read
 * too early: the holds are read by the next statement.
 */
export const passFence = (workspace: Expression<unknown> | string): RawBuilder<unknown> =>
  sql.join(
    fences(workspace).map((fence) => sql`pg_advisory_xact_lock_shared(${fence})::text`),
    sql` || `,
  )

/** A statement that waits for the claims which have passed the fence: those of a workspace, or all. Commit soon after it. */
export const fenceOff = (workspace: string | null): RawBuilder<unknown> => {
  const [all, one] = fences(workspace ?? '')
  return sql`select pg_advisory_xact_lock(${workspace === null ? all : one})`
}

// Of an account, its hosts count too.
const holdsOn = (workspace: Expression<unknown> | string, account?: Expression<unknown>) => sql`
  from holds where holds.what = 'all' or holds.workspace = ${workspace}
  ${
    account
      ? sql`or exists (select from connections held_account where held_account.id = ${account}
          and holds.host in (lower(held_account.smtp ->> 'host'), lower(held_account.imap ->> 'host')))`
      : sql``
  }`

/** Whether a workspace, or one of its accounts, is held. */
export const isHeld = (workspace: Expression<unknown> | string, account?: Expression<unknown>) =>
  sql<boolean>`exists (select ${holdsOn(workspace, account)})`

/** Why it is held; null if it is not. */
export const heldWhy = (workspace: Expression<unknown> | string, account?: Expression<unknown>) =>
  sql<
    string | null
  >`(select holds.why ${holdsOn(workspace, account)} order by holds.what, holds.set_by, holds.id limit 1)`

/** Passes the fence in a transaction that has all its other locks, and answers whether the account is held. */
export async function isHeldNow(trx: Trx, workspace: string, account: string): Promise<boolean> {
  const [, [found]] = await bothInOneTrip(
    trx,
    sql`select ${passFence(workspace)}`.compile(trx),
    sql<{ held: boolean }>`select ${isHeld(workspace, sql`${account}`)} as held`.compile(trx),
  )
  return found?.held === true
}

/** Passes the fence for what has no claim, and answers why the workspace, or its account, is held; null if it may leave now. */
export async function heldWhyNow(
  db: Db,
  workspace: string,
  account?: string,
): Promise<string | null> {
  const why = heldWhy(workspace, account === undefined ? undefined : sql`${account}`)
  const [found] = await inOneTrip(db, () => [
    sql`select ${passFence(workspace)}`.compile(db),
    sql<{ why: string | null }>`select ${why} as why`.compile(db),
  ])
  return found?.why ?? null
}
