import type { Insertable } from 'kysely'
import type { Trx } from './database.ts'
import type { Prospects } from './schema.ts'

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
