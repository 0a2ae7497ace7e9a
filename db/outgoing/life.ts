import { type NotNull, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Refused } from '../../rules/outgoing.ts'
import { returnUnit, takingUnit } from '../accounts/connections.ts'
import type { Builder, Db, Trx } from '../database.ts'
import type { Schema } from '../schema.ts'
import { lease } from './leases.ts'
import { type LetterKey, type LetterRow, type LetterTable, letters } from './letters.ts'

// The life of one letter as guarded statements: queued → sending → sent, failed or queued again. A claim writes the marker of
// an attempt, and the outcome of the letter is written only under that marker. What else follows from a move depends on the
// kind of letter, and is in the folder of that kind.

/**
 * One kind of letter: its table, and its moves with everything that follows from them. A move whose marker is gone does
 * nothing.
 */
export type Kind<Row extends LetterRow, Sent = unknown> = {
  table: LetterTable
  /** The name of the kind in events and audit lines. */
  resource: 'touch' | 'message' | 'invitation'
  /** The name of the kind in logs and metrics. */
  name: 'letter' | 'message' | 'invitation'
  find(db: Db, id: string): Promise<Row | undefined>
  /** What an event about a decision tells beside it. */
  about?(letter: Row): Record<string, unknown>
  /** Locks the row until the transaction ends and reads it again. Whatever must be locked before the row is locked first. */
  lock(trx: Trx, read: Row): Promise<Row | undefined>
  /** `externalId` is the id that a bridge gave it; `refused` are the recipients whom the server did not take. */
  sent(
    trx: Trx,
    marker: Marker<Row>,
    externalId?: string,
    refused?: Refused[],
  ): Promise<Sent | undefined>
  /**
   * The same for an attempt that has just claimed the letter, which all its recipients get: in one statement and without the lock.
   * Undefined if nothing was done, because more than that has to be.
   */
  sentAtOnce?(db: Db, marker: Marker<Row>): Promise<Sent | undefined>
  failed(trx: Trx, marker: Marker<Row>, refusal: Refusal): Promise<unknown>
  deferred(trx: Trx, marker: Marker<Row>, nextTryAt: Date | null): Promise<unknown>
  unconfirmed(trx: Trx, marker: Marker<Row>, refused?: Refused[]): Promise<unknown>
}

/** The marker that a settlement may overwrite: that of this attempt or, if `attempt` is null, that of any attempt. */
export type Marker<Row = LetterRow> = { letter: Row; attempt: string | null; now: Date }

/** Why a letter was not accepted: our reason, and the server's code and words if it gave any. */
export type Refusal = { reason: string; code?: string | null; said?: string | null }

/** `day` is the day of the workspace whose unit is taken. Only the first claim stores `messageId`: it never changes. */
export type Claim = {
  connection: string
  attempt: string
  messageId: string
  now: Date
  day: string
}

/**
 * The statement that writes the marker of an attempt. It changes nothing if the letter is no longer queued, or if a column no
 * longer has its value in `still`. `also` are further columns that the kind of letter sets.
 */
