import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../database.ts'

// What is deleted of a workspace, in an order in which nothing refers to what goes: a page is a short transaction, and rows that hang
// on others go with them (on delete cascade). test/db/erasure/every-table.test.ts holds the list to the schema.

type Rows = {
  table: string
  /** How many rows a page takes: fewer of those to which rows of large tables refer, or that are large themselves. */
  most?: number
  /** Where its rows are found by those that they belong to, because no index leads to them by the workspace. */
  of?: { table: string; by: string; key?: string }
  /** It has no column of the workspace. */
  bare?: true
}

const usual = 500

export const workspaceRows: readonly Rows[] = [
  { table: 'outbox', most: 5_000 },
  { table: 'deliveries', of: { table: 'webhooks', by: 'webhook' }, bare: true },
  { table: 'events' },
  { table: 'event_readers' },
  { table: 'webhooks' },
  { table: 'letter_tests' },
  { table: 'touches', of: { table: 'campaigns', by: 'campaign' } },
  { table: 'campaigns', most: 10 },
  { table: 'invitations' },
  { table: 'meetings' },
  { table: 'meeting_checks' },
  { table: 'calendars' },
  { table: 'prepared_messages' },
  { table: 'tasks' },
  { table: 'messages', most: 100 },
  { table: 'files', most: 50 },
  { table: 'letter_ids' },
  { table: 'sent_evidence' },
  { table: 'conversations', most: 100 },
  { table: 'labels' },
  {
    table: 'import_rows',
    of: { table: 'imports', by: 'operation', key: 'operation' },
    bare: true,
  },
  { table: 'imports', most: 5 },
  { table: 'segment_people', of: { table: 'segments', by: 'segment' }, bare: true },
  { table: 'segments', most: 10 },
  { table: 'deals' },
  { table: 'merged_people' },
  { table: 'people', most: 200 },
  { table: 'addresses' },
  { table: 'person_fields' },
  { table: 'prospects' },
  { table: 'search_words' },
  { table: 'suppressions' },
  { table: 'erased_addresses' },
  { table: 'erasures' },
  { table: 'routing_batches' },
  { table: 'routing_rules' },
  { table: 'routing' },
  { table: 'archives' },
  { table: 'verifications' },
  { table: 'connect_tickets' },
  { table: 'holds' },
  { table: 'sandbox_letters' },
  { table: 'logins' },
  { table: 'folders' },
  { table: 'mailboxes', of: { table: 'connections', by: 'connection' }, bare: true },
  { table: 'connections', most: 1 },
  { table: 'notifications', of: { table: 'members', by: 'member' } },
  { table: 'audit' },
  { table: 'tokens' },
  { table: 'admin_tokens' },
  { table: 'agents', most: 5 },
  { table: 'companies', most: 20 },
  { table: 'products', most: 20 },
  { table: 'members', most: 1 },
  // What goes above is written here.
  { table: 'stored_bytes' },
]

/** Rows of the workspace in a table. */
function rowsOf({ table, of }: Rows, workspace: string): RawBuilder<unknown> {
  if (!of) return sql`from ${sql.table(table)} one where one.workspace = ${workspace}`
  return sql`from ${sql.table(of.table)} whole join ${sql.table(table)} one
    on one.${sql.ref(of.by)} = whole.${sql.ref(of.key ?? 'id')} where whole.workspace = ${workspace}`
}

/** Deletes a page of a table; answers how many rows went, without those that hung on them. */
export async function deletePage(trx: Trx, rows: Rows, workspace: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(rows.table)} where ${rows.bare ? sql`` : sql`workspace = ${workspace} and `}ctid = any(array(
      select one.ctid ${rowsOf(rows, workspace)} limit ${sql.lit(rows.most ?? usual)}))`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
}

/** A table that still has rows of the workspace, because work that was under way when it was stopped has added some. */
export async function findLeft(trx: Trx, workspace: string): Promise<string | undefined> {
  for (const rows of workspaceRows) {
    const { rows: found } = await sql`select ${rowsOf(rows, workspace)} limit 1`.execute(trx)
    if (found.length > 0) return rows.table
  }
  return undefined
}

/** The operations of the workspace but that of its erasure, with the rows that hang on them. */
export async function deleteOperations(trx: Trx, workspace: string, but: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from operations where workspace = ${workspace} and id = any(array(
      select id from operations where workspace = ${workspace} and id <> ${but} limit ${sql.lit(usual)}))`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
}

/** What stands in no row of its own: the key of its erased addresses, and what its file said when it was last applied. */
export async function deleteSettings(trx: Trx, workspace: string): Promise<void> {
  await trx.deleteFrom('erasureKeys').where('id', '=', workspace).execute()
  await trx
    .deleteFrom('settings')
    .where('name', '=', `workspace-file-last-applied:${workspace}`)
    .execute()
}
