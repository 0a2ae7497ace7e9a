import { type RawBuilder, sql } from 'kysely'
import { type QuotaName, type Quotas, type QuotaUse, quotaNames } from '../../rules/quotas.ts'
import type { Db, Trx } from '../database.ts'

// Quotas of a workspace: whether a change stays within them, and what is used of them. What calls add is bounded. What comes in by
// mail, and what campaigns and agents write, is counted and never refused: a mail is not lost because its workspace is full.

/** What a change has added, by quota; of bytes, whether it may have added any. */
export type Added = { [name in Exclude<QuotaName, 'bytes'>]?: number } & { bytes?: true }

/** So many rows of `stored_bytes` are folded into one by who has read them anyway. */
const foldedFrom = 200
const foldedAtOnce = 10_000

/**
 * The first quota that the workspace has exceeded by what this transaction has added. It comes last in the transaction: from now on
 * until its end, no other one of the workspace that asks this goes on, so that together they do not pass a bound.
 */
export async function findExceeded(
  trx: Trx,
  workspace: string,
  added: Added,
): Promise<QuotaUse | undefined> {
  const quotas = await findQuotas(trx, workspace)
  const asked = quotaNames.filter(
    (name) => quotas?.[name] !== undefined && (added[name] === true || Number(added[name]) > 0),
  )
  if (asked.length === 0) return undefined
  await lockQuotas(trx, workspace)
  for (const quota of asked) {
    const most = quotas?.[quota] as number
    if (quota === 'bytes') {
      const { all, own, rows } = await findStored(trx, workspace)
      if (own > 0 && all > most) return { quota, most, used: all - own }
      if (rows > foldedFrom) await foldStored(trx, workspace)
    } else {
      const own = added[quota] as number
      const used = (await counts[quota](trx, workspace, most + own + 1)) - own
      if (used + own > most) return { quota, most, used }
    }
  }
  return undefined
}

/** The quota, if the workspace has no room for one more. As `findExceeded`, and before it is added. */
export async function findFull(
  trx: Trx,
  workspace: string,
  quota: Exclude<QuotaName, 'bytes'>,
): Promise<QuotaUse | undefined> {
  const most = (await findQuotas(trx, workspace))?.[quota]
  if (most === undefined) return undefined
  await lockQuotas(trx, workspace)
  const used = await counts[quota](trx, workspace, most + 1)
  return used < most ? undefined : { quota, most, used }
}

/** What is used of each quota that workspaces have, by workspace; counted up to a little more than the bound. */
export async function usedOf(
  db: Db,
  workspaces: readonly { id: string; quotas: Quotas | null }[],
): Promise<Map<string, QuotaUse[]>> {
  const used = new Map<string, QuotaUse[]>()
  for (const { id, quotas } of workspaces) {
    const uses: QuotaUse[] = []
    for (const quota of quotaNames) {
      const most = quotas?.[quota]
      if (most === undefined) continue
      const count =
        quota === 'bytes'
          ? (await findStored(db, id)).all
          : await counts[quota](db, id, most + countedBeyond)
      uses.push({ quota, most, used: count })
    }
    if (uses.length > 0) used.set(id, uses)
  }
  return used
}
const countedBeyond = 1_000

export const findQuotas = async (db: Db, workspace: string): Promise<Quotas | null> =>
  (
    await db
      .selectFrom('workspaces')
      .select('quotas')
      .where('id', '=', workspace)
      .executeTakeFirst()
  )?.quotas ?? null

const lockQuotas = (trx: Trx, workspace: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quotas ${workspace}`}, 0))`.execute(trx)

type Count = (db: Db, workspace: string, most: number) => Promise<number>

const counting =
  (
    table: 'messages' | 'campaigns' | 'imports' | 'connections',
    condition: RawBuilder<unknown>,
  ): Count =>
  async (db, workspace, most) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from ${sql.table(table)} where workspace = ${workspace} and ${condition} limit ${most}) found`.execute(
      db,
    )
    return rows[0]?.count ?? 0
  }

const counts: Record<Exclude<QuotaName, 'bytes'>, Count> = {
  queuedMessages: counting('messages', sql`state = 'queued'`),
  runningCampaigns: counting('campaigns', sql`state = 'running'`),
  openImports: counting('imports', sql`state = 'running'`),
  connections: counting('connections', sql`removed_at is null`),
}

/** The bytes that a workspace stores, what of it this transaction has added, and in how many rows that stands. */
async function findStored(db: Db, workspace: string) {
  const { rows } = await sql<{ all: number; own: number; rows: number }>`
    select coalesce(sum(bytes), 0)::float8 as all, count(*)::int as rows,
      coalesce(sum(bytes) filter (where xmin::text = pg_current_xact_id_if_assigned()::xid::text), 0)::float8 as own
    from stored_bytes where workspace = ${workspace}`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/**
 * Writes rows of the workspace as one, in one statement: whoever reads meanwhile finds either these or that one. Answers how many
 * went. Two at once count each row once, because a row goes once.
 */
export async function foldStored(db: Db, workspace: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from stored_bytes where workspace = ${workspace} and id = any(array(
        select id from stored_bytes where workspace = ${workspace} order by id limit ${foldedAtOnce} for update skip locked))
        returning bytes),
      one as (insert into stored_bytes (workspace, bytes) select ${workspace}, sum(bytes) from gone having count(*) > 0)
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Folds the rows of all workspaces that have many; calls `beat` between two of them. */
export async function foldAllStored(db: Db, beat: () => void): Promise<void> {
  const { rows } = await sql<{ workspace: string }>`
    select workspace from stored_bytes group by workspace having count(*) > ${foldedFrom}`.execute(
    db,
  )
  for (const { workspace } of rows)
    do beat()
    while ((await foldStored(db, workspace)) === foldedAtOnce)
}
