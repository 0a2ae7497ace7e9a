import { type Kysely, sql } from 'kysely'
import { inUnicode } from '../../rules/addresses.ts'

// A domain that is encoded in ASCII (xn--…) and the same one in Unicode were two addresses. All are kept in Unicode now. Where
// two cards had one address, the card that had it in Unicode keeps it.

const columns = [
  ['messages', 'sender_handle'],
  ['messages', 'to_address'],
  ['touches', 'to_address'],
  ['invitations', 'address'],
  ['addresses', 'value'],
  ['suppressions', 'address'],
] as const

export const up = (db: Kysely<unknown>): Promise<void> =>
  rewriteAddresses(db, [`@.*xn--`, `@.*[^\\x01-\\x7f]`], inUnicode)

/** Nothing: both spellings name the same mailbox. */
export async function down(): Promise<void> {}

type Form = (address: string) => string

/**
 * Gives every address that one of the patterns fits, whatever its case, the form that `formOf` says. Of two rows with the same
 * address, the one that had this form stays.
 */
export async function rewriteAddresses(db: Kysely<unknown>, patterns: string[], formOf: Form) {
  const oldOf = (table: string, column: string) => listOld(db, table, column, patterns, formOf)
  await dropSecond(db, 'addresses', 'value', ['workspace', 'kind'], oldOf)
  await dropSecond(db, 'suppressions', 'address', ['workspace', 'reason'], oldOf)
  for (const [table, column] of columns)
    await sql`update ${sql.table(table)} t set ${sql.ref(column)} = old.now
      from ${await oldOf(table, column)} where t.${sql.ref(column)} = old.was`.execute(db)
  await sql`update addresses set given = value where kind = 'email' and given <> value`.execute(db)
}

type OldOf = (table: string, column: string) => ReturnType<typeof listOld>

async function dropSecond(
  db: Kysely<unknown>,
  table: string,
  column: string,
  key: string[],
  oldOf: OldOf,
) {
  const names = sql.join(key.map((name) => sql.ref(name)))
  const address = sql.ref(column)
  await sql`delete from ${sql.table(table)} where ctid in (
    select place from (
      select t.ctid as place, old.now is not null as is_old, row_number() over (
        partition by ${names}, coalesce(old.now, ${address}) order by old.now is not null, t.ctid) as n
      from ${sql.table(table)} t left join ${await oldOf(table, column)} on old.was = ${address}) numbered
    where is_old and n > 1)`.execute(db)
}

/** What is to be rewritten in a column, as the rows `old (was, now)`. */
async function listOld(
  db: Kysely<unknown>,
  table: string,
  column: string,
  patterns: string[],
  formOf: Form,
) {
  const name = sql.ref(column)
  const { rows } = await sql<{ was: string }>`
    select distinct ${name} as was from ${sql.table(table)} where ${name} ~* any(${patterns}::text[])`.execute(
    db,
  )
  const old = rows
    .map(({ was }) => ({ was, now: formOf(was) }))
    .filter(({ was, now }) => was !== now)
  return sql`json_to_recordset(${JSON.stringify(old)}::json) as old (was text, now text)`
}
