import { type RawBuilder, sql } from 'kysely'
import { type Db, isOvertaken, type Trx, takeLong } from '../database.ts'
import { inMs } from '../instants.ts'
import { endOperation } from '../operations/operations.ts'
import { stopWorkspace } from './begin-workspace.ts'
import {
  deleteOperations,
  deletePage,
  deleteSettings,
  findLeft,
  workspaceRows,
} from './workspace-rows.ts'

// The rest of the erasure of a workspace, after its call, page by page: each is one transaction with the place after it, so it may be
// cut off anywhere and goes on where it was. What work that was under way adds meanwhile goes with the next round.

/**
 * `waiting`: a letter is with a server. `workflows`: what still runs for the workspace is to be ended, and then `workflowsEnded` called.
 */
export type ErasedPage = {
  is: 'going' | 'waiting' | 'workflows' | 'ended'
  workspace: string
  done: number
  total: number
  rows: number
}

type Work = { trx: Trx; workspace: string; operation: string; now: Date }
/** Answers how many rows went of which table; done: nothing is left. */
type Done = { deleted: Record<string, number>; isDone: boolean } | 'waiting' | 'workflows'

const first: ((work: Work) => Promise<Done>)[] = [
  async ({ trx, workspace, now }) => {
    await stopWorkspace(trx, workspace, now)
    return nothing
  },
  async ({ trx, workspace }) => {
    if (await isInFlight(trx, workspace)) return 'waiting'
    await trx
      .updateTable('workspaceErasures')
      .set({ unconfirmed: await countUnanswered(trx, workspace) })
      .where('workspace', '=', workspace)
      .execute()
    return nothing
  },
  async () => 'workflows',
]
const nothing = { deleted: {}, isDone: true }

const last: ((work: Work) => Promise<Done>)[] = [
  async ({ trx, workspace, operation }) => {
    const operations = await deleteOperations(trx, workspace, operation)
    return { deleted: { operations }, isDone: operations === 0 }
  },
  async ({ trx, workspace }) => {
    await deleteSettings(trx, workspace)
    return nothing
  },
]

const steps = [
  ...first,
  ...workspaceRows.map((rows) => async ({ trx, workspace }: Work): Promise<Done> => {
    const deleted = await deletePage(trx, rows, workspace)
    return { deleted: { [rows.table]: deleted }, isDone: deleted === 0 }
  }),
  ...last,
]
const total = steps.length

/** The erasure of an operation, locked. */
const lockErasure = (trx: Trx, operation: string) =>
  trx
    .selectFrom('workspaceErasures')
    .selectAll()
    .where('operation', '=', operation)
    .forUpdate()
    .executeTakeFirst()

const moveTo = (trx: Trx, workspace: string, step: number, counts: Record<string, number> = {}) =>
  trx
    .updateTable('workspaceErasures')
    .set({ step, ...(Object.keys(counts).length > 0 && { counts: JSON.stringify(counts) }) })
    .where('workspace', '=', workspace)
    .execute()

/** Does the next page. */
export async function eraseWorkspacePage(
  db: Db,
  operation: string,
  now: Date,
): Promise<ErasedPage> {
  try {
    return await db.transaction().execute((trx) => page(trx, operation, now))
  } catch (error) {
    // Work that was under way has added a row to a table that was empty already.
    if (!isOvertaken(error)) throw error
    return db.transaction().execute(async (trx) => {
      const row = await lockErasure(trx, operation)
      if (!row) throw error
      await moveTo(trx, row.workspace, 0)
      return { is: 'going', workspace: row.workspace, done: 0, total, rows: sumOf(row.counts) }
    })
  }
}

