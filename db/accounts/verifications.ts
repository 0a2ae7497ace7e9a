import { sql } from 'kysely'
import { type Db, inOneTrip, type Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { type SecretKey, seal, unseal } from '../secrets.ts'
import type { VerificationOutcome, VerificationRequest } from './tables.ts'

// Tries to log in to the servers of a mailbox, before it is kept as a connection. A row holds what was asked for and what has come
// of it; the passwords are sealed in it until it has ended, and nowhere else. Times are real.

export type VerificationSecrets = { smtp?: string | undefined; imap?: string | undefined }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const keepMs = 24 * hourMs
/** Of one token or link in a minute, and of one account in an hour, in all workspaces. */
export const triesOf = { asker: 10, account: 5 } as const

/** Of one workspace at once, in all processes: more would be of use for looking into networks alone. */
export const triesAtOnce = 3
// Longer than one takes. It is not renewed: a try has its own limits of time, and that of a process that died is taken up again.
const underWay = sql<Date>`clock_timestamp() + interval '1 minute'`

/** In how many seconds one more may be asked for. */
export type TooMany = { of: 'asker' | 'account'; retryAfter: number }

/**
 * Keeps a try for its workflow, `verifyConnection`, which the caller starts in the same transaction. `asker` is the id of the token
 * or link; `account` is in the form in which addresses are compared. Answers its id, or that there were too many.
 */
export async function insertVerification(
  trx: Trx,
  secretKey: SecretKey,
  given: {
    workspace: string
    account: string
    asker: string
    request: VerificationRequest
    secrets: VerificationSecrets
  },
): Promise<string | TooMany> {
  const { workspace, account, asker, secrets } = given
  // Without a password it only looks for the servers, which is no try of the account.
  const isLookUp = secrets.smtp === undefined && secrets.imap === undefined
  for (const [of, value, withinMs] of [
    ['asker', asker, minuteMs],
    ['account', account, hourMs],
  ] as const) {
    if (of === 'account' && isLookUp) continue
    await sql`select pg_advisory_xact_lock(hashtextextended(${`verification ${of} ${value}`}, 0))`.execute(
      trx,
    )
    const wait = await waitFor(trx, of, value, withinMs)
    if (wait !== undefined) return { of, retryAfter: wait }
  }
  const id = newId('ver')
  await trx
    .insertInto('verifications')
    .values({
      id,
      workspace,
      account,
      asker,
      request: JSON.stringify(given.request),
      isLookUp,
      secrets: seal(secretKey, secrets, { in: 'verifications.secrets', id }),
    })
    .execute()
  return id
}

/** How long it takes until there are fewer than `triesOf` again, in seconds; undefined if there are. */
async function waitFor(trx: Trx, of: 'asker' | 'account', value: string, withinMs: number) {
  const tries = await trx
    .selectFrom('verifications')
    .select(
      sql<number>`extract(epoch from clock_timestamp() - created_at)::float8 * 1000`.as('ageMs'),
    )
    .where(of, '=', value)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - ${withinMs} * interval '1 ms'`)
    .where((is) => is.or([is('isLookUp', '=', false), is.val(of === 'asker')]))
    .orderBy('createdAt', 'desc')
    .limit(triesOf[of])
    .execute()
  const last = tries[triesOf[of] - 1]
  return last && Math.max(1, Math.ceil((withinMs - last.ageMs) / 1000))
}

export const findVerification = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('verifications')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockVerification = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('verifications')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type VerificationRow = NonNullable<Awaited<ReturnType<typeof findVerification>>>

/** Whether the try may begin now, or is the caller's already. Its place is free again with its outcome, or after a minute. */
export async function beginTry(
  db: Db,
  { id, workspace }: Pick<VerificationRow, 'id' | 'workspace'>,
): Promise<boolean> {
  const rows = await inOneTrip(db, () => [
    // One after the other, so that each sees the places that others have taken.
    sql`select pg_advisory_xact_lock(hashtextextended(${`verifications of ${workspace}`}, 0))`.compile(
      db,
    ),
    sql`update verifications set tried_until = ${underWay} where workspace = ${workspace} and id = ${id}
      and ${triesAtOnce} > (select count(*) from verifications other
        where other.workspace = ${workspace} and other.id <> ${id}
          and other.outcome is null and other.tried_until > clock_timestamp())
      returning id`.compile(db),
  ])
  return rows.length > 0
}

/** The passwords of one that has not ended. @throws SealError. */
export const verificationSecrets = (
  secretKey: SecretKey,
  { id, secrets }: Pick<VerificationRow, 'id' | 'secrets'>,
): VerificationSecrets =>
  secrets
    ? unseal<VerificationSecrets>(secretKey, secrets, { in: 'verifications.secrets', id })
    : {}

/** Notes what it has come to, so that another attempt does not try the password again. */
export const noteOutcome = (
  db: Db,
  { id, workspace }: VerificationRow,
  outcome: VerificationOutcome,
) =>
  db
    .updateTable('verifications')
    .set({ outcome: JSON.stringify(outcome) })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()

/** Ends it; its passwords are forgotten. `connection` is what was kept. */
export const endVerification = (
  trx: Trx,
  { id, workspace }: Pick<VerificationRow, 'id' | 'workspace'>,
  connection: string | null,
) =>
  trx
    .updateTable('verifications')
    .set({ secrets: null, connection, endedAt: sql<Date>`clock_timestamp()` })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()

/** Deletes those of more than a day ago. */
export const forgetVerifications = (db: Db, limit: number) =>
  db
    .deleteFrom('verifications')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('verifications')
        .select('id')
        .where('createdAt', '<', new Date(Date.now() - keepMs))
        .limit(limit),
    )
    .returning('id')
    .execute()
