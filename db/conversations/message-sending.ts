import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import { dayIn } from '../../rules/hours.ts'
import type { LetterHead, Refused } from '../../rules/outgoing.ts'
import { takingUnit } from '../accounts/connections.ts'
import { probeOf } from '../accounts/rests.ts'
import { isAbout } from '../accounts/suppressions.ts'
import type { Clock } from '../clock.ts'
import { compiledOnce, compiledPerShape, statementPerShape } from '../compiled.ts'
import { type Builder, type Db, inOneTrip, type Trx, withoutDisk } from '../database.ts'
import { claiming as claimingOperation, isFreeFor, type Run } from '../operations/operations.ts'
import type { OperationState } from '../operations/tables.ts'
import { type Claim, claiming } from '../outgoing/life.ts'
import { messageBefore } from './message-turns.ts'

// A message that is to go out, with the facts of its conversation that sending it needs. One file, because what is read of it, what
// is due and what a claim may take are one set of conditions.

const outgoing = (db: Builder, id: string) => allOutgoing(db).where('messages.id', '=', id)

const allOutgoing = (db: Builder) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .innerJoin('workspaces', 'workspaces.id', 'messages.workspace')
    .selectAll('messages')
    .select([
      'conversations.person',
      'conversations.owner',
      'conversations.kind',
      'workspaces.timezone',
      // Only if the address belongs to somebody: a message may go to any address.
      sql<string | null>`(select p.name from addresses a join people p on p.id = a.person
        where a.workspace = messages.workspace and a.kind = 'email'
          and a.value = lower(messages.to_address))`.as('toName'),
    ])

/** With a connection: only if it goes through that one. */
export const findOutgoing = (db: Db, id: string, connection?: string) =>
  outgoing(db, id)
    .$if(connection !== undefined, (q) => q.where('messages.connection', '=', connection as string))
    .executeTakeFirst()

export type OutgoingRow = NonNullable<Awaited<ReturnType<typeof findOutgoing>>>

/** Locks a message's row until the transaction ends and reads it. */
export const lockOutgoing = async (trx: Trx, id: string): Promise<OutgoingRow | undefined> =>
  (await lockedOutgoing(trx, id)).at(0)

const lockedOutgoing = compiledOnce((db, id: string) => outgoing(db, id).forUpdate('messages'))

/**
 * A message with what is known at the same instant: whether a message of the conversation goes first, the Message-IDs of the
 * conversation, newest first, from the message on that it answers (the last one received, unless its caller has chosen another),
 * to what that one refers (null where an earlier version stored it), and whether it has files. Reports of mail servers are nothing
 * to answer: the person has never seen them.
 */
const due = (db: Builder, id: string, now: Date) => outgoing(db, id).select(factsOfDue(now))

/** The rest of its account, if there is one: when one letter may try, and whether one does. */
const restOfMessage = sql<{ probeAt: string; isTried: boolean } | null>`(
  select jsonb_build_object('probeAt', probe_at, 'isTried', is_tried) from rests
  where rests.account = messages.connection and rests.server = 'smtp' and rests.ended_at is null)`.as(
  'rest',
)

const said = sql`messages t
      where t.conversation = messages.conversation and t.message_id is not null
        and t.state in ('received', 'sent') and not t.suspect
        and (t.report is null or t.id = messages.replies_to)
        and coalesce((t.at, t.seq) <= (select c.at, c.seq from messages c
          where c.conversation = messages.conversation and case when messages.replies_to is null
            then c.direction = 'inbound' and not c.suspect and c.report is null and c.message_id is not null
            else c.id = messages.replies_to end
          order by c.at desc, c.seq desc limit 1), true)`

const factsOfDue = (now: Date) =>
  [
    sql<boolean>`exists (${messageBefore(now)})`.as('isBehind'),
    sql<
      string[]
    >`array(select t.message_id from ${said} order by t.at desc, t.seq desc limit 10)`.as('thread'),
    sql<string[] | null>`(select coalesce(t.refers_to, (
        select array(select jsonb_array_elements_text(head -> 'references'))
        from (select coalesce(t.head, (select touches.head from touches where touches.id = t.touch)) as head) of
        where head is not null))
      from ${said} order by t.at desc, t.seq desc limit 1)`.as('parentReferences'),
    sql<boolean>`exists (select from files where files.message = messages.id)`.as('hasFiles'),
    restOfMessage,
  ] as const

