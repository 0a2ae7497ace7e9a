import type { Insertable } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { FindChannel } from '../segments/tables.ts'
import type { Prospects } from './tables.ts'

// A Postgres statement takes at most 65535 parameters.
const atOnce = 1000

/** Replaces all prospects of a workspace with these. */
export async function replaceProspects(trx: Trx, workspace: string, rows: Insertable<Prospects>[]) {
  await trx.deleteFrom('prospects').where('workspace', '=', workspace).execute()
  for (let i = 0; i < rows.length; i += atOnce)
    await trx
      .insertInto('prospects')
      .values(rows.slice(i, i + atOnce))
      .execute()
}

/** The next `limit` prospects who can be reached on a channel, by id after `after`. */
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
