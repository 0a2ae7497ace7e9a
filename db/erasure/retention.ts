import { sql } from 'kysely'
import { type Db, type Trx, takeLong } from '../database.ts'
import type { Kept } from '../workspace/tables.ts'
import { forgetStrangers } from './strangers.ts'
import {
  type Forgotten,
  forgetFailedTouches,
  forgetFiles,
  forgetMessages,
  forgetNotes,
  type Past,
} from './words.ts'

// What a workspace keeps for a number of days only, as its operator's file says. Audit lines and notifications are deleted; of
// conversations the words and files go, and ids, instants, states and addresses stay (words.ts).

const dayMs = 24 * 60 * 60_000
/** The rows of a transaction that only deletes. */
const pageRows = 1_000
/** Of one kind and workspace in a run: what is left has its turn in the next one. */
const mostPages = 50
const workspacesAtOnce = 500

type Forget = (trx: Trx, past: Past, after: string[]) => Promise<Forgotten>

const deleted =
  (statement: (past: Past) => ReturnType<typeof sql>): Forget =>
  async (trx, past) => {
    const { numAffectedRows = 0n } = await statement(past).execute(trx)
    const rows = Number(numAffectedRows)
    return { rows, after: rows === pageRows ? [] : undefined }
  }

/** Each removes a page, oldest first. */
const forget: Record<Kept, Forget[]> = {
  audit: [
    deleted(
      ({ workspace, before }) => sql`
        delete from audit where id in (
          select id from audit where workspace = ${workspace} and at < ${before} order by at, id limit ${pageRows})`,
    ),
  ],
  notifications: [
    deleted(
      ({ workspace, before }) => sql`
        delete from notifications where id in (
          select n.id from members m cross join lateral (
            select id from notifications where member = m.id and workspace = ${workspace} and at < ${before}
            order by at, id limit ${pageRows}) n
          where m.workspace = ${workspace} limit ${pageRows})`,
    ),
  ],
  inboxWithoutPerson: [forgetStrangers],
  files: [forgetFiles.known, forgetFiles.suspect],
  messages: [forgetMessages.known, forgetMessages.suspect, forgetFailedTouches, forgetNotes],
}

const listRetentions = (db: Db, after: string) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'retention'])
    .where('retention', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(workspacesAtOnce)
    .execute()

/**
 * Removes what is past the retention of its workspace, which is measured by the business clock; answers how many rows of each kind
 * went. A page is a transaction. Workspaces have their turns page by page, so that one with many rows does not keep the others
 * waiting, and a run ends after so many pages of each. `beat` is called between two pages.
 */
export async function forgetPast(db: Db, now: Date, beat: () => void) {
  const gone: Record<Kept, number> = {
    ...{ audit: 0, notifications: 0, messages: 0, files: 0, inboxWithoutPerson: 0 },
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof listRetentions>> = await listRetentions(db, after)
    after = rows.length === workspacesAtOnce ? rows.at(-1)?.id : undefined
    let turns = rows.flatMap(({ id, retention }) =>
      (Object.keys(forget) as Kept[]).flatMap((kept) => {
        const days = retention?.[kept]
        if (typeof days !== 'number') return []
        const [before, acceptedBefore] = [now.getTime(), Date.now()].map(
          (at) => new Date(at - days * dayMs),
        ) as [Date, Date]
        const past: Past = { workspace: id, before, now, acceptedBefore }
        return forget[kept].map((page) => ({ kept, page, past, after: [] as string[] }))
      }),
    )
    for (let page = 0; page < mostPages && turns.length > 0; page++) {
      const left: typeof turns = []
      for (const turn of turns) {
        const { rows, after } = await db.transaction().execute(async (trx) => {
          await takeLong(trx)
          return turn.page(trx, turn.past, turn.after)
        })
        beat()
        gone[turn.kept] += rows
        if (after) left.push({ ...turn, after })
      }
      turns = left
    }
  }
  return gone
}
