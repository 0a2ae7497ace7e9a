import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import type { Mailboxes } from './tables.ts'

// How far the folders of mailboxes have been read.

/** `nextUid`: all UIDs below have been read. `hidden`: how many mails the server counts there and does not show. */
export type Place = { uidValidity: string; nextUid: number; hidden: number }

const placeOf = ({
  uidValidity,
  nextUid,
  hidden,
}: Pick<Selectable<Mailboxes>, 'uidValidity' | 'nextUid' | 'hidden'>): Place => ({
  uidValidity,
  nextUid: Number(nextUid),
  hidden,
})

/** By the paths of the folders. */
export async function listPlaces(db: Db, connection: string): Promise<Map<string, Place>> {
  const rows = await db
    .selectFrom('mailboxes')
    .select(['folder', 'uidValidity', 'nextUid', 'hidden'])
    .where('connection', '=', connection)
    .execute()
  return new Map(rows.map(({ folder, ...row }) => [folder, placeOf(row)]))
}

export async function findPlace(db: Db, connection: string, folder: string) {
  const row = await db
    .selectFrom('mailboxes')
    .select(['uidValidity', 'nextUid', 'hidden'])
    .where('connection', '=', connection)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row && placeOf(row)
}

/** Call it in the transaction that stores what was read. */
export function keepPlace(db: Db, connection: string, folder: string, place: Place) {
  const row = { ...place, nextUid: String(place.nextUid) }
  return db
    .insertInto('mailboxes')
    .values({ connection, folder, ...row })
    .onConflict((oc) => oc.columns(['connection', 'folder']).doUpdateSet(row))
    .execute()
}
