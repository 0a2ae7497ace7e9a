import type { Trx } from './database.ts'
import type { Schema } from './schema.ts'

const lockable = [
  ...(['agents', 'campaigns', 'companies', 'connections', 'conversations', 'deals'] as const),
  ...(['meetings', 'members', 'messages', 'people', 'products', 'segments'] as const),
  ...(['touches', 'webhooks', 'workspaces'] as const),
] satisfies (keyof Schema)[]

export type Lockable = (typeof lockable)[number]

export const isLockable = (table: string): table is Lockable =>
  (lockable as readonly string[]).includes(table)

/** Whoever else changes the row waits until the transaction has ended; what refers to it does not. */
export async function lockRow(trx: Trx, table: Lockable, workspace: string, id: string) {
  const rows = trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate()
  if (table === 'workspaces') await rows.execute()
  else await rows.where('workspace', '=', workspace).execute()
}
