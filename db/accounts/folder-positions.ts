import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import type { Mailboxes } from './tables.ts'

// How far the folders of mailboxes have been read.

/** `nextUid`: all UIDs below have been read. `hidden`: how many mails the server counts there and does not show. */
export type FolderPosition = { uidValidity: string; nextUid: number; hidden: number }

const positionOf = ({
  uidValidity,
  nextUid,
  hidden,
}: Pick<Selectable<Mailboxes>, 'uidValidity' | 'nextUid' | 'hidden'>): FolderPosition => ({
  uidValidity,
  nextUid: Number(nextUid),
  hidden,
})

/** By the paths of the folders. */
export async function listPositions(
  db: Db,
  connection: string,
): Promise<Map<string, FolderPosition>> {
  const rows = await db
    .selectFrom('mailboxes')
    .select(['folder', 'uidValidity', 'nextUid', 'hidden'])
    .where('connection', '=', connection)
    .execute()
  return new Map(rows.map(({ folder, ...row }) => [folder, positionOf(row)]))
}

export async function findPosition(db: Db, connection: string, folder: string) {
  const row = await db
    .selectFrom('mailboxes')
    .select(['uidValidity', 'nextUid', 'hidden'])
    .where('connection', '=', connection)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row && positionOf(row)
}

/** Call it in the transaction that stores what was read. */
export function keepPosition(db: Db, connection: string, folder: string, position: FolderPosition) {
  const row = { ...position, nextUid: String(position.nextUid) }
  return db
    .insertInto('mailboxes')
    .values({ connection, folder, ...row })
    .onConflict((oc) => oc.columns(['connection', 'folder']).doUpdateSet(row))
    .execute()
}
