import { type Selectable, sql } from 'kysely'
import { type Db, withoutDisk } from '../database.ts'
import { inMs } from '../instants.ts'
import type { Outbox } from './tables.ts'

// Commands to Temporal, written in the transaction of the change that causes them and carried out by the relay after the
// commit. There is no order between commands: a signal may arrive before the start it belongs to, so it only shortens a
// wait, and whoever starts later reads the row. One file, because those who write commands and those who take them share one table
// and its priorities.

const searchAttributes = [
  'Workspace',
  'IdempotencyKey',
  'Campaign',
  'Conversation',
  'Person',
  'Connection',
] as const

/**
 * The workflows by name, and the signals that they accept with the payload of each. workflows/commands.ts fills in both from
 * the workflows themselves, so that this file knows their types without importing them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared where the workflows are.
export interface Workflows {}
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared where the signals are.
export interface Signals {}

export type WorkflowName = keyof Workflows
export type SignalName = keyof Signals
export type WorkflowArgs<K extends WorkflowName> = Parameters<Workflows[K]>

/** The search attributes by which an operator finds a workflow; a namespace that lacks one of them refuses every start. */
export const searchAttributeNames: readonly string[] = searchAttributes
export type SearchAttributes = { [name in (typeof searchAttributes)[number]]?: string }

// Work that somebody waits for comes before sends and signals (2), those before slow work, and webhook deliveries come last.
const usual = 2
const priorities: { [type: string]: number } = {
  checkMeeting: 1,
  bookMeeting: 1,
  cancelMeeting: 1,
  moveMeeting: 1,
  declineProposal: 1,
  judgeSegment: 1,
  searchPeople: 1,
  findPeople: 1,
  writeLetters: 1,
  applyRouting: 1,
  checkSenders: 1,
  verifyConnection: 1,
  importPeople: 1,
  readMailboxes: 3,
  syncMailbox: 3,
} satisfies Partial<Record<WorkflowName, number>>

/** The priority of the workflows that send events to webhooks. */
export const bulk = 5

/**
 * An operation's workflow has the operation's id, `<workspace>:<key>`. Readers of mailboxes have ids of the same form; with any
 * other id, the answer is ''.
 */
export const workspaceOf = (workflowId: string): string =>
  workflowId.includes(':') ? (workflowId.split(':')[0] as string) : ''

type StoredStart = {
  type: string
  workflowId: string
  /** Only ids, because operators can read histories. */
  args: unknown[]
  attributes: SearchAttributes
  operation?: string
  /** Start it although a closed run has this id; an operator's restart sets this. */
  restart?: boolean
  priority?: number
  /** Not before then, in real time. */
  notBefore?: Date
  /** The signal that a running workflow gets instead of the start. */
  orSignal?: SignalName
}

export type Start<K extends WorkflowName> = StoredStart & { type: K; args: WorkflowArgs<K> }

export type SignalDelivery = { workspace?: string; priority?: number; notBefore?: Date }

/** A command that is not in the outbox yet. */
export type NewCommand = {
  kind: 'start' | 'signal'
  workspace: string
  priority: number
  workflowId: string
  args: unknown[]
  attributes: SearchAttributes
  type?: string
  signal?: string | undefined
  operation?: string | undefined
  restart?: boolean | undefined
  notBefore?: Date | undefined
}

export const startOf = <K extends WorkflowName>(start: Start<K>): NewCommand => storedStartOf(start)

const storedStartOf = ({ orSignal, ...start }: StoredStart): NewCommand => ({
  ...start,
  kind: 'start',
  workspace: start.attributes.Workspace ?? workspaceOf(start.workflowId),
  priority: start.priority ?? priorities[start.type] ?? usual,
  signal: orSignal,
})

/** If the workflow's id does not begin with the workspace, name the workspace. */
export const signalOf = (
  workflowId: string,
  signal: SignalName,
  args: unknown[],
  { workspace = workspaceOf(workflowId), priority = usual, notBefore }: SignalDelivery = {},
): NewCommand => ({
  kind: 'signal',
  workspace,
  priority,
  workflowId,
  signal,
  args,
  attributes: {},
  notBefore,
})

