import { sql } from 'kysely'
import { isBehind, startReaders } from '../../db/accounts/mailboxes.ts'
import type { Stack } from '../faults/stack.ts'
import { givenWorkspace, sealedFor } from '../support/given.ts'

// Thousands of accounts with mailboxes on one server, as if they had been connected one after the other.

const atOnce = 100

export const loginOf = (n: number) => `u${n}@us.example`

/** Makes so many accounts, in a workspace of their own unless one is given, which nobody reads before `read`. */
export async function makeAccounts(
  { db, clock }: Pick<Stack, 'db'> & { clock: { now(): Date } },
  imapPort: number,
  count: number,
  of?: { id: string; member: string },
) {
  const { id: workspace, member } = of ?? (await givenWorkspace(db, clock.now()))
  const accounts = Array.from({ length: count }, (_, n) => ({ id: `con_m${n}`, workspace }))
  for (let from = 0; from < count; from += atOnce)
    await db
      .insertInto('connections')
      .values(
        accounts.slice(from, from + atOnce).map(({ id }, i) => {
          const account = loginOf(from + i)
          const server = { host: '127.0.0.1', port: imapPort, secure: false, user: account }
          return {
            ...{ id, workspace, member, account, kind: 'email' as const, name: account },
            ...{ limitDay: 50, limitWeek: 250, gapSeconds: 0 },
            imap: JSON.stringify(server),
            secrets: sealedFor(id, { imap: 'secret' }),
          }
        }),
      )
      .execute()
  return {
    async read() {
      for (let from = 0; from < count; from += atOnce)
        await db
          .transaction()
          .execute((trx) => startReaders(trx, accounts.slice(from, from + atOnce)))
    },
  }
}

/** How many mailboxes are being read, and have been read to their ends. */
export async function countRead({ db }: Stack): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from mailbox_readers join connections on connections.id = mailbox_readers.connection
    where not ${isBehind()}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Some of the mailboxes that are not read, and why. */
export async function describeUnread({ db }: Stack): Promise<string> {
  const rows = await db
    .selectFrom('mailboxReaders')
    .innerJoin('connections', 'connections.id', 'mailboxReaders.connection')
    .select([
      'connections.id',
      ...(['problem', 'problemSince', 'retry', 'retryAt', 'readAt', 'caughtUpAt'] as const).map(
        (column) => `mailboxReaders.${column}` as const,
      ),
    ])
    .where(isBehind(), '=', true)
    .limit(5)
    .execute()
  return JSON.stringify(rows)
}

/** Who holds the sets. */
export async function holders({ db }: Stack): Promise<(string | null)[]> {
  const rows = await db.selectFrom('mailboxSets').select('holder').execute()
  return rows.map(({ holder }) => holder)
}
