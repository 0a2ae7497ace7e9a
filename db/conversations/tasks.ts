import { type Selectable, sql } from 'kysely'
import type { Hours } from '../../rules/hours.ts'
import type { Db, Trx } from '../database.ts'
import type { Tasks } from './tables.ts'

// What members ask agents to do in a conversation. A task with a due time is carried out once: its outcome and the message that
// it makes are written in one transaction, under the row's lock.

export type TaskRow = Selectable<Tasks>

export type NewTask = Pick<
  TaskRow,
  | 'id'
  | 'workspace'
  | 'conversation'
  | 'text'
  | 'due'
  | 'member'
  | 'operation'
  | 'key'
  | 'createdAt'
>

export const insertTask = (trx: Trx, task: NewTask) =>
  trx.insertInto('tasks').values(task).returningAll().executeTakeFirstOrThrow()

/** The tasks of a conversation, oldest first. */
export const listTasks = (db: Db, conversation: string): Promise<TaskRow[]> =>
  db
    .selectFrom('tasks')
    .selectAll()
    .where('conversation', '=', conversation)
    .orderBy('seq')
    .execute()

/** A task as its workflow reads it. */
export const findTask = (db: Db, id: string) =>
  db
    .selectFrom('tasks')
    .innerJoin('conversations', 'conversations.id', 'tasks.conversation')
    .selectAll('tasks')
    .select([
      'conversations.person',
      'conversations.kind',
      'conversations.connection',
      'conversations.subject',
    ])
    .where('tasks.id', '=', id)
    .executeTakeFirst()

export type OpenTask = NonNullable<Awaited<ReturnType<typeof findTask>>>

/** Locks a task that is still to be done; undefined if it has ended. */
export const lockQueuedTask = (trx: Trx, id: string) =>
  trx
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()

export type TaskEnd = {
  state: 'done' | 'failed' | 'cancelled'
  reason?: string | null
  agent?: string | null
  message?: string | null
  told?: Record<string, unknown>
  did?: string | null
}

/** Ends a task that is still to be done; false if it has ended already. */
export async function endTask(db: Db, id: string, end: TaskEnd, now: Date): Promise<boolean> {
  const { told, ...rest } = end
  const row = await db
    .updateTable('tasks')
    .set({ ...rest, ...(told && { told: JSON.stringify(told) }), endedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Cancels what is still to be done in a conversation; answers the ids of the workflows that wait for it. */
export async function cancelTasks(trx: Trx, conversation: string, now: Date): Promise<string[]> {
  const rows = await trx
    .updateTable('tasks')
    .set({ state: 'cancelled', reason: 'spam', endedAt: now })
    .where('conversation', '=', conversation)
    .where('state', '=', 'queued')
    .returning('operation')
    .execute()
  return rows.map(({ operation }) => operation)
}

export type TaskAgent = { id: string; name: string; hours: Hours; channels: string[] }

/**
 * Who carries out a task: the agent that wrote last in the conversation; otherwise the first enabled one, by name, that handles
 * a product the person is tagged with and the conversation's account. An empty list means all. Undefined: nobody.
 */
export async function findTaskAgent(db: Db, task: OpenTask): Promise<TaskAgent | undefined> {
  const { rows } = await sql<TaskAgent>`
    select a.id, a.name, a.hours, a.channels
    from agents a
    left join lateral (
      select m.agent from messages m
      where m.conversation = ${task.conversation} and m.direction = 'outbound' and m.agent is not null
      order by m.at desc, m.seq desc limit 1) last on true
    where a.workspace = ${task.workspace} and a.enabled
      and (a.id = last.agent or (
        (cardinality(a.labels) = 0
          or not exists (select from person_tags t where t.person = ${task.person} and t.removed_at is null)
          or exists (select from person_tags t
            where t.person = ${task.person} and t.removed_at is null and t.label = any(a.labels)))
        and (cardinality(a.channels) = 0 or ${task.connection}::text is null
          or ${task.connection} = any(a.channels))))
    order by (a.id = last.agent) desc nulls last, lower(a.name), a.id
    limit 1`.execute(db)
  return rows[0]
}

/**
 * The account that a task's message goes through: the conversation's; otherwise one that the agent writes through; otherwise
 * any that works.
 */
export async function findTaskSender(db: Db, task: OpenTask, channels: string[]) {
  const { rows } = await sql<{
    id: string
    account: string
    memberName: string
    memberSignature: string
  }>`
    select c.id, c.account, m.name as member_name, m.signature as member_signature
    from connections c join members m on m.id = c.member
    where c.workspace = ${task.workspace} and c.kind = ${task.kind} and c.removed_at is null
      and (c.id = ${task.connection} or (c.alive and not c.paused))
    order by (c.id = ${task.connection}) desc nulls last, (c.id = any(${channels}::text[])) desc, c.id
    limit 1`.execute(db)
  return rows[0]
}

/** The last messages of a conversation, oldest first, as an agent is given them. */
export async function listSaid(db: Db, conversation: string, limit: number) {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'direction', 'at', 'subject', 'text'])
    .where('conversation', '=', conversation)
    .where('state', 'in', ['received', 'sent', 'sending', 'queued'])
    .where('suspect', '=', false)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(({ direction, at, ...message }) => ({
    ...message,
    from: direction === 'inbound' ? ('client' as const) : ('us' as const),
    at: at.toISOString(),
  }))
}
