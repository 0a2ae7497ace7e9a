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

export async function up(db: Kysely<unknown>): Promise<void> {
  await dropSecond(db, 'addresses', 'value', ['workspace', 'kind'])
  await dropSecond(db, 'suppressions', 'address', ['workspace', 'reason'])
  for (const [table, column] of columns) await rewrite(db, table, column)
  await sql`update addresses set given = value where kind = 'email' and given <> value`.execute(db)
}

/** Nothing: both spellings name the same mailbox. */
export async function down(): Promise<void> {}

/** Of rows with the same address, the one in Unicode stays. */
async function dropSecond(db: Kysely<unknown>, table: string, column: string, key: string[]) {
  const names = sql.join(key.map((name) => sql.ref(name)))
  const address = sql.ref(column)
  await sql`delete from ${sql.table(table)} where ctid in (
    select place from (
      select t.ctid as place, old.now is not null as is_old, row_number() over (
        partition by ${names}, coalesce(old.now, ${address}) order by old.now is not null, t.ctid) as n
      from ${sql.table(table)} t left join ${await oldOf(db, table, column)} on old.was = ${address}) numbered
    where is_old and n > 1)`.execute(db)
}

async function rewrite(db: Kysely<unknown>, table: string, column: string) {
  await sql`update ${sql.table(table)} t set ${sql.ref(column)} = old.now
    from ${await oldOf(db, table, column)} where t.${sql.ref(column)} = old.was`.execute(db)
}

/** What is to be rewritten in a column, as the rows `old (was, now)`. */
async function oldOf(db: Kysely<unknown>, table: string, column: string) {
  const name = sql.ref(column)
  const { rows } = await sql<{ was: string }>`
    select distinct ${name} as was from ${sql.table(table)}
    where ${name} ~* '@.*xn--' or ${name} ~ '@.*[^\\x01-\\x7f]'`.execute(db)
  const old = rows
    .map(({ was }) => ({ was, now: inUnicode(was) }))
    .filter(({ was, now }) => was !== now)
  return sql`json_to_recordset(${JSON.stringify(old)}::json) as old (was text, now text)`
}
