import { type SqlBool, sql } from 'kysely'
import { hastenRest, probeOf } from '../accounts/rests.ts'
import type { Db } from '../database.ts'
import { isHeld } from '../holds.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// Which message goes before which. The messages of a conversation always go in the order of their due instants. Messages with a
// `sendAt` go in the order of these moments, across conversations too, if several are due at once, as after an outage; those of one
// account and moment in the order in which they were accepted.

type Queued = { id: string; workspace: string; conversation: string; dueAt: Date; seq: string }

/**
 * Part of a statement on `messages`: the messages that must go before it in its conversation. An unconfirmed message does not
 * hold up the next one.
 */
export const messageBefore = (now: Date) => sql`select from messages earlier
  where earlier.conversation = messages.conversation and earlier.state in ('queued', 'sending')
    and earlier.reason is distinct from 'unconfirmed' and earlier.due_at <= ${now}
    and (earlier.due_at, earlier.seq) < (coalesce(messages.due_at, ${now}), messages.seq)`

/** How many messages are counted that go before another one. */
export const mostCounted = 300

/**
 * What a message waits for. `passed` is a message that was waited for too long: it no longer counts, nor do those before it.
 * `taken` are messages that have gone, though their rows do not say so yet. `others`: messages of other accounts count too, for a
 * while.
 */
export type Patience = { passed: string | null; taken: string[]; others: boolean }

/**
 * The first of the workspace's messages that go before this one by their `sendAt` and are about to go, whether it goes through the
 * same account, and how many there are (`most` at most); undefined if there are none.
 */
export async function findScheduledBefore(
  db: Db,
  message: Queued & { connection: string | null },
  { passed, taken, others }: Patience,
  now: Date,
  most = mostCounted,
): Promise<{ id: string; isOwn: boolean; count: number } | undefined> {
  const { connection, dueAt, seq } = message
  const rows = await scheduled(db, message.workspace, now)
    .select(['messages.id', 'messages.connection'])
    .where((eb) =>
      eb.or([
        eb('messages.dueAt', '<', dueAt),
        eb.and([
          eb('messages.dueAt', '=', dueAt),
          eb('messages.seq', '<', seq),
          eb('messages.connection', '=', connection),
        ]),
      ]),
    )
    .$if(!others, (q) => q.where('messages.connection', '=', connection))
    .$if(taken.length > 0, (q) => q.where('messages.id', 'not in', taken))
    // If the passed message was sent after all, it no longer limits what counts.
    .$if(passed !== null, (q) =>
      q.where(sql<SqlBool>`not exists (select from messages stuck where stuck.id = ${passed}
        and stuck.state in ('queued', 'sending') and (messages.due_at, messages.seq) <= (stuck.due_at, stuck.seq))`),
    )
    .limit(most)
    .execute()
  const [first] = rows
  return first && { id: first.id, isOwn: first.connection === connection, count: rows.length }
}

// A message holds up no other if a person has to resolve it, if it waits for its mail server or the end of a hold, or if it waits
// behind one that does.
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
    .where(probeOf(sql.ref('connections.id')), 'is', null)
    .where(({ not }) => not(isHeld(sql.ref('messages.workspace'), sql.ref('connections.id'))))
    .where('operations.waitingFor', 'is distinct from', 'restart')
    .where(
      sql<SqlBool>`not exists (select from messages earlier
        where earlier.conversation = messages.conversation and earlier.state = 'queued' and earlier.next_try_at > ${now}
          and (earlier.due_at, earlier.seq) <= (messages.due_at, messages.seq))`,
    )
    .orderBy('messages.dueAt')
    .orderBy('messages.seq')

const waitingForTurn = sql<
  string | null
>`case when operations.waiting_for = 'turn' then messages.operation end`.as('operation')

/**
 * Signals the messages whose turn it is now that a message has gone, or will not go for now. The message's own workflow knows
 * that already.
 */
export async function wakeNext(trx: Db, message: Gone, now: Date) {
  const { rows } = await nextOf(message.conversation).execute(trx)
  await signalNext(trx, message, rows[0]?.operation ?? null, now)
}

