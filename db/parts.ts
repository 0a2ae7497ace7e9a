import { sql } from 'kysely'
import { prefixOf } from '../rules/search/searched.ts'
import { partsQueryOf } from '../rules/search/words.ts'
import { type Db, inOneTrip } from './database.ts'

/** A list that has more than this of what is looked for meets a page of them on the way through it. */
export const mostFound = 20_000

/** Of so many that are looked at first, those that have a text are enough of a list to be met on the way. */
const probed = 1_000
const manyOfProbed = 20

/**
 * The people or conversations in whose words a text may stand: all that have it, and some that do not. Undefined if there are many, or
 * if the text has no word. The lists of the index are read whole, whatever Postgres expects of them, so a look at some rows comes
 * before: of a text that many have they are long.
 */
export async function findByParts(
  db: Db,
  workspace: string,
  kind: 'person' | 'conversation',
  text: string,
): Promise<string[] | undefined> {
  const query = partsQueryOf(prefixOf(workspace, kind), text)
  if (query === undefined) return undefined
  const { rows: looked } = await sql<{ found: number }>`
    select count(*)::int as found from (
      select words from search_words where workspace = ${workspace} and kind = ${kind}
      order by at desc, ref desc limit ${sql.lit(probed)}) newest
    where ts_match_vq(words, ${query}::tsquery)`.execute(db)
  if ((looked[0]?.found ?? 0) >= manyOfProbed) return undefined
  const rows = await inOneTrip<{ ref: string }>(db, () => [
    sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
      set_config('enable_bitmapscan', 'on', true), set_config('jit', 'off', true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`.compile(db),
    sql<{ ref: string }>`select ref from search_words
      where words @@ ${query}::tsquery and workspace = ${workspace} limit ${sql.lit(mostFound + 1)}`.compile(
      db,
    ),
  ])
  return rows.length > mostFound ? undefined : rows.map(({ ref }) => ref)
}

/** For a query of people: whether a text may stand in the words of one. It costs a tenth of looking for it on the card. */
export function mayHaveParts(workspace: string, text: string) {
  const query = partsQueryOf(prefixOf(workspace, 'person'), text)
  if (query === undefined) return sql<boolean>`true`
  return sql<boolean>`(select ts_match_vq(w.words, ${query}::tsquery) from search_words w
    where w.workspace = ${workspace} and w.kind = 'person' and w.ref = people.id)`
}
