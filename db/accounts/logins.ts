import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { inMs } from '../instants.ts'

// The tokens of accounts that log in by OAuth 2.0. Of all processes, one at a time asks for a new token of an account: whoever
// holds the claim on its row. The claim is a lease and no row lock, so that nobody keeps a transaction, and with it a connection
// to Postgres, while a provider answers; and that of a process that died ends by itself. It runs on the database's own clock,
// which all processes share.

export type Login = NonNullable<Awaited<ReturnType<typeof findLogin>>>

/** The tokens of an account as they are kept; undefined before the first look. `isClaimed`: somebody is getting a new one. */
export const findLogin = (db: Db, connection: string) =>
  db
    .selectFrom('logins')
    .selectAll()
    .select(sql<boolean>`coalesce(claimed_until > clock_timestamp(), false)`.as('isClaimed'))
    .where('id', '=', connection)
    .executeTakeFirst()

/**
 * How long a claim holds: longer than a provider is given to answer. Not much longer, because providers that replace a refresh
 * token with each use accept the former one again for some ten seconds to a minute, in which another process can go on after one
 * that died with the answer.
 */
const claimMs = 15_000
const isFree = () => sql<boolean>`(claimed_until is null or claimed_until <= clock_timestamp())`

/** Takes the claim. Answers the row as it is under it; undefined while another one has the claim. */
export async function claimLogin(db: Db, connection: string, by: string, ms = claimMs) {
  const take = () =>
    db
      .updateTable('logins')
      .set({ claimedBy: by, claimedUntil: inMs(ms) })
      .where('id', '=', connection)
      .where(isFree())
      .returningAll()
      .executeTakeFirst()
  const taken = await take()
  if (taken) return taken
  await db
    .insertInto('logins')
    .columns(['id', 'workspace'])
    .expression(
      sql`select id, workspace from connections where id = ${connection}` as RawBuilder<never>,
    )
    .onConflict((oc) => oc.doNothing())
    .execute()
  return take()
}

/** Gives the claim back; `problem` says to those who waited for it why there is no token. */
export const releaseLogin = (db: Db, connection: string, by: string, problem: string | null) =>
  db
    .updateTable('logins')
    .set({
      claimedBy: null,
      claimedUntil: null,
      ...(problem !== null && { problem, failedAt: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', connection)
    .where('claimedBy', '=', by)
    .execute()

/** Sealed tokens. A refresh token that is left out stays as it is. */
export type Tokens = {
  accessToken: string
  expiresAt: Date
  refreshToken?: string
  settings: string
  /** The last one was refused by a mail server. */
  replaces?: boolean
}
/** Those of a consent. `owner` is who gave it, where the provider names its users for ever: another one may not follow. */
export type FirstTokens = Omit<Tokens, 'replaces'> & { owner?: string | undefined }

/**
 * Keeps new tokens and gives the claim back, in one statement: from then on they are used, and not before. False if other
 * tokens were kept meanwhile, which are newer: a claim had ended, or the owner has consented again.
 */
export async function keepTokens(
  db: Db,
  connection: string,
  version: number,
  { replaces = false, ...tokens }: Tokens,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('logins')
    .set({
      ...tokens,
      state: 'connected',
      version: version + 1,
      claimedBy: null,
      claimedUntil: null,
      problem: null,
      ...(replaces && { replacedAt: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', connection)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Notes that the owner of the account has to consent, and notifies them once if they had: nothing happens if that is known, or if
 * other tokens were kept meanwhile. Whoever has just set the account up knows that nobody has consented yet. Answers whether
 * it was announced. `now` is of the business clock.
 */
export const needConsent = (
  db: Db,
  connection: string,
  version: number,
  settings: string,
  now: Date,
) =>
  db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('logins')
      .select(['workspace', 'state', 'settings'])
      .where('id', '=', connection)
      .where('version', '=', version)
      .forUpdate()
      .executeTakeFirst()
    const isKnown = before?.state === 'consent_needed' && before.settings === settings
    if (!before || isKnown) return false
    await trx
      .updateTable('logins')
      .set({
        state: 'consent_needed',
        since: now,
        settings,
        accessToken: null,
        expiresAt: null,
        refreshToken: null,
        claimedBy: null,
        claimedUntil: null,
      })
      .where('id', '=', connection)
      .execute()
    // Campaigns see at once what holds them, also if it was the mailbox that could not be read.
    await trx
      .updateTable('connections')
      .set({ problem: 'consent_needed', problemSince: now, checkedAt: now })
      .where('id', '=', connection)
      .where('problem', 'is', null)
      .execute()
    const isNews = before.state === 'connected'
    if (isNews) await tellOwner(trx, connection, before.workspace, now)
    return isNews
  })

async function tellOwner(trx: Trx, connection: string, workspace: string, at: Date) {
  const account = await trx
    .selectFrom('connections')
    .select(['member', 'name', 'account'])
    .where('id', '=', connection)
    .where('workspace', '=', workspace)
    .executeTakeFirst()
  if (!account) return
  const kind = 'channel.consent_needed'
  await recordEvent(trx, { workspace, at, resource: connection, kind, data: { connection } })
  const text = `${account.name || account.account} needs the consent of its owner again: its mail provider no longer lets Postroom in. What is to be sent waits, and answers are not read. Ask for a link with POST /channels/${connection}/connect and open it.`
  await notify(trx, { workspace, member: account.member, at, kind, text })
}
