import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isHeld } from '../holds.ts'

// Letters that were sent, and whose copies are not in their Sent folders yet.

/** The accounts of a set of mailboxes that have such letters, without those that are tried `later` or held. */
export async function listUnfiled(db: Db, set: string, later: string[]): Promise<string[]> {
  const { rows } = await sql<{ connection: string }>`
    select connection from mailbox_readers
    where mailbox_set = ${set} and exists (select from messages
      where messages.connection = mailbox_readers.connection and direction = 'outbound' and state = 'sent'
        and not filed and sent_at is not null and messages.id <> all(${later}::text[])
        and not ${isHeld(sql.ref('messages.workspace'), sql.ref('messages.connection'))})`.execute(
    db,
  )
  return rows.map(({ connection }) => connection)
}

/** Sent letters of an account that are not in its Sent folder yet, oldest first, without those that are tried `later`; none while it is held. */
export const listToFile = (
  db: Db,
  connection: string,
  { limit, later }: { limit: number; later: string[] },
) =>
  db
    .selectFrom('messages')
    .select(['id', 'messageId', 'sentAt'])
    .where('connection', '=', connection)
    // Literal, as the index has it: a plan for any values could not use it.
    .where('direction', '=', sql.lit('outbound'))
    .where('state', '=', sql.lit('sent'))
    .where('filed', '=', sql.lit(false))
    .where('sentAt', 'is not', null)
    .where(sql<boolean>`id <> all(${later}::text[])`)
    .where(({ not }) => not(isHeld(sql.ref('messages.workspace'), sql.ref('messages.connection'))))
    .orderBy('sentAt')
    .limit(limit)
    .execute()

/** What a sent letter was composed of. The head of a letter of a campaign is in its touch. */
export const findToFile = (db: Db, id: string) =>
  db
    .selectFrom('messages')
    .leftJoin('touches', 'touches.id', 'messages.touch')
    .select([
      'messages.id',
      'messages.workspace',
      'messages.conversation',
      'messages.toAddress',
      'messages.subject',
      'messages.text',
      'messages.html',
      'messages.inReplyTo',
      'messages.automated',
      'messages.refused',
      'messages.touch',
      'touches.language',
    ])
    .select((eb) => eb.fn.coalesce('touches.head', 'messages.head').as('head'))
    .select(
      sql<boolean>`exists (select from files where files.message = messages.id)`.as('hasFiles'),
    )
    .where('messages.id', '=', id)
    .executeTakeFirst()

export type ToFile = NonNullable<Awaited<ReturnType<typeof findToFile>>>

export const markFiled = (db: Db, message: string) =>
  db.updateTable('messages').set({ filed: true }).where('id', '=', message).execute()