/** The insert of commands. */
export const commandRows = (commands: NewCommand[]) => sql`
  insert into outbox (kind, workspace, priority, next_try_at, operation, workflow_type, workflow_id, args, attributes,
    restart, signal)
  values ${sql.join(commands.map(commandRow))}`

const commandRow = (
  command: NewCommand,
) => sql`(${command.kind}, ${command.workspace}, ${command.priority},
  ${command.notBefore ?? sql`default`}, ${command.operation}, ${command.type}, ${command.workflowId},
  ${JSON.stringify(command.args)}, ${JSON.stringify(command.attributes)}, ${command.restart ?? false}, ${command.signal})`

/** Tells the relays of what has been committed, in a transaction of its own. */
export const notifyRelay = (db: Db) => sql`select ${withoutDisk}, ${tellingRelay}`.execute(db)

/**
 * Tells the relays, when the transaction commits, that there is something to do, unless one of them looks by itself. Postgres
 * lets only one transaction with a notification commit at a time, so calls that come at once tell them after their commit
 * (api/wake-relay.ts).
 */
export const tellingRelay = sql`case when not exists
  (select from outbox_looks where until > clock_timestamp()) then pg_notify('outbox', '') end`

/** Says that a relay looks for commands by itself for `ms` from now. */
export const noteLooking = (db: Db, ms: number) =>
  sql`insert into outbox_looks (one, until) values (true, clock_timestamp() + ${ms} * interval '1 ms')
    on conflict (one) do update set until = excluded.until`.execute(db)

/** Puts the start of a workflow into the outbox. Call it in the transaction of the change. */
export const enqueueStart = <K extends WorkflowName>(trx: Db, start: Start<K>) =>
  enqueueStoredStart(trx, start)

/** The same for several workflows whose operations say already which they are. */
export async function enqueueStarts<K extends WorkflowName>(trx: Db, starts: Start<K>[]) {
  if (starts.length === 0) return
  await sql`with commands as (${commandRows(starts.map(startOf))}) select ${tellingRelay}`.execute(
    trx,
  )
}

/** The same for a start that was read from the outbox: its type and arguments were checked when it was first written there. */
export const enqueueStoredStart = (trx: Db, start: StoredStart) =>
  enqueue(
    trx,
    storedStartOf(start),
    start.operation === undefined
      ? sql``
      : sql`, operation as (update operations set workflow_type = ${start.type} where id = ${start.operation})`,
  )

/**
 * Puts a signal into the outbox; if the workflow does not exist, the signal has no effect. If the workflow's id does not begin
 * with the workspace, name the workspace.
 */
export const enqueueSignal = <K extends SignalName>(
  trx: Db,
  workflowId: string,
  signal: K,
  ...[args, delivery]: [] extends Signals[K]
    ? [args?: Signals[K], delivery?: SignalDelivery]
    : [args: Signals[K], delivery?: SignalDelivery]
) => enqueue(trx, signalOf(workflowId, signal, args ?? [], delivery))

async function enqueue(trx: Db, command: NewCommand, also = sql``) {
  await sql`with commands as (${commandRows([command])})${also} select ${tellingRelay}`.execute(trx)
}

export type Command = Awaited<ReturnType<typeof lockCommands>>[number]

/**
 * The next commands that are due, locked until the transaction ends; another relay skips them. It takes the first one of each
 * workspace, then the second of each, so a workspace with many commands delays no other. It reads twice as many as it takes, so
 * that a second relay finds some too.
 */
export async function lockCommands(trx: Db, limit: number) {
  // Literal: for a prepared statement, Postgres would plan a number that it does not know as a tenth of the table.
  const most = sql.lit(Math.max(50, limit * 2))
  const { rows } = await sql<Selectable<Outbox>>`
    with recursive workspaces_waiting as (
      (select workspace from outbox where dispatched_at is null and dead_at is null order by workspace limit 1)
      union all
      select following.workspace from workspaces_waiting as found cross join lateral (
        select workspace from outbox
        where dispatched_at is null and dead_at is null and workspace > found.workspace
        order by workspace limit 1) as following),
    in_turn as (
      select theirs.* from workspaces_waiting as found cross join lateral (
        select id, priority, row_number() over (order by priority, id) as turn from outbox
        where dispatched_at is null and dead_at is null and workspace = found.workspace
          and next_try_at <= clock_timestamp()
        order by priority, id limit ${most}) as theirs
      order by turn, priority, id limit ${most}),
    locked as materialized (
      select outbox.id, turn from outbox join in_turn on in_turn.id = outbox.id
      -- Written so that it matches no partial index: each row is found by its id, even where statistics say that nothing waits.
      where coalesce(dispatched_at, dead_at) is null
      order by turn, outbox.priority, outbox.id limit ${limit}
      for update of outbox skip locked)
    select outbox.* from locked join outbox on outbox.id = locked.id
    order by turn, outbox.priority, outbox.id`.execute(trx)
  return rows
}

