import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { operationProgress } from '../operations/operations.ts'

// The channels of a parse, each with its own cursor: one that cannot be read now waits while the others continue.

export const insertChannels = (trx: Trx, archive: string, channels: string[]) =>
  channels.length === 0
    ? undefined
    : trx
        .insertInto('archiveChannels')
        .values(channels.map((channel, position) => ({ archive, channel, position })))
        .execute()

/** The channels that have not been read to their end, in order. */
export const listOpenChannels = (db: Db, archive: string) =>
  db
    .selectFrom('archiveChannels')
    .select(['channel', 'cursor', 'total', 'problem'])
    .where('archive', '=', archive)
    .where('ended', '=', false)
    .orderBy('position')
    .execute()

export type OpenChannel = Awaited<ReturnType<typeof listOpenChannels>>[number]

/** Notes how much a channel holds. The parse has a total once every channel has one. */
export async function channelCounted(
  db: Db,
  { id, operation }: { id: string; operation: string | null },
  channel: string,
  total: number,
) {
  await db
    .updateTable('archiveChannels')
    .set({ total })
    .where('archive', '=', id)
    .where('channel', '=', channel)
    .execute()
  const { rows } = await sql<{ done: number; total: number }>`
    update archives set total = greatest(done, counted.total)
    from (select sum(total)::int as total from archive_channels
      where archive = ${id} having count(*) = count(total)) counted
    where id = ${id} and state = 'running' returning done, archives.total`.execute(db)
  const [row] = rows
  if (row && operation) await operationProgress(db, operation, row.done, row.total)
}

/** Notes why a channel cannot be read, by a safe code, or that it can. */
export const noteChannelProblem = (
  db: Db,
  archive: string,
  channel: string,
  problem: string | null,
) =>
  db
    .updateTable('archiveChannels')
    .set({ problem })
    .where('archive', '=', archive)
    .where('channel', '=', channel)
    .execute()

/**
 * Moves the cursor of a channel from one value to the next, null for the end; false if the cursor is not at the given value.
 */
export async function moveChannel(
  trx: Trx,
  archive: string,
  { channel, cursor }: Pick<OpenChannel, 'channel' | 'cursor'>,
  next: string | null,
): Promise<boolean> {
  const row = await trx
    .updateTable('archiveChannels')
    .set(next === null ? { ended: true } : { cursor: next })
    .where('archive', '=', archive)
    .where('channel', '=', channel)
    .where('cursor', '=', cursor)
    .where('ended', '=', false)
    .returning('channel')
    .executeTakeFirst()
  return row !== undefined
}