type Gone = Pick<Queued, 'id' | 'workspace' | 'conversation'> & {
  sendAt: Date | null
  connection: string | null
  operation: string | null
}

/** The message that is now the first one of its conversation, by its operation. */
export const nextOf = (conversation: string) => sql<{ operation: string }>`
  select operation from messages where conversation = ${conversation} and state = 'queued' and operation is not null
    order by due_at, seq limit 1`

/** The same as wakeNext, if the first message of the conversation is known already. */
export async function signalNext(trx: Db, message: Gone, first: string | null, now: Date) {
  const next = [{ operation: first }]
  if (message.sendAt) {
    // Those before it have been told already, and one of them may be stuck: the line behind it goes on. One that has not asked yet
    // asks by itself, since its moment has come.
    const due = scheduled(trx, message.workspace, now)
      .select(waitingForTurn)
      .where(isBehind(message.id))
      .limit(1)
    next.push(...(await due.execute()))
    next.push(...(await callUp(trx, message, now)))
  }
  const told = new Set(next.map(({ operation }) => operation))
  for (const operation of told)
    if (operation !== null && operation !== message.operation)
      await enqueueSignal(trx, operation, 'changed')
}

/** So many messages of an account's line are awake: whoever is next waits for its turn where it is sent, and for no signal. */
export const awakeInLine = 4

/** Wakes the messages that are now among the first of an account's line; answers their operations, which no longer wait. */
const callUp = (trx: Db, { id, workspace, connection }: Gone, now: Date) =>
  trx
    .updateTable('operations')
    .set({ state: 'running', waitingFor: null, waitingUntil: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('operations')
        .select('id')
        .where('waitingFor', 'in', ['send_at', 'turn'])
        .where(
          'id',
          'in',
          scheduled(trx, workspace, now)
            .select('operations.id')
            .where('messages.connection', '=', connection)
            .where(isBehind(id))
            .limit(awakeInLine),
        )
        .forUpdate()
        .skipLocked(),
    )
    .returning('id as operation')
    .execute()

const isBehind = (message: string) => sql<SqlBool>`(messages.due_at, messages.seq)
  > (select gone.due_at, gone.seq from messages gone where gone.id = ${message})`

// Nobody waits for more.
const mostPlaces = 10_000

/** How many messages of its account go before a message at its moment. */
export async function placeInLine(
  db: Db,
  { workspace, connection, dueAt, seq }: Queued & { connection: string | null },
): Promise<number> {
  const before = db
    .selectFrom('messages')
    .select(sql`1`.as('one'))
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where('state', 'in', ['queued', 'sending'])
    .where('sendAt', 'is not', null)
    .where('dueAt', '=', dueAt)
    .where('seq', '<', seq)
    .limit(mostPlaces)
  const { count } = await db
    .selectFrom(before.as('before'))
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A person has asked to try a message at once, whose account may rest. */
export async function hastenOf(db: Db, message: string, now: Date) {
  const found = await db
    .selectFrom('messages')
    .select('connection')
    .where('id', '=', message)
    .executeTakeFirst()
  if (found?.connection) await hastenRest(db, { account: found.connection, server: 'smtp' }, now)
}

// More than this look by themselves when the rest was to end.
const mostWoken = 500

/** Signals the messages that wait until an account may be used again. */
export async function wakeResting(trx: Db, workspace: string, connection: string) {
  const waiting = await trx
    .selectFrom('messages')
    .innerJoin('operations', 'operations.id', 'messages.operation')
    .select('operations.id as operation')
    .where('messages.workspace', '=', workspace)
    .where('messages.connection', '=', connection)
    .where('messages.state', '=', 'queued')
    .where('operations.waitingFor', '=', 'next_try')
    .orderBy('messages.dueAt')
    .orderBy('messages.seq')
    .limit(mostWoken)
    .execute()
  for (const { operation } of waiting)
    await enqueueSignal(trx, operation, 'changed', [], { workspace })
}

/** An account has new settings or a new consent: whatever it rested for is tried at once. */
export async function hastenRests(trx: Db, workspace: string, account: string, now: Date) {
  if (await hastenRest(trx, { account, server: 'smtp' }, now))
    await wakeResting(trx, workspace, account)
}
