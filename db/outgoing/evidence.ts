import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { forgetInPages, forgottenAtOnce, type Looked } from '../forgetting.ts'

/**
 * Deletes the evidence of before, in batches, and answers how much that was. A letter that may be unconfirmed needs it, and none is for
 * so long without somebody having looked: that of one that still is stays.
 */
export const forgetEvidence = (db: Db, before: Date, beat: () => void = () => {}) =>
  forgetInPages(
    '',
    async (at, id) => {
      const { rows } = await sql<Looked>`
        with past as materialized (
          select e.workspace, e.message_id, e.at,
            not exists (select from messages m
              where m.workspace = e.workspace and m.message_id = e.message_id and m.state = 'sending' offset 0)
            and not exists (select from touches t
              where t.workspace = e.workspace and t.message_id = e.message_id and t.state = 'sending' offset 0)
            and not exists (select from invitations i
              where i.workspace = e.workspace and i.message_id = e.message_id and i.state = 'sending' offset 0) as gone
          from sent_evidence e
          where e.at < ${before} and e.at >= ${at}::timestamptz and (e.at, e.message_id) > (${at}::timestamptz, ${id})
          order by e.at, e.message_id limit ${forgottenAtOnce}),
        forgotten as (
          delete from sent_evidence e using past
          where past.gone and e.workspace = past.workspace and e.message_id = past.message_id)
        select at::text, message_id as id, gone from past order by past.at, message_id`.execute(db)
      return rows
    },
    beat,
  )

/** Evidence that a letter went: an inbound message refers to its Message-ID, or it is in a Sent folder. */
export async function isReferredTo(db: Db, workspace: string, messageId: string): Promise<boolean> {
  const referring = db
    .selectFrom('messages')
    .select('workspace')
    .where('workspace', '=', workspace)
    .where('direction', '=', 'inbound')
    .where('inReplyTo', '=', messageId)
    .where('suspect', '=', false)
    .where((eb) => eb.or([eb('report', 'is', null), sql<SqlBool>`(report ->> 'proven')::boolean`]))
  const filed = db
    .selectFrom('sentEvidence')
    .select('workspace')
    .where('workspace', '=', workspace)
    .where('messageId', '=', messageId)
  return (await referring.unionAll(filed).limit(1).executeTakeFirst()) !== undefined
}
