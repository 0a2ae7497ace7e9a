import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Messages as pages: their HTML, and the images in it.

/** The HTML of a message, null if it has none; undefined if there is no such message. */
export const findPage = (db: Db, workspace: string, message: string) =>
  db
    .selectFrom('messages')
    .select(['id', 'html'])
    .where('workspace', '=', workspace)
    .where('id', '=', message)
    .executeTakeFirst()

/** The files of a message that its HTML may show, in order. `head` is the beginning of the content. */
export const listShowable = (db: Db, workspace: string, message: string) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'type', 'size', 'cid'])
    .select(sql<Buffer>`substring(content for 16)`.as('head'))
    .where('workspace', '=', workspace)
    .where('message', '=', message)
    .orderBy('seq')
    .limit(200)
    .execute()
