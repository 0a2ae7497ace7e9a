import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import {
  isSealedNow,
  keyId,
  SealError,
  type SealedColumn,
  type SecretKey,
  seal,
  sealedColumns,
  unseal,
} from './secrets.ts'

// Every sealed text in the database, in all workspaces: which key each is sealed under, and how to seal it under another.

const pageRows = 500
const mostPasses = 20

export type Resealed = {
  /** Sealed under the present key by this run. */
  sealed: number
  /** Already sealed under the present key. */
  kept: number
  /** One sentence for each text that none of the given keys opens. Such a text is left unchanged. */
  unreadable: string[]
}

/**
 * Seals a column under the present key while everything runs: row by row, and only if the row still holds the text that was
 * read, so that a concurrent write by a client or an operator stands. After a crash, a new run continues with the rest. A
 * process that still seals under the former key may write after this run has passed; the next run finds that text, and the last
 * run finds nothing.
 */
export async function resealColumn(
  db: Db,
  secretKey: SecretKey,
  column: SealedColumn,
): Promise<Resealed> {
  let pass = await resealOnce(db, secretKey, column)
  let { sealed } = pass
  const { kept } = pass
  for (let passes = 1; passes < mostPasses; passes++) {
    if (pass.sealed + pass.missed === 0) return { sealed, kept, unreadable: pass.unreadable }
    pass = await resealOnce(db, secretKey, column)
    sealed += pass.sealed
  }
  throw new Error(`${column}: others keep sealing under another key; start them with the new one.`)
}

async function resealOnce(db: Db, secretKey: SecretKey, column: SealedColumn) {
  const done = { sealed: 0, kept: 0, missed: 0, unreadable: [] as string[] }
  for await (const { id, text } of sealedTexts(db, column)) {
    if (isSealedNow(secretKey, text)) {
      done.kept++
      continue
    }
    const place = { in: column, id }
    try {
      const anew = seal(secretKey, unseal(secretKey, text, place), place)
      if (await replaceText(db, column, id, text, anew)) done.sealed++
      else done.missed++
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      done.unreadable.push(error.message)
    }
  }
  return done
}

const leastAdvised = 32

/** What an operator should know about the keys when a process starts: a sentence each, without anything private. */
export async function findKeyTrouble(db: Db, secretKey: SecretKey): Promise<string[]> {
  const foreign = Object.entries(await countForeign(db, secretKey))
  return [
    ...foreign.map(
      ([key, count]) =>
        `${count} secrets are sealed under a SECRET_KEY with the id ${key}, which this process does not have (its own is ${keyId(secretKey.current)}): set it as SECRET_KEY_PREVIOUS`,
    ),
    ...(secretKey.current.length < leastAdvised
      ? [
          `SECRET_KEY has fewer than ${leastAdvised} characters: openssl rand -hex 32 makes a better one`,
        ]
      : []),
  ]
}

/** The number of secrets sealed under keys that were not given, by the id of the key; sealed answers are not counted. */
async function countForeign(db: Db, secretKey: SecretKey): Promise<Record<string, number>> {
  const known = [secretKey.current, secretKey.previous].flatMap((key) => (key ? [keyId(key)] : []))
  const counts = await sql<{ key: string; count: number }>`
    select split_part(text, ':', 2) as key, count(*)::int as count
    from (select secrets as text from connections union all select secrets from calendars
      union all select secret from webhooks union all select access_token from logins
      union all select refresh_token from logins union all select secrets from verifications
      union all select secret from erasure_keys) as sealed
    where text like 'v1:%' group by 1 order by 1`.execute(db)
  return Object.fromEntries(
    counts.rows.filter(({ key }) => !known.includes(key)).map(({ key, count }) => [key, count]),
  )
}

async function* sealedTexts(db: Db, column: SealedColumn) {
  const { table } = sealedColumns[column]
  let after = ''
  for (;;) {
    const page = await sql<{ id: string; text: string | null }>`
      select id, ${textOf(column)} as text from ${sql.table(table)}
      where id > ${after} order by id limit ${pageRows}`.execute(db)
    for (const { id, text } of page.rows) if (text !== null) yield { id, text }
    const last = page.rows.at(-1)
    if (!last) return
    after = last.id
  }
}

// Few answers are sealed; all others, and every refusal, are JSON objects.
const textOf = (column: SealedColumn): RawBuilder<string | null> =>
  column === 'operations.answerBody'
    ? sql`case when answer_status = 200 and left(answer_body, 1) <> '{' then answer_body end`
    : sql`${sql.ref(sealedColumns[column].column)}`

/** False if somebody has written another text meanwhile. */
async function replaceText(db: Db, place: SealedColumn, id: string, old: string, anew: string) {
  const { table, column } = sealedColumns[place]
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
    where id = ${id} and ${sql.ref(column)} = ${old}`.execute(db)
  return numAffectedRows === 1n
}
