import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { setsChannel } from './mailbox-sets.ts'

// What the mail server of sandboxes keeps: the letters that it has put off, and the mails that come back. A letter is known by its
// Message-ID and recipient, so handing it over again brings nothing back a second time.

/** Who hands over, and when (business time). */
type At = { workspace: string; connection: string; messageId: string; now: Date }

/** When the server met the letter for this recipient first. */
export async function meetLetter(db: Db, at: At, recipient: string): Promise<Date> {
  const { workspace, connection, messageId, now } = at
  const { firstAt } = await db
    .insertInto('sandboxLetters')
    .values({ workspace, connection, messageId, recipient, firstAt: now })
    .onConflict((oc) =>
      oc
        .columns(['connection', 'messageId', 'recipient'])
        .doUpdateSet({ keptAt: sql`clock_timestamp()` }),
    )
    .returning('firstAt')
    .executeTakeFirstOrThrow()
  return firstAt
}

export type MailBack = { recipient: string; mail: Buffer; at: Date }

/** The news of the mailbox of an account, as they are called on `setsChannel`. */
export const newsOf = (connection: string) => `sandbox ${connection}`

/** Keeps the mails that come back for a letter, in one statement with the call of whoever reads the mailbox. */
export async function keepMailsBack(db: Db, at: At, mails: MailBack[]): Promise<void> {
  if (mails.length === 0) return
  const { workspace, connection, messageId, now } = at
  await db
    .with('kept', (one) =>
      one
        .insertInto('sandboxLetters')
        .values(
          mails.map(({ recipient, mail: answer, at: answerAt }) => ({
            ...{ workspace, connection, messageId, recipient, answer, answerAt },
            firstAt: now,
          })),
        )
        .onConflict((oc) =>
          oc
            .columns(['connection', 'messageId', 'recipient'])
            .doUpdateSet((eb) => ({
              answer: eb.ref('excluded.answer'),
              answerAt: eb.ref('excluded.answerAt'),
            }))
            .where('sandboxLetters.answer', 'is', null),
        )
        .returning('connection'),
    )
    .selectFrom('kept')
    .select(sql`pg_notify(${setsChannel}, ${newsOf(connection)})`.as('told'))
    .limit(1)
    .execute()
}

/** When the next mail arrives (business time); undefined if none is on its way. */
export async function nextArrival(db: Db, connection: string): Promise<Date | undefined> {
  const next = await onTheirWay(db, connection)
    .select('answerAt')
    .orderBy('answerAt')
    .limit(1)
    .executeTakeFirst()
  return next?.answerAt ?? undefined
}

const onTheirWay = (db: Db, connection: string) =>
  db
    .selectFrom('sandboxLetters')
    .where('connection', '=', connection)
    .where('answer', 'is not', null)
    .where('uid', 'is', null)

const atOnce = 200

/**
 * Puts the mails that are due into the Inbox, each with the next number. Two who do so follow each other, so that no number comes
 * after a higher one was shown.
 */
export async function deliverDue(db: Db, connection: string, now: Date): Promise<void> {
  const next = await nextArrival(db, connection)
  if (!next || next > now) return
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('mailboxReaders')
      .select('connection')
      .where('connection', '=', connection)
      .forUpdate()
      .execute()
    await sql`update sandbox_letters set uid = nextval('sandbox_uids'), arrived_at = clock_timestamp()
      from (select message_id, recipient from sandbox_letters
        where connection = ${connection} and answer is not null and uid is null and answer_at <= ${now}
        order by answer_at limit ${atOnce}) due
      where sandbox_letters.connection = ${connection} and sandbox_letters.message_id = due.message_id
        and sandbox_letters.recipient = due.recipient`.execute(trx)
  })
}

/** How many mails the Inbox holds, and the number after the last one. */
export async function inboxState(db: Db, connection: string) {
  const { exists, last } = await arrived(db, connection)
    .select([
      sql<number>`count(*)::integer`.as('exists'),
      sql<number>`coalesce(max(uid), 0)::float8`.as('last'),
    ])
    .executeTakeFirstOrThrow()
  return { exists, uidNext: last + 1 }
}

/** Mails of the Inbox from a number on, in order; without their bytes. */
export const listArrived = (db: Db, connection: string, fromUid: number) =>
  arrived(db, connection)
    .select([
      sql<number>`uid::float8`.as('uid'),
      sql<Date>`arrived_at`.as('arrivedAt'),
      sql<number>`octet_length(answer)`.as('size'),
    ])
    .where('uid', '>=', String(fromUid))
    .orderBy('uid')
    .execute()

/** The bytes of some mails of the Inbox. */
export const fetchArrived = (db: Db, connection: string, uids: number[]) =>
  arrived(db, connection)
    .select([sql<number>`uid::float8`.as('uid'), sql<Buffer>`answer`.as('mail')])
    .where(sql<SqlBool>`uid = any(${uids}::bigint[])`)
    .orderBy('uid')
    .execute()

const arrived = (db: Db, connection: string) =>
  db.selectFrom('sandboxLetters').where('connection', '=', connection).where('uid', 'is not', null)

/** Forgets what came back from these addresses, and what is on its way. */
export const forgetFrom = (trx: Trx, workspace: string, addresses: string[]) =>
  trx
    .deleteFrom('sandboxLetters')
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`recipient = any(${addresses}::text[])`)
    .execute()

/** Deletes letters that were kept before a moment (real time), and whose mail is not on its way; at most `most`. */
export async function forgetLetters(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql`delete from sandbox_letters where ctid in (
      select ctid from sandbox_letters where kept_at < ${before} and (answer is null or uid is not null)
      order by kept_at limit ${most})
    returning 1`.execute(db)
  return rows.length
}
