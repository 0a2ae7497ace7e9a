import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { recordAudit } from '../events/audit.ts'
import { newId } from '../ids.ts'
import { endOperation, operationProgress } from '../operations/operations.ts'
import { insertChannels } from './channels.ts'

// Parses of the archive: one row for each that was started, with its input, its state and its counts. Callers are shown the
// newest.

const newest = (db: Db, workspace: string) =>
  db
    .selectFrom('archives')
    .selectAll('archives')
    .where('archives.workspace', '=', workspace)
    .orderBy('archives.createdAt', 'desc')
    .orderBy('archives.id', 'desc')
    .limit(1)

/**
 * The newest parse, locked until the transaction ends: a page in progress is finished first. If there is none yet, the advisory
 * lock keeps a start and a decline apart.
 */
export async function lockArchive(trx: Trx, workspace: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`archive ${workspace}`}, 0))`.execute(
    trx,
  )
  return newest(trx, workspace).forUpdate().executeTakeFirst()
}

export type ArchiveRow = NonNullable<Awaited<ReturnType<typeof lockArchive>>>

/** The newest parse with the key of its operation. */
export const findNewestArchive = (db: Db, workspace: string) =>
  newest(db, workspace)
    .leftJoin('operations', 'operations.id', 'archives.operation')
    .select('operations.key')
    .executeTakeFirst()

export type NewArchive = {
  workspace: string
  operation: string
  since: string | null
  channels: string[]
  groups: boolean
  fresh: boolean
}

/** Begins a parse. Only one runs at a time; the caller holds the lock of the newest and has checked that it has ended. */
export async function insertArchive(trx: Trx, archive: NewArchive, now: Date): Promise<string> {
  const id = newId('arc')
  await trx
    .insertInto('archives')
    .values({ id, ...archive, state: 'running', counts: '{}', createdAt: now, startedAt: now })
    .execute()
  await insertChannels(trx, id, archive.channels)
  return id
}

/** Notes that the archive is not to be parsed. If a parse is running or has ended, its results stay. */
export async function declineArchive(
  trx: Trx,
  workspace: string,
  row: ArchiveRow | undefined,
  now: Date,
): Promise<string> {
  if (row) {
    const set = { state: 'declined' as const, endedAt: row.endedAt ?? now }
    await trx.updateTable('archives').set(set).where('id', '=', row.id).execute()
    return row.id
  }
  const id = newId('arc')
  await trx
    .insertInto('archives')
    .values({ id, workspace, state: 'declined', counts: '{}', createdAt: now })
    .execute()
  return id
}

/** A parse with those facts of its workspace that it needs. */
export const findArchive = (db: Db, id: string) =>
  db
    .selectFrom('archives')
    .innerJoin('workspaces', 'workspaces.id', 'archives.workspace')
    .selectAll('archives')
    .select(['workspaces.timezone', 'workspaces.tagging'])
    .where('archives.id', '=', id)
    .executeTakeFirst()

export type RunningArchive = NonNullable<Awaited<ReturnType<typeof findArchive>>>

/**
 * Ends a parse and its operation. A parse that still runs becomes `done` or, with `stopped`, `declined`. The operation of a
 * declined parse ends as cancelled with its results so far. Writes one audit line, notifies nobody. Ending it twice changes nothing.
 */
export const endArchive = (db: Db, id: string, now: Date, stopped = false) =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('archives')
      .leftJoin('operations', 'operations.id', 'archives.operation')
      .selectAll('archives')
      .select(['operations.key', 'operations.endedAt as operationEndedAt'])
      .where('archives.id', '=', id)
      .forUpdate('archives')
      .executeTakeFirst()
    if (!row?.operation || row.operationEndedAt) return
    const state = row.state === 'running' ? (stopped ? 'declined' : 'done') : row.state
    if (row.state === 'running')
      await trx
        .updateTable('archives')
        .set({ state, endedAt: now, ...(state === 'done' && { total: row.done }) })
        .where('id', '=', id)
        .execute()
    const result = { state, done: row.done, ...row.counts }
    const { workspace, key } = row
    const by = { member: null, client: null, key }
    await recordAudit(trx, {
      workspace,
      at: now,
      ...by,
      action: 'archive.parsed',
      resource: id,
      after: result,
    })
    const ended = state === 'done' ? ('done' as const) : ('cancelled' as const)
    await operationProgress(
      trx,
      row.operation,
      row.done,
      state === 'done' ? row.done : (row.total ?? row.done),
    )
    await endOperation(trx, row.operation, { state: ended, result }, now)
  })
