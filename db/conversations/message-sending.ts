import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import { dayIn } from '../../rules/hours.ts'
import type { LetterHead } from '../../rules/outgoing.ts'
import { takingUnit } from '../accounts/connections.ts'
import { probeOf } from '../accounts/rests.ts'
import { isAbout } from '../accounts/suppressions.ts'
import type { Clock } from '../clock.ts'
import { compiledOnce, compiledPerShape, statementPerShape } from '../compiled.ts'
import { type Builder, type Db, inOneTrip, type Trx, withoutDisk } from '../database.ts'
import { heldWhy, isHeld, passFence } from '../holds.ts'
import { claimingOperation, type Run } from '../operations/operations.ts'
import type { OperationState } from '../operations/tables.ts'
import { type Claim, claiming } from '../outgoing/life.ts'
import type { Schema } from '../schema.ts'
import { messageBefore } from './message-turns.ts'

// A message that is to go out: what it waits for, and its claim.

const outgoing = (db: Builder, id: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .innerJoin('workspaces', 'workspaces.id', 'messages.workspace')
    .selectAll('messages')
    .select(['conversations.person', 'conversations.owner', 'conversations.kind'])
    .select('workspaces.timezone')
    .where('messages.id', '=', id)

/** With a connection: only if it goes through that one. */
export const findOutgoing = (db: Db, id: string, connection?: string) =>
  outgoing(db, id)
    .$if(connection !== undefined, (q) => q.where('messages.connection', '=', connection as string))
    .executeTakeFirst()

/** Whether a hold of its workspace, or of its account, keeps a message from going. */
export async function isMessageHeld(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select(isHeld(sql.ref('messages.workspace'), sql.ref('messages.connection')).as('held'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.held === true
}

export type OutgoingRow = NonNullable<Awaited<ReturnType<typeof findOutgoing>>>

/** Locks a message's row until the transaction ends and reads it. */
export const lockOutgoing = async (trx: Trx, id: string): Promise<OutgoingRow | undefined> =>
  (await lockedOutgoing(trx, id)).at(0)

const lockedOutgoing = compiledOnce((db, id: string) => outgoing(db, id).forUpdate('messages'))

/** The rest of its account, if there is one: when one letter may try, and whether one does. */
const restOfMessage = sql<{ probeAt: string; isTried: boolean } | null>`(
  select jsonb_build_object('probeAt', probe_at, 'isTried', is_tried) from rests
  where rests.account = messages.connection and rests.server = 'smtp' and rests.ended_at is null)`

export type DueRow = NonNullable<Awaited<ReturnType<typeof claimOutgoing>>>

// The mails of its conversation, up to the one that it answers. Reports of mail servers are nothing to answer: the person has
// never seen them.
const said = sql`messages t
      where t.conversation = messages.conversation and t.message_id is not null
        and t.state in ('received', 'sent') and not t.suspect
        and (t.report is null or t.id = messages.replies_to)
        and coalesce((t.at, t.seq) <= (select c.at, c.seq from messages c
          where c.conversation = messages.conversation and case when messages.replies_to is null
            then c.direction = 'inbound' and not c.suspect and c.report is null and c.message_id is not null
            else c.id = messages.replies_to end
          order by c.at desc, c.seq desc limit 1), true)`

/**
 * A message with what may hold it up, messages of its conversation that go first, a hold and a rest of its account, and with what its
 * letter is made of beside its row: the Message-IDs of its conversation, newest first, from the message on that it answers (the
 * last one received, unless its caller has chosen another); to what the first of them refers, if that is known; the name of its
 * recipient, if the address is somebody's; and whether it has files.
 */
const due = (db: Builder, id: string, now: Date) =>
  outgoing(db, id).select([
    sql<boolean>`exists (${messageBefore(now)})`.as('isBehind'),
    restOfMessage.as('rest'),
    heldWhy(sql.ref('messages.workspace'), sql.ref('messages.connection')).as('heldWhy'),
    sql<
      string[]
    >`array(select t.message_id from ${said} order by t.at desc, t.seq desc limit 10)`.as('thread'),
    sql<string[] | null>`(select coalesce(t.refers_to, (
        select array(select jsonb_array_elements_text(head -> 'references'))
        from (select coalesce(t.head, (select touches.head from touches where touches.id = t.touch)) as head) of
        where head is not null))
      from ${said} order by t.at desc, t.seq desc limit 1)`.as('parentReferences'),
    sql<string | null>`(select p.name from addresses a join people p on p.id = a.person
        where a.workspace = messages.workspace and a.kind = 'email'
          and a.value = lower(messages.to_address))`.as('toName'),
    sql<boolean>`exists (select from files where files.message = messages.id)`.as('hasFiles'),
  ])

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
) => (await claimedOutgoing(db, { operation, message, firstExecutionRunId, runId, now })).at(0)

type Owned = { operation: string; message: string }

const claimedOutgoing = compiledPerShape((db, values: Owned & Run & { now: Date }) => {
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
 * Writes the marker of an attempt with the head of its letter, takes a unit of the account and reads the message, unless something
 * forbids it at this instant. What decides it is locked before. While its account rests, only a message that tries alone whether that
 * is over (`isProbe`) is claimed. Further recipients who are suppressed are left out, and so are those of `unreachable`, whom its
 * server cannot be told: `refused` of the message names both.
 */
export async function claimMessage<Row extends OutgoingRow>(
  db: Db,
  clock: Clock,
  message: Row,
  marker: Omit<Claim, 'now' | 'day'> & { head: LetterHead },
  { unreachable = [], isProbe = false }: { unreachable?: string[]; isProbe?: boolean } = {},
): Promise<ClaimOfMessage<Row>> {
  const { id, workspace, person, conversation, timezone, toAddress, cc, bcc } = message
  const others = [...cc, ...bcc].map(comparedForm)
  const { connection, head } = marker
  const locked = { workspace, person, conversation, connection, others }
  const to = comparedForm(toAddress)
  const claimed = {
    ...marker,
    id,
    workspace,
    conversation,
    to,
    head: JSON.stringify(head),
    unreachable,
    isProbe,
  }
  const [found] = await inOneTrip(db, () => {
    const now = clock.now()
    const at = { now, day: dayIn(timezone, now) }
    return [
      lockOf(db, locked, others.length === 0 ? 'alone' : 'with others'),
      claimOf(db, { ...claimed, ...at }),
    ]
  })
  if (!found) return { isSuppressed: false, isSpam: false, claimed: undefined }
  const { isSuppressed, isSpam, ...columns } = found
  return {
    isSuppressed,
    isSpam,
    claimed: columns.id === null ? undefined : { ...message, ...columns },
  }
}

/** `claimed`: the message as it is under its marker; undefined if it must not go. */
type ClaimOfMessage<Row> = {
  isSuppressed: boolean
  isSpam: boolean
  claimed: Row | undefined
}

type Locking = {
  workspace: string
  person: string
  conversation: string
  connection: string
  others: string[]
}

// What the claim of a message looks at is locked in the order of all claims: its person and those of its further recipients, its
// account, its conversation. Then it passes the fence of the holds.
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
    select ${passFence(workspace)} from conversation`.compile(db)
})

type Claiming = Claim & {
  id: string
  workspace: string
  conversation: string
  to: string
  head: string
  unreachable: string[]
  isProbe: boolean
}

const claimOf = statementPerShape((db, values: Claiming) => {
  const { id, workspace, conversation, to, head, unreachable, isProbe, ...marker } = values
  const { connection, day, now } = marker
  const claimed = claiming(db, { table: 'messages', id }, { ...marker, now: afterWait(now) })
    .set(sql.ref('refused'), sql`(select refused from found)`)
    .set(sql.ref('head'), sql`${head}::jsonb`)
    .where(
      sql<SqlBool>`(select not (is_suppressed or is_spam or is_behind or is_resting or is_held) from found)`,
    )
    .returningAll()
  const suppressed = (address: RawBuilder<unknown>) => sql`exists (select from suppressions
    where workspace = ${workspace} and ${isAbout(address)} and reason != 'unsubscribe')`
  // The row is the one that was changed: an edit that the claim has waited for is in it.
  return sql<{ isSuppressed: boolean; isSpam: boolean } & Selectable<Schema['messages']>>`
    with found as materialized (
      select ${suppressed(sql`${to}`)} as is_suppressed,
        exists (select from conversations
          where id = ${conversation} and state = 'closed' and reason = 'spam') as is_spam,
        exists (${messageBefore(now)}) as is_behind,
        (not ${isProbe}::boolean and ${probeOf(sql.ref('messages.connection'))} is not null)
          or exists (select from connections where id = messages.connection and paused) as is_resting,
        ${isHeld(workspace, sql.ref('messages.connection'))} as is_held,
        (select jsonb_agg(jsonb_build_object('address', given, 'code', code) order by place)
          from (select given, min(n) as place,
              case when ${suppressed(sql`lower(given)`)} then 'suppressed'
                when given = any(${unreachable}::text[]) then '5.6.7' end as code
            from unnest(cc || bcc) with ordinality as other (given, n) group by given) as others
          where code is not null) as refused
      from messages where id = ${id}),
    claimed as (${claimed}),
    unit as (${takingUnit(db, connection, day, 'claimed')})
    select found.is_suppressed, found.is_spam, claimed.* from found left join claimed on true`.compile(
    db,
  )
})

// The transaction may have waited for its locks: units of an account are taken in the order of the instants of their claims.
const afterWait = (begun: Date) =>
  sql<Date>`${begun}::timestamptz + (clock_timestamp() - transaction_timestamp())`

/** Unconfirmed messages of an account. */
export const listUnconfirmed = async (db: Db, connection: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('connection', '=', connection)
    // Literal, as the index has it: a plan for any values could not use it.
    .where('state', '=', sql.lit('sending'))
    .where('reason', '=', sql.lit('unconfirmed'))
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}
