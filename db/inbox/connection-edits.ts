import { sql, type Updateable } from 'kysely'
import { startReaders } from '../accounts/mailboxes.ts'
import type { Connections } from '../accounts/tables.ts'
import { wakeRunners } from '../campaigns/campaigns.ts'
import { hastenRests } from '../conversations/message-turns.ts'
import type { Trx } from '../database.ts'
import { wakeWaiting } from './connected.ts'

// What an application changes of a connection.

/** A connection of the workspace, locked until the transaction ends; undefined if it was removed. */
export const lockAccount = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('connections')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export type AccountRow = NonNullable<Awaited<ReturnType<typeof lockAccount>>>

/** The columns that an edit changes. */
export type AccountEdit = Pick<
  Updateable<Connections>,
  | 'name'
  | 'member'
  | 'limitDay'
  | 'limitWeek'
  | 'gapSeconds'
  | 'smtp'
  | 'imap'
  | 'secrets'
  | 'paused'
>

/**
 * Writes an edit of a locked connection. With other servers or another password, and when a pause ends, all that waits for it is
 * tried at once; while it is paused, nothing is claimed and its mailbox is left.
 */
export async function editAccount(trx: Trx, before: AccountRow, edit: AccountEdit, now: Date) {
  const { id, workspace } = before
  const isNew = 'smtp' in edit || 'imap' in edit || 'secrets' in edit
  const isMoved = edit.paused !== undefined && edit.paused !== before.paused
  const fresh = { alive: true, checkedAt: null, ...well }
  const imap = await trx
    .updateTable('connections')
    .set({ ...edit, ...(isNew && fresh) })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .returning(sql<boolean>`imap is not null`.as('isRead'))
    .executeTakeFirstOrThrow()
  if (isNew)
    await trx.updateTable('mailboxReaders').set(well).where('connection', '=', id).execute()
  await wakeRunners(trx, { workspace }, 'accounts')
  if (!isNew && !isMoved) return
  if (imap.isRead) await startReaders(trx, [{ id, workspace }])
  if (edit.paused ?? before.paused) return
  await hastenRests(trx, workspace, id, now)
  await wakeWaiting(trx, { connection: id, workspace }, now)
}

const well = { problem: null, problemSince: null, toldAt: null, retryAt: null, retry: null }
