import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// Who goes before whom. A conversation speaks in the order of its due instants, always. What was asked to go at a moment
// goes in the order of the moments, also across conversations, when several are due at once: after a stop, that is.

type Queued = { id: string; workspace: string; conversation: string; dueAt: Date; seq: string }

/** The message that must go before this one in its conversation. One that is unconfirmed does not hold up the next. */
export const findMessageBefore = (db: Db, message: Queued, now: Date) =>
  db
    .selectFrom('messages')
    .select(['id', 'nextTryAt'])
    .where('conversation', '=', message.conversation)
    .where('state', 'in', ['queued', 'sending'])
    .where('reason', 'is distinct from', 'unconfirmed')
    .where('dueAt', '<=', now)
    .where(sql<SqlBool>`(due_at, seq) < (${message.dueAt}::timestamptz, ${message.seq}::bigint)`)
    .limit(1)
    .executeTakeFirst()

const mostCounted = 300

/** What is waited for: one that was, and did not go, is passed with all before it; other accounts are waited for a while. */
export type Patience = { passed: string | null; others: boolean }

/**
 * The first of the workspace's messages that were asked to go at an earlier moment and are about to, and how many there are
 * (300 at most); undefined when there is none.
 */
export async function findScheduledBefore(
  db: Db,
  message: Queued & { connection: string | null },
  { passed, others }: Patience,
  now: Date,
): Promise<{ first: string; count: number } | undefined> {
  const rows = await scheduled(db, message.workspace, now)
    .select('messages.id')
    .where('messages.dueAt', '<', message.dueAt)
    .$if(!others, (q) => q.where('messages.connection', '=', message.connection))
    // One that went after all is nothing to go by.
    .$if(passed !== null, (q) =>
      q.where(sql<SqlBool>`not exists (select from messages stuck where stuck.id = ${passed}
        and stuck.state in ('queued', 'sending') and (messages.due_at, messages.seq) <= (stuck.due_at, stuck.seq))`),
    )
    .limit(mostCounted)
    .execute()
  return rows[0] && { first: rows[0].id, count: rows.length }
}

// What somebody must clear up, or waits for its mail server or behind one that does, holds up no other.
const scheduled = (db: Db, workspace: string, now: Date) =>
  db
    .selectFrom('messages')
    .innerJoin('connections', 'connections.id', 'messages.connection')
    .leftJoin('operations', 'operations.id', 'messages.operation')
    .where('messages.workspace', '=', workspace)
    .where('messages.state', 'in', ['queued', 'sending'])
    .where('messages.sendAt', 'is not', null)
    .where('messages.dueAt', '<=', now)
    .where('messages.reason', 'is distinct from', 'unconfirmed')
    .where('connections.problem', 'is', null)
    .where('operations.waitingFor', 'is distinct from', 'restart')
    .where(
      sql<SqlBool>`not exists (select from messages earlier
        where earlier.conversation = messages.conversation and earlier.state = 'queued' and earlier.next_try_at > ${now}
          and (earlier.due_at, earlier.seq) <= (messages.due_at, messages.seq))`,
    )
    .orderBy('messages.dueAt')
    .orderBy('messages.seq')

/** Tells those whose turn it is now that a message has gone, or will not for now; itself it knows. */
export async function wakeNext(
  trx: Db,
  message: Pick<Queued, 'workspace' | 'conversation'> & {
    sendAt: Date | null
    connection: string | null
    operation: string | null
  },
  now: Date,
) {
  const next = await trx
    .selectFrom('messages')
    .select('operation')
    .where('conversation', '=', message.conversation)
    .where('state', '=', 'queued')
    .where('operation', 'is not', null)
    .orderBy('dueAt')
    .orderBy('seq')
    .limit(1)
    .execute()
  if (message.sendAt) {
    const due = scheduled(trx, message.workspace, now).select('messages.operation').limit(1)
    next.push(...(await due.execute()))
    next.push(...(await due.where('messages.connection', '=', message.connection).execute()))
  }
  const told = new Set(next.map(({ operation }) => operation))
  for (const operation of told)
    if (operation !== null && operation !== message.operation)
      await enqueueSignal(trx, operation, 'changed')
}
