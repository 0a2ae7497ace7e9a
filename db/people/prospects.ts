import type { Insertable } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { FindChannel } from '../segments/tables.ts'
import type { Prospects } from './tables.ts'

// 65535 parameters are the most a statement of Postgres takes.
const atOnce = 1000

/** Puts these in the place of all prospects of a workspace. */
export async function replaceProspects(trx: Trx, workspace: string, rows: Insertable<Prospects>[]) {
  await trx.deleteFrom('prospects').where('workspace', '=', workspace).execute()
  for (let i = 0; i < rows.length; i += atOnce)
    await trx
      .insertInto('prospects')
      .values(rows.slice(i, i + atOnce))
      .execute()
}

/** The next `limit` prospects, by id after `after`, who can be reached on a channel. */
export const listProspects = (
  db: Db,
  workspace: string,
  channel: FindChannel,
  after: string,
  limit: number,
) =>
  db
    .selectFrom('prospects')
    .select(['id', 'name', 'email', 'phone', 'linkedin', 'company', 'city', 'jobTitle'])
    .where('workspace', '=', workspace)
    .where(channel === 'email' ? 'email' : 'linkedin', '<>', '')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