export const findDue = (db: Db, id: string, now: Date) => due(db, id, now).executeTakeFirst()

export type DueRow = NonNullable<Awaited<ReturnType<typeof findDue>>>

// A message that goes on waiting is not shown as running in between.
const runs = sql<OperationState>`case state when 'waiting' then state else 'running' end`

/**
 * Claims the operation of a message for a run, as claimOperation does, and reads the message, with whether this run owns the
 * operation, and what it waited for. Were the claim lost, it would be made again: the message goes only under its marker, whose
 * commit makes this one durable.
 */
export const claimOutgoing = async (
  db: Db,
  { operation, message }: Owned,
  { firstExecutionRunId, runId }: Run,
  now: Date,
) =>
  (await claimedOutgoing(db, { operation, message, firstExecutionRunId, runId, now }, 'one')).at(0)

type Owned = { operation: string; message: string }

/**
 * Those of some messages by mail that may go at once and belong to no run yet, in no order: without a `sendAt`, with nothing before
 * them, and of no account that rests. Those with long texts are left out.
 */
export const listDueAtOnce = async (db: Db, messages: string[], now: Date) =>
  (await dueAtOnce(db, { messages, now }, 'some')).filter(
    ({ isBehind, rest }) => !isBehind && rest === null,
  )

const mostBytes = 64 * 1024

const dueAtOnce = compiledPerShape(
  (db, { messages, now }: { messages: string[]; now: Date }, _: 'some') =>
    allOutgoing(db)
      .select(factsOfDue(now))
      .innerJoin('operations as own', 'own.id', 'messages.operation')
      .where(sql<SqlBool>`messages.id = any(${messages}::text[])`)
      .where('conversations.kind', '=', 'email')
      .where('messages.state', '=', 'queued')
      .where('messages.sendAt', 'is', null)
      .where('messages.nextTryAt', 'is', null)
      .where('messages.dueAt', '<=', now)
      .where('own.ownerRun', 'is', null)
      .where('own.waitingFor', 'is', null)
      .where(
        sql<SqlBool>`octet_length(messages.text) + coalesce(octet_length(messages.html), 0) < ${sql.lit(mostBytes)}`,
      )
      .compile(),
)

const claimedOutgoing = compiledPerShape((db, values: Owned & Run & { now: Date }, _: 'one') => {
  const { operation, message, now, ...run } = values
  const claimed = db.with('claimed', (qb) => claimingOperation(qb, operation, run, now, runs))
  return due(claimed, message, now)
    .leftJoin('operations as own', (join) => join.on('own.id', '=', operation))
    .select(['own.ownerRun', 'own.waitingFor'])
    .select(sql<boolean>`exists (select from claimed)`.as('isClaimed'))
    .select(withoutDisk.as('committed'))
    .compile()
})

/**
 * Writes the marker of an attempt and takes a unit of the account, unless something forbids the message at this instant. What
 * decides it is locked before. While its account rests, only a message that tries alone whether that is over (`isProbe`) is
 * claimed. Further recipients who are suppressed are left out, and so are those of `unreachable`, whom its server cannot be told:
 * `refused` names both. With `owner`, the operation of the message is claimed for that run too, as claimOperation does; if it
 * belongs to another run, the message is not claimed.
 */
export async function claimMessage(
  db: Db,
  clock: Clock,
  { id, workspace, person, conversation, timezone, toAddress, cc, bcc }: OutgoingRow,
  marker: Omit<Claim, 'now' | 'day'>,
  {
    head,
    unreachable = [],
    isProbe = false,
    owner,
  }: {
    head?: LetterHead
    unreachable?: string[]
    isProbe?: boolean
    owner?: { operation: string } & Run
  } = {},
): Promise<ClaimOfMessage> {
  const others = [...cc, ...bcc].map(comparedForm)
  const { connection } = marker
  const locked = { workspace, person, conversation, connection, others }
  const claimed = {
    ...{ id, workspace, conversation, ...marker, unreachable, isProbe },
    ...{ to: comparedForm(toAddress), head: head ? JSON.stringify(head) : null },
    ...{ operation: '', firstExecutionRunId: '', runId: '', ...owner },
  }
  const [found] = await inOneTrip(db, () => {
    const now = clock.now()
    const at = { now, day: dayIn(timezone, now) }
    return [
      lockOf(db, locked, others.length === 0 ? 'alone' : 'with others'),
      claimOf(db, { ...claimed, ...at }, owner ? 'and its operation' : 'alone'),
    ]
  })
  const nothing = { isSuppressed: false, isSpam: false, isBehind: false, isResting: false }
  return found ?? { ...nothing, isClaimed: false, refused: null }
}

