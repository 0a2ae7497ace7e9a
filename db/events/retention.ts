import { sql } from 'kysely'
import type { Db } from '../database.ts'

// What a workspace keeps for a number of days only, as its operator's file says.

const dayMs = 24 * 60 * 60_000
/** The rows of a transaction. */
const pageRows = 1_000
/** Of one kind and workspace in a run: what is left has its turn in the next one. */
const mostPages = 50
const workspacesAtOnce = 500

/** Deletes a page of rows of a workspace from before an instant, oldest first; answers how many. */
const forget = {
  audit: (workspace: string, before: Date) => sql`
    delete from audit where id in (
      select id from audit where workspace = ${workspace} and at < ${before} order by at, id limit ${pageRows})`,
  notifications: (workspace: string, before: Date) => sql`
    delete from notifications where id in (
      select n.id from members m cross join lateral (
        select id from notifications where member = m.id and workspace = ${workspace} and at < ${before}
        order by at, id limit ${pageRows}) n
      where m.workspace = ${workspace} limit ${pageRows})`,
}
type Kept = keyof typeof forget

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
 * Deletes what is past the retention of its workspace, which is measured by the business clock; answers how many rows of each kind
 * went. Workspaces have their turns page by page, so that one with many rows does not keep the others waiting, and a run ends after
 * so many pages of each. `beat` is called between two pages.
 */
export async function forgetPast(db: Db, now: Date, beat: () => void) {
  const gone: Record<Kept, number> = { audit: 0, notifications: 0 }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof listRetentions>> = await listRetentions(db, after)
    after = rows.length === workspacesAtOnce ? rows.at(-1)?.id : undefined
    let turns = rows.flatMap(({ id, retention }) =>
      (Object.keys(forget) as Kept[]).flatMap((kept) => {
        const days = retention?.[kept]
        if (typeof days !== 'number') return []
        return [{ workspace: id, kept, before: new Date(now.getTime() - days * dayMs) }]
      }),
    )
    for (let page = 0; page < mostPages && turns.length > 0; page++) {
      const left: typeof turns = []
      for (const turn of turns) {
        const { numAffectedRows = 0n } = await forget[turn.kept](
          turn.workspace,
          turn.before,
        ).execute(db)
        beat()
        gone[turn.kept] += Number(numAffectedRows)
        if (numAffectedRows === BigInt(pageRows)) left.push(turn)
      }
      turns = left
    }
  }
  return gone
}
