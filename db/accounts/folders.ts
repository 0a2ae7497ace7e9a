import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The messenger folders of a workspace, by name, with how many conversations lie in each. */
export const listFolders = (db: Db, workspace: string) =>
  db
    .selectFrom('folders')
    .select(['id', 'name', 'connection as channel'])
    .select(
      sql<number>`(select count(*)::int from conversations c
        where c.workspace = folders.workspace and c.folder = folders.id)`.as('conversations'),
    )
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()