type Locking = {
  workspace: string
  person: string
  conversation: string
  connection: string
  others: string[]
}

// What the claim of a message looks at is locked in the order of all claims: its person and those of its further recipients, its
// account, its conversation.
const lockOf = statementPerShape((db, values: Locking, shape: 'alone' | 'with others') => {
  const { workspace, person, conversation, connection, others } = values
  const people =
    shape === 'alone'
      ? sql`id = ${person}`
      : sql`id = any(array[${person}] || array(select a.person from addresses a
          where a.workspace = ${workspace} and a.kind = 'email' and a.value = any(${others}::text[])))
          order by id`
  return sql`
    with person as materialized (select id from people where ${people} for update),
    account as materialized (select id from connections
      where id = ${connection} and (select count(*) from person) >= 0 for update),
    conversation as materialized (select id from conversations
      where id = ${conversation} and (select count(*) from account) >= 0 for share)
    select count(*) from conversation`.compile(db)
})

type Claiming = Claim &
  Run & {
    operation: string
    id: string
    workspace: string
    conversation: string
    to: string
    unreachable: string[]
    isProbe: boolean
    head: string | null
  }

const claimOf = statementPerShape((db, values: Claiming, shape: 'alone' | 'and its operation') => {
  const { id, workspace, conversation, to, unreachable, isProbe, head, ...rest } = values
  const { operation, firstExecutionRunId, runId, ...marker } = rest
  const { connection, day, now } = marker
  const isOwned = shape === 'and its operation'
  const claimed = claiming(db, { table: 'messages', id }, { ...marker, now: afterWait(now) })
    .set(sql.ref('head'), sql`coalesce(${head}::jsonb, head)`)
    .set(sql.ref('refused'), sql`(select refused from found)`)
    .where(
      sql<SqlBool>`(select not (is_suppressed or is_spam or is_behind or is_resting) from found)`,
    )
    .$if(isOwned, (q) =>
      q.where(sql<SqlBool>`exists (select from operations
        where id = ${operation} and ${isFreeFor(firstExecutionRunId)})`),
    )
  // The message is written before its operation, as wherever both are written.
  const run = { firstExecutionRunId, runId }
  const owned = claimingOperation(db, operation, run, now, runs).where(
    sql<SqlBool>`exists (select from claimed)`,
  )
  const suppressed = (address: RawBuilder<unknown>) => sql`exists (select from suppressions
    where workspace = ${workspace} and ${isAbout(address)} and reason != 'unsubscribe')`
  return sql<ClaimOfMessage>`
    with found as materialized (
      select ${suppressed(sql`${to}`)} as is_suppressed,
        exists (select from conversations
          where id = ${conversation} and state = 'closed' and reason = 'spam') as is_spam,
        exists (${messageBefore(now)}) as is_behind,
        not ${isProbe}::boolean and ${probeOf(sql.ref('messages.connection'))} is not null as is_resting,
        (select jsonb_agg(jsonb_build_object('address', given, 'code', code) order by place)
          from (select given, min(n) as place,
              case when ${suppressed(sql`lower(given)`)} then 'suppressed'
                when given = any(${unreachable}::text[]) then '5.6.7' end as code
            from unnest(cc || bcc) with ordinality as other (given, n) group by given) as others
          where code is not null) as refused
      from messages where id = ${id}),
    claimed as (${claimed}),
    unit as (${takingUnit(db, connection, day, 'claimed')})${isOwned ? sql`, owned as (${owned})` : sql``}
    select found.*, exists (select from claimed) as is_claimed from found`.compile(db)
})

// The transaction may have waited for its locks: units of an account are taken in the order of the instants of their claims.
const afterWait = (begun: Date) =>
  sql<Date>`${begun}::timestamptz + (clock_timestamp() - transaction_timestamp())`

type ClaimOfMessage = {
  isSuppressed: boolean
  isSpam: boolean
  isBehind: boolean
  isResting: boolean
  isClaimed: boolean
  refused: Refused[] | null
}

/** Unconfirmed messages of an account. */
export const listUnconfirmed = async (db: Db, connection: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('connection', '=', connection)
    .where('state', '=', 'sending')
    .where('reason', '=', 'unconfirmed')
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}
