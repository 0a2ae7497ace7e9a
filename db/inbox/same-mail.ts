import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import type { Db, Trx } from '../database.ts'
import { type Inbound, type Received, reportOf } from './inbound.ts'
import type { Proof } from './proof.ts'

// Whether a mail is here already. Two mails with one Message-ID are two mails unless From and Date are the same too: programs give
// several mails one id, or an answer the id of the letter that it answers. A list's copy of a mail has another subject and a footer,
// and is the same mail.

// So many mails with one id are distinguished; whatever else has it is another one.
const mostLikeIt = 50

type Dated = { senderHandle: string; dated: Date | null }

/** When a message of ours or theirs says that it was written, for a query of messages `m`. */
export const datedOf = sql<Date | null>`coalesce(m.dated, (m.head ->> 'date')::timestamptz,
  (select (t.head ->> 'date')::timestamptz from touches t where t.id = m.touch))`

/** A mail without a date has that of any other. A head has full seconds. */
export const isSameDate = (one: Date | null, other: Date | null) =>
  one === null || other === null || seconds(one) === seconds(other)

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Met = {
  /** The message, if it is here already. */
  known: Received | undefined
  /** Another mail has its id. */
  isSecond: boolean
  /** That one is a letter of ours: this mail knows it. */
  isOurs: boolean
}

/**
 * The message by its Message-ID, its sender and its date, if it is here already: also one that an operator's file or an archive
 * brought, and one of ours that came back to the account it was written from. What a bridge brings is known by its id alone.
 */
async function meet(db: Db, inbound: Inbound): Promise<Met> {
  const { connection, workspace, externalId, dated, from } = inbound
  const { rows } = await sql<
    Dated & { id: string; conversation: string; direction: 'inbound' | 'outbound' }
  >`
    select m.id, m.conversation, m.direction, m.sender_handle, ${datedOf} as dated from messages m
    where m.workspace = ${workspace} and m.connection = ${connection}
      and (m.direction = 'inbound' and m.external_id = ${externalId} or m.message_id = ${externalId})
    limit ${mostLikeIt}`.execute(db)
  const sender = comparedForm(from.address)
  const isSame = (row: Dated) =>
    dated === undefined ||
    (comparedForm(row.senderHandle) === sender && isSameDate(row.dated, dated))
  const same = rows.find(isSame)
  return {
    known: same && { conversation: same.conversation, message: same.id, fresh: false },
    isSecond: rows.length > 0,
    isOurs: rows.some(({ direction }) => direction === 'outbound'),
  }
}

/** What distinguishes a mail from others of its account: its id and, if another has that, a mark of its sender and date. */
export function ownKey(
  { externalId, from, dated }: Pick<Inbound, 'externalId' | 'from' | 'dated'>,
  isSecond: boolean,
): string {
  if (!isSecond) return externalId
  const told = `${comparedForm(from.address)} ${dated ? seconds(dated) : ''}`
  return `${externalId} ${createHash('sha256').update(told).digest('hex').slice(0, 16)}`
}

/** Whether a mail of ours is known as one that went out, from whichever account: a colleague may have got a copy. */
export async function isKnownSent(
  db: Db,
  { workspace, messageId, dated }: SentOnce,
): Promise<boolean> {
  const { rows } = await sql<{ dated: Date | null }>`
    select ${datedOf} as dated from messages m
    where m.workspace = ${workspace} and m.direction = 'outbound' and m.message_id = ${messageId}
    limit ${mostLikeIt}`.execute(db)
  return rows.some((row) => isSameDate(row.dated, dated))
}

export type SentOnce = {
  workspace: string
  messageId: string
  dated: Date | null
}

// A mail that lay in Junk was kept as suspect, without effects. Its owner has looked at it and moved it elsewhere: it is now taken
// as if it had just come.

/** `moved` is the message that its owner has moved; `known` any other that is here already. */
export async function meetAgain(db: Db, inbound: Inbound): Promise<Met & Moved> {
  const met = await meet(db, inbound)
  if (!met.known || !(await wasMoved(db, met.known.message, inbound))) return met
  return { ...met, known: undefined, moved: met.known }
}

type Moved = { moved?: Met['known'] }

/** Its words are compared, because a forger may have given another's id, name and date to words of their own. */
async function wasMoved(db: Db, message: string, { suspect, folder, text }: Inbound) {
  if (suspect || folder === undefined) return false
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', message)
    .where('suspect', '=', true)
    .where('folder', '!=', folder)
    .where('text', '=', text)
    .executeTakeFirst()
  return row !== undefined
}

export async function takeOutOfJunk(
  trx: Trx,
  message: string,
  { folder, automated, report }: Inbound,
  proof: Proof | undefined,
): Promise<string> {
  await trx
    .updateTable('messages')
    .set({
      suspect: false,
      folder: folder ?? null,
      automated,
      report: report ? JSON.stringify(reportOf(report, proof)) : null,
    })
    .where('id', '=', message)
    .execute()
  return message
}
