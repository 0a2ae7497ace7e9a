import { sql } from 'kysely'
import { problemTold } from '../../rules/answers/told.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'

// What is wrong with an account: it cannot be opened to send, or its mailbox cannot be read. Its member is notified once of a
// problem that lasts. An account that can be opened again need not be tried ever more rarely any more (retries.ts).

export type Part = 'sending' | 'reading'

// Who has to consent is notified at once and by itself (logins.ts).
const toldElsewhere = 'consent_needed'

// A problem that is over by then, such as a restart of the server, is not worth a notification.
const tellAfterMs = 60_000

const row = (db: Db, part: Part, connection: string) =>
  part === 'sending'
    ? db
        .selectFrom('connections')
        .select(['problem', 'problemSince', 'toldAt', 'retryAt'])
        .where('id', '=', connection)
    : db
        .selectFrom('mailboxReaders')
        .select(['problem', 'problemSince', 'toldAt', sql<null>`null`.as('retryAt')])
        .where('connection', '=', connection)

type Marks = { problem: string | null; problemSince: Date | null; toldAt: Date | null }

const write = (trx: Trx, part: Part, connection: string, marks: Marks, now: Date) =>
  part === 'sending'
    ? trx
        .updateTable('connections')
        .set({
          ...marks,
          checkedAt: now,
          ...(marks.problem === null && { retryAt: null, retry: null }),
        })
        .where('id', '=', connection)
        .execute()
    : trx.updateTable('mailboxReaders').set(marks).where('connection', '=', connection).execute()

/**
 * Notes that an account cannot be opened or read (a safe code), or that it can (null). Given a code, it answers since when the
 * account has failed; given null, since when it had failed until now, if it had. `now` is of the business clock.
 */
export async function noteProblem(
  db: Db,
  part: Part,
  connection: string,
  problem: string | null,
  now: Date,
): Promise<Date | null> {
  const known = await row(db, part, connection).executeTakeFirst()
  const isWell = !known?.problem && !known?.problemSince && !known?.retryAt
  if (!known || (problem === null && isWell)) return null
  return db.transaction().execute(async (trx) => {
    const before = await row(trx, part, connection).forUpdate().executeTakeFirst()
    if (!before) return null
    const since = before.problemSince ?? now
    if (problem === null) {
      await write(trx, part, connection, { problem, problemSince: null, toldAt: null }, now)
      if (before.toldAt) await tellMember(trx, part, connection, null, now)
      return before.problemSince
    }
    const isLasting =
      problem !== toldElsewhere &&
      before.toldAt === null &&
      now.getTime() - since.getTime() >= tellAfterMs
    const toldAt = isLasting ? now : before.toldAt
    await write(trx, part, connection, { problem, problemSince: since, toldAt }, now)
    if (isLasting) await tellMember(trx, part, connection, problem, now)
    return since
  })
}

async function tellMember(
  trx: Trx,
  part: Part,
  connection: string,
  problem: string | null,
  at: Date,
) {
  const account = await trx
    .selectFrom('connections')
    .select(['workspace', 'member', 'name', 'account'])
    .where('id', '=', connection)
    .executeTakeFirst()
  if (!account) return
  const { workspace, member, name } = account
  await recordEvent(trx, {
    workspace,
    at,
    resource: connection,
    kind: problem === null ? 'channel.recovered' : 'channel.failed',
    data: { connection, part, problem },
  })
  if (problem === null) return
  const text = problemTold(name || account.account, part, problem)
  await notify(trx, { workspace, member, at, kind: 'channel.failed', text })
}