export const commandDispatched = (trx: Db, ...ids: string[]) =>
  trx
    .updateTable('outbox')
    .set({ dispatchedAt: inMs(0), problem: null })
    .where('id', 'in', ids)
    .execute()

/** What a relay has left open is carried out, unless another one has taken it over since. */
export const lateDispatched = (db: Db, id: string) =>
  db
    .updateTable('outbox')
    .set({ dispatchedAt: inMs(0) })
    .where('id', '=', id)
    .where('problem', 'is', null)
    .execute()

/**
 * Leaves commands whose outcome is still awaited to the relay that awaits it, for `ms`. Whether they have a problem is not known
 * until then.
 */
export const leaseCommands = (trx: Db, ids: string[], ms: number) =>
  trx
    .updateTable('outbox')
    .set({ nextTryAt: inMs(ms), problem: null })
    .where('id', 'in', ids)
    .execute()

/** What stopped a command (a safe code), how long it is put off, and whether Temporal calls it invalid, for now or for good. */
export type Setback = { problem: string; delayMs: number; refused?: boolean; dead?: boolean }

/** Puts a command off. */
export const commandFailed = (
  trx: Db,
  id: string,
  { problem, delayMs, refused = false, dead = false }: Setback,
) =>
  trx
    .updateTable('outbox')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      nextTryAt: inMs(delayMs),
      problem,
      ...(refused && { refusedAt: eb.fn.coalesce('refusedAt', inMs(0)) }),
      ...(dead && { deadAt: inMs(0) }),
    }))
    .where('id', '=', id)
    .where('dispatchedAt', 'is', null)
    .execute()

/**
 * Commands of all workspaces that were given up, or have failed and are retried, oldest first; `after` is the last one read.
 */
export const listStuck = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('outbox')
    .select(['id', 'workspace', 'kind', 'workflowType', 'signal', 'workflowId', 'problem'])
    .select(['attempts', 'refusedAt', 'deadAt', 'nextTryAt'])
    .where('dispatchedAt', 'is', null)
    .where('problem', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Has the relay retry commands that were given up or are put off: these, or all of them; answers how many. */
export async function retryCommands(trx: Db, ids?: string[]): Promise<number> {
  const stuck = trx
    .updateTable('outbox')
    .set({ deadAt: null, refusedAt: null, attempts: 0, nextTryAt: inMs(0) })
    .where('dispatchedAt', 'is', null)
    .where('problem', 'is not', null)
  const retried = ids === undefined ? stuck : stuck.where('id', 'in', ids)
  const { numUpdatedRows } = await retried.executeTakeFirstOrThrow()
  await sql`select ${tellingRelay}`.execute(trx)
  return Number(numUpdatedRows)
}

/** Whether a start of this workflow is in the outbox already. A start that Temporal refused for good is left to an operator. */
export async function isToBeStarted(db: Db, workspace: string, workflow: string) {
  const starts = db
    .selectFrom('outbox')
    .select('id')
    .where('workspace', '=', workspace)
    .where('workflowId', '=', workflow)
    .where('kind', '=', 'start')
  // Two separate queries, so that each searches only the few commands in its state and not all that were ever carried out.
  const dead = starts.where('deadAt', 'is not', null)
  const waiting = starts.where('dispatchedAt', 'is', null).where('deadAt', 'is', null)
  return (await waiting.unionAll(dead).limit(1).executeTakeFirst()) !== undefined
}

/** Whether a command has waited for longer than it takes to carry one out. The first that is found answers it. */
export async function isOutboxBehind(db: Db): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (select from outbox
      where dispatched_at is null and dead_at is null and created_at < clock_timestamp() - interval '5 seconds') as behind`.execute(
    db,
  )
  return rows[0]?.behind ?? false
}
