import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

// Messages that wait for their time, laid into the tables as the API leaves them: copies of one that it has accepted, each in
// a conversation of its own. The relay and the worker treat them as any other.

/** What the copies do not take over: what the database numbers itself, and what the worker has written since. */
const fresh = {
  conversations: { left: ['seq'], reset: {} },
  messages: { left: ['seq'], reset: {} },
  operations: {
    left: [],
    reset: {
      state: 'accepted',
      owner_run: null,
      run_id: null,
      started_at: null,
      waiting_for: null,
      waiting_until: null,
    },
  },
  outbox: { left: ['id'], reset: { dispatched_at: null, attempts: 0 } },
} satisfies Record<string, { left: string[]; reset: object }>

/** Copies a waiting message of the workspace `n` times. `from` distinguishes the copies of one call from those of another. */
export async function laySleepers(
  db: Db,
  workspace: string,
  { n, from }: { n: number; from: number },
) {
  const { operation, key, message, conversation } = await db
    .selectFrom('messages')
    .innerJoin('operations', 'operations.id', 'messages.operation')
    .select(['operations.id as operation', 'key', 'messages.id as message', 'conversation'])
    .where('messages.workspace', '=', workspace)
    .where('operations.state', '=', 'waiting')
    .orderBy('messages.id')
    .executeTakeFirstOrThrow()
  const originals = {
    conversations: sql`t.id = ${conversation}`,
    messages: sql`t.id = ${message}`,
    operations: sql`t.id = ${operation}`,
    outbox: sql`t.operation = ${operation} and t.kind = 'start'`,
  }
  await db.transaction().execute(async (trx) => {
    for (const [table, { left, reset }] of Object.entries(fresh)) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`.execute(
        trx,
      )
      const columns = rows.map(({ name }) => name).filter((name) => !left.includes(name as never))
      const copy = [key, message, conversation].reduce(
        (text, id) => sql`replace(${text}, ${id}, ${id} || 'x' || i)`,
        sql`to_jsonb(t)::text`,
      )
      await sql`
        insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        select ${sql.join(columns.map((name) => sql`made.${sql.ref(name)}`))}
        from ${sql.table(table)} t, generate_series(${sql.lit(from)}::integer, ${sql.lit(from + n - 1)}::integer) i,
          jsonb_populate_record(t, ${copy}::jsonb || ${JSON.stringify(reset)}::jsonb) made
        where ${originals[table as keyof typeof originals]}`.execute(trx)
    }
  })
}