export function claiming<Table extends LetterTable>(
  db: Builder,
  { table, id }: LetterKey & { table: Table },
  {
    connection,
    attempt,
    messageId,
    now,
    day,
  }: Omit<Claim, 'now'> & { now: Date | RawBuilder<Date> },
  also: Updateable<Schema[Table]> = {},
  still: Partial<Selectable<Schema[Table]>> = {},
) {
  let query = letters(db, table)
    .update()
    .set(also)
    .set((eb) => ({
      state: 'sending',
      reason: null,
      connection,
      attempt,
      tries: eb('tries', '+', 1),
      messageId: eb.fn.coalesce('messageId', eb.val(messageId)),
      claimedAt: now,
      claimedDay: day,
      leasedUntil: lease,
      firstClaimedAt: eb.fn.coalesce('firstClaimedAt', sql<Date>`${now}`),
      nextTryAt: null,
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
  for (const [column, value] of Object.entries(still))
    query = query.where(column as keyof LetterRow, 'is not distinct from', value as string | null)
  return query
}

/**
 * Writes the marker of an attempt, as `claiming` does, and takes one unit of the account's day; false if there was nothing to
 * claim. Call it with the connection locked.
 */
export async function claim<Table extends LetterTable>(
  trx: Trx,
  key: LetterKey & { table: Table },
  marker: Claim,
  also: Updateable<Schema[Table]> = {},
): Promise<boolean> {
  const row = await trx
    .with('claimed', (qb) => claiming(qb, key, marker, also).returning('id'))
    .with('unit', (qb) => takingUnit(qb, marker.connection, marker.day, 'claimed'))
    .selectFrom('claimed')
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** What a claim has written: the account, its day, and the Message-ID. */
type Claimed = { id: string; connection: string; claimedDay: string; messageId: string }

function underMarker(db: Builder, table: LetterTable, { letter, attempt }: Marker) {
  let query = letters(db, table).update().where('id', '=', letter.id).where('state', '=', 'sending')
  if (attempt !== null) query = query.where('attempt', '=', attempt)
  return query
    .returning(['id', 'connection', 'claimedDay', 'messageId'])
    .$narrowType<{ connection: NotNull; claimedDay: NotNull; messageId: NotNull }>()
}

/** The statement of `markSent`. */
export const markingSent = <Table extends LetterTable>(
  db: Builder,
  table: Table,
  marker: Marker,
  also: Updateable<Schema[Table]> = {},
) =>
  underMarker(db, table, marker)
    .set(also)
    .set({ state: 'sent', reason: null, attempt: null, sentAt: marker.now })

/** The letter was accepted. `also` are further columns that the kind of letter sets. */
export const markSent = <Table extends LetterTable>(
  trx: Trx,
  table: Table,
  marker: Marker,
  also: Updateable<Schema[Table]> = {},
): Promise<Claimed | undefined> => markingSent(trx, table, marker, also).executeTakeFirst()

/**
 * The letter was not accepted and never will be: its unit is given back. `also` are further columns that the kind of letter
 * sets.
 */
export const markFailed = <Table extends LetterTable>(
  trx: Trx,
  table: Table,
  marker: Marker,
  reason: string,
  also: Updateable<Schema[Table]> = {},
): Promise<Claimed | undefined> =>
  unclaimed(
    trx,
    underMarker(trx, table, marker)
      .set(also)
      .set({ state: 'failed', reason, attempt: null })
      .executeTakeFirst(),
  )

/**
 * The letter is queued again, and its unit is given back. The server has put it off until `nextTryAt`; or, if that is null, a
 * person has it sent again, and the days for which we retry count from its next claim.
 */
export const markDeferred = (
  trx: Trx,
  table: LetterTable,
  marker: Marker,
  nextTryAt: Date | null,
): Promise<Claimed | undefined> =>
  unclaimed(
    trx,
    underMarker(trx, table, marker)
      .set({ state: 'queued', reason: null, attempt: null, nextTryAt })
      .$if(nextTryAt === null, (q) => q.set({ firstClaimedAt: null }))
      .executeTakeFirst(),
  )

async function unclaimed(trx: Trx, moved: Promise<Claimed | undefined>) {
  const row = await moved
  if (row) await returnUnit(trx, row.connection, row.claimedDay)
  return row
}

/**
 * Nobody knows whether the letter was accepted: it stays `sending`, and its unit stays used. Undefined also if the letter was
 * unconfirmed already.
 */
export const markUnconfirmed = <Table extends LetterTable>(
  trx: Trx,
  table: Table,
  marker: Marker,
  also: Updateable<Schema[Table]> = {},
): Promise<Claimed | undefined> =>
  underMarker(trx, table, marker)
    .set(also)
    .set({ reason: 'unconfirmed' })
    .where('reason', 'is', null)
    .executeTakeFirst()

/** A queued letter must not go. False if it is no longer queued: it was cancelled or claimed in the meantime. */
export async function markForbidden(
  trx: Trx,
  { table, id }: LetterKey,
  reason: string,
): Promise<boolean> {
  const row = await letters(trx, table)
    .update()
    .set({ state: 'failed', reason })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the letter is unconfirmed, so that a person has to say what became of it. */
export const isUnconfirmed = ({ state, reason }: Pick<LetterRow, 'state' | 'reason'>) =>
  state === 'sending' && reason === 'unconfirmed'

/** Makes the next try of a queued letter due now. */
export const retryNow = (db: Db, { table, id }: LetterKey) =>
  letters(db, table)
    .update()
    .set({ nextTryAt: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()