async function page(trx: Trx, operation: string, now: Date): Promise<ErasedPage> {
  // What refers to an account is looked for in large tables.
  await takeLong(trx)
  const row = await lockErasure(trx, operation)
  if (!row) return { is: 'ended', workspace: '', done: total, total, rows: 0 }
  const { workspace } = row
  const step = steps[row.step]
  if (!step) {
    const isLeft = (await findLeft(trx, workspace)) !== undefined
    if (isLeft) await moveTo(trx, workspace, 0)
    else await finish(trx, { ...row, operation }, now)
    const is = isLeft ? 'going' : 'ended'
    return { is, workspace, done: isLeft ? 0 : total, total, rows: sumOf(row.counts) }
  }
  const done = await step({ trx, workspace, operation, now })
  const rows = sumOf(row.counts)
  if (typeof done === 'string') return { is: done, workspace, done: row.step, total, rows }
  const counts = { ...row.counts }
  for (const [table, n] of Object.entries(done.deleted))
    if (n > 0) counts[table] = (counts[table] ?? 0) + n
  const next = done.isDone ? row.step + 1 : row.step
  await moveTo(trx, workspace, next, counts)
  return { is: 'going', workspace, done: next, total, rows: sumOf(counts) }
}

const sumOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, n) => sum + n, 0)

/** What still ran for the workspace has been ended. */
export const workflowsEnded = (db: Db, workspace: string) =>
  db
    .updateTable('workspaceErasures')
    .set((eb) => ({ step: eb('step', '+', 1) }))
    .where('workspace', '=', workspace)
    .where('step', '=', first.length - 1)
    .execute()

/** Leaves nothing of the workspace but its id, and ends the operation with the counts. */
async function finish(
  trx: Trx,
  row: {
    workspace: string
    operation: string
    counts: Record<string, number>
    unconfirmed: number
  },
  now: Date,
) {
  await trx
    .updateTable('workspaces')
    .set({ name: '', houseRules: '', billing: null, region: null, retention: null, tagging: false })
    .set({ timezone: 'UTC' })
    .where('id', '=', row.workspace)
    .execute()
  const { workspace: id, counts, unconfirmed } = row
  const result = { id, erased: true, deleted: counts, unconfirmed }
  await endOperation(trx, row.operation, { state: 'done', result }, now)
}

// Nobody renews the lease of a hand-over any more that was with a server so long ago: nobody will know what became of it.
const givenUpMs = 30_000

const sending = (workspace: string, condition: RawBuilder<unknown>) => sql`
  select 1 from messages l where l.workspace = ${workspace} and l.state in ('queued', 'sending') and l.state = 'sending' and ${condition}
  union all
  select 1 from invitations l where l.workspace = ${workspace} and l.state in ('queued', 'sending') and l.state = 'sending' and ${condition}
  union all
  select 1 from campaigns c join touches l on l.campaign = c.id
  where c.workspace = ${workspace} and l.state = 'sending' and ${condition}`

async function isInFlight(trx: Trx, workspace: string): Promise<boolean> {
  const alive = sql`l.reason is null and l.leased_until > ${inMs(-givenUpMs)}`
  const { rows } = await sql`${sending(workspace, alive)} limit 1`.execute(trx)
  return rows.length > 0
}

/** How many letters were handed over of which nobody knows whether they arrived. */
async function countUnanswered(trx: Trx, workspace: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${sending(workspace, sql`true`)}) as unanswered`.execute(trx)
  return rows[0]?.n ?? 0
}

/** Operations of the workspace whose workflows have not ended, but that of its erasure. */
export async function listRunning(db: Db, workspace: string, but: string, most: number) {
  const rows = await db
    .selectFrom('operations')
    .select('id')
    .where('workspace', '=', workspace)
    .where('workflowType', 'is not', null)
    .where('endedAt', 'is', null)
    .where('id', '<>', but)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends operations whose workflows were ended, so that nobody starts them again. */
export async function cancelRunning(db: Db, workspace: string, ids: string[], now: Date) {
  await db
    .deleteFrom('outbox')
    .where('workspace', '=', workspace)
    .where('operation', 'in', ids)
    .execute()
  await db
    .updateTable('operations')
    .set({ state: 'cancelled', endedAt: now, waitingFor: null, waitingUntil: null })
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .where('endedAt', 'is', null)
    .execute()
}

/** Whether this id is that of a workspace that is erased, or was. */
export async function isErased(db: Db, workspace: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspace)
    .where('erasedAt', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Commands for a workspace that are not carried out any more. */
export const deleteCommands = (db: Db, workspace: string, but: string) =>
  db
    .deleteFrom('outbox')
    .where('workspace', '=', workspace)
    .where('dispatchedAt', 'is', null)
    .where('deadAt', 'is', null)
    .where('workflowId', '<>', but)
    .execute()
