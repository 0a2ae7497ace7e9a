import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'

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
