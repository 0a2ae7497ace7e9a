import type { Db, Trx } from '../database.ts'
import { type Inbound, reportOf } from './inbound.ts'
import type { Proof } from './proof.ts'
import { type Met, meet } from './same-mail.ts'

// A mail that lay in Junk was kept as suspect, without effects. Its owner has looked at it and moved it elsewhere: it is now taken
// as if it had just come.

/** `moved` is the message that its owner has moved; `known` any other that is here already. */
export async function meetAgain(db: Db, inbound: Inbound): Promise<Met & Moved> {
  const met = await meet(db, inbound)
  if (!met.known || !(await wasMoved(db, met.known.message, inbound))) return met
  return { ...met, known: undefined, moved: met.known }
}

type Moved = { moved?: Met['known'] }

/** Its words are compared, because a forger may have given another's id, name and date to words of their own. */
async function wasMoved(db: Db, message: string, { suspect, folder, text }: Inbound) {
  if (suspect || folder === undefined) return false
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', message)
    .where('suspect', '=', true)
    .where('folder', '!=', folder)
    .where('text', '=', text)
    .executeTakeFirst()
  return row !== undefined
}

export async function takeOutOfJunk(
  trx: Trx,
  message: string,
  { folder, automated, report }: Inbound,
  proof: Proof | undefined,
): Promise<string> {
  await trx
    .updateTable('messages')
    .set({
      suspect: false,
      folder: folder ?? null,
      automated,
      report: report ? JSON.stringify(reportOf(report, proof)) : null,
    })
    .where('id', '=', message)
    .execute()
  return message
}
