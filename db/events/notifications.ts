import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'

// Each member has their own notifications; those of another member do not exist for them.

/** Newest first; `after` is the [at, id] of the last row of the page before. */
export const listNotifications = (
  db: Db,
  member: string,
  after: readonly string[] | undefined,
  limit: number,
) =>
  db
    .selectFrom('notifications')
    .select(['id', 'at', 'kind', 'text', 'conversation', 'readAt'])
    .where('member', '=', member)
    .$if(after !== undefined, (q) =>
      q.where(sql<SqlBool>`(at, id) < (${after?.[0]}::timestamptz, ${after?.[1]})`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Which of these ids are notifications of the member. */
export async function findNotificationIds(
  db: Db,
  member: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('notifications')
    .select('id')
    .where('member', '=', member)
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Marks the given notifications, or without a list all of them, as read; answers how many were unread. */
export async function markRead(
  trx: Trx,
  member: string,
  ids: string[] | undefined,
  now: Date,
): Promise<number> {
  const done = await trx
    .updateTable('notifications')
    .set({ readAt: now })
    .where('member', '=', member)
    .where('readAt', 'is', null)
    .$if(ids !== undefined, (q) => q.where(sql<SqlBool>`id = any(${ids ?? []}::text[])`))
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

/** Writes a notification for a member. */
export const notify = (
  trx: Db,
  notification: {
    workspace: string
    member: string
    at: Date
    kind: string
    text: string
    conversation?: string | null
  },
) =>
  trx
    .insertInto('notifications')
    .values({ id: newId('ntf'), ...notification })
    .execute()
