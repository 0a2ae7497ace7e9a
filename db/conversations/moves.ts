import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { CloseReason, ConversationState } from './tables.ts'

// Moves of a conversation between open, snoozed and closed. Each end of a snooze, and each change of its instant, raises
// snooze_version; the workflow that waits acts only under the version it was started for.

export const lockConversation = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('conversations')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type LockedConversation = NonNullable<Awaited<ReturnType<typeof lockConversation>>>

/** The same for many, in the order of their ids; those that do not exist are absent. */
export const lockConversations = (
  trx: Trx,
  workspace: string,
  ids: string[],
): Promise<LockedConversation[]> =>
  trx
    .selectFrom('conversations')
    .selectAll()
    .where('workspace', '=', workspace)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Many conversations as they stand, without a lock. */
export const readConversations = (
  db: Db,
  workspace: string,
  ids: string[],
): Promise<LockedConversation[]> =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('workspace', '=', workspace)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()

/** An agent is not given the instructions from a conversation that is spam. */
export const isSpam = ({ state, reason }: Pick<LockedConversation, 'state' | 'reason'>): boolean =>
  state === 'closed' && reason === 'spam'

export type ConversationEdit = {
  state: ConversationState
  snoozeUntil: Date | null
  why: string | null
  reason: CloseReason | null
  owner: string | null
  met: boolean
}

/**
 * Writes an edit of a locked conversation. `snooze` is given if a snooze begins, moves or ends: it is the operation that waits
 * from now on, or null. Answers the version.
 */
export async function updateConversation(
  trx: Trx,
  id: string,
  edit: Partial<ConversationEdit>,
  snooze?: { operation: string | null },
): Promise<number> {
  const row = await trx
    .updateTable('conversations')
    .set((eb) => ({
      ...edit,
      ...(snooze && {
        snoozeVersion: eb('snoozeVersion', '+', 1),
        snoozeOperation: snooze.operation,
      }),
    }))
    .where('id', '=', id)
    .returning('snoozeVersion')
    .executeTakeFirstOrThrow()
  return row.snoozeVersion
}

/** A conversation as the workflow of its snooze reads it. */
export const findSnooze = (db: Db, conversation: string) =>
  db
    .selectFrom('conversations')
    .select(['workspace', 'state', 'snoozeUntil', 'snoozeVersion', 'why'])
    .where('id', '=', conversation)
    .executeTakeFirst()

/**
 * The workspace's first snoozes that end before a given moment, in order, locked until the transaction ends; messages can still
 * be stored meanwhile.
 */
export const lockSnoozesBefore = (trx: Trx, workspace: string, moment: Date, limit: number) =>
  trx
    .selectFrom('conversations')
    .select(['id', 'snoozeVersion', 'snoozeOperation'])
    .where('workspace', '=', workspace)
    .where('state', '=', 'snoozed')
    .where('snoozeUntil', '<', moment)
    .orderBy('snoozeUntil')
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()

/** Wakes a conversation if it is still snoozed under this version; answers who is to be notified, or undefined if it is not. */
export const wakeConversation = (trx: Trx, conversation: string, version: number) =>
  trx
    .updateTable('conversations')
    .set({
      state: 'open',
      snoozeUntil: null,
      why: null,
      snoozeOperation: null,
      snoozeVersion: version + 1,
    })
    .where('id', '=', conversation)
    .where('state', '=', 'snoozed')
    .where('snoozeVersion', '=', version)
    .returning(['workspace', 'owner', 'subject'])
    .executeTakeFirst()

/** Locks the conversation against being closed until the transaction ends. */
export async function isClosedAsSpam(trx: Trx, conversation: string): Promise<boolean> {
  const row = await trx
    .selectFrom('conversations')
    .select(['state', 'reason'])
    .where('id', '=', conversation)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'closed' && row.reason === 'spam'
}
