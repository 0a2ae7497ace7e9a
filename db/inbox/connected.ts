import { sql } from 'kysely'
import { type Ticket, usedUp } from '../accounts/connect-tickets.ts'
import type { FirstTokens } from '../accounts/logins.ts'
import { readerWorkflowId, startReaders } from '../accounts/mailboxes.ts'
import { wakeRunners } from '../campaigns/campaigns.ts'
import { hastenRests } from '../conversations/message-turns.ts'
import type { Db, Trx } from '../database.ts'
import { recordAudit } from '../events/audit.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// The owner of an account has consented: from now on it is logged in to with these tokens, and everything that waited for it is
// tried at once. What finds no place here looks again within a minute.

const mostWoken = 1_000

/**
 * Uses up the ticket and keeps its tokens. Answers whether there is a refresh token, without which the consent ends with its access
 * token; `another` if somebody else consented for this account before; undefined if the ticket was used meanwhile. `now` is of the
 * business clock.
 */
export const connectAccount = (db: Db, ticket: Ticket, tokens: FirstTokens, now: Date) =>
  db.transaction().execute(async (trx) => {
    const { connection, workspace, member, clientId, clientName } = ticket
    const open = await trx
      .selectFrom('connectTickets')
      .select('id')
      .where('id', '=', ticket.id)
      .where('workspace', '=', workspace)
      .where('usedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!open) return undefined
    const lasts = await keepTokensOf(trx, ticket, tokens, now)
    if (lasts === 'another') return lasts
    await trx
      .updateTable('connectTickets')
      .set(usedUp)
      .where('id', '=', ticket.id)
      .where('workspace', '=', workspace)
      .execute()
    const well = { problem: null, problemSince: null, toldAt: null, retryAt: null, retry: null }
    await trx
      .updateTable('connections')
      .set({ ...well, alive: true })
      .where('id', '=', connection)
      .where('workspace', '=', workspace)
      .execute()
    await trx.updateTable('mailboxReaders').set(well).where('connection', '=', connection).execute()
    await hastenRests(trx, workspace, connection, now)
    await recordAudit(trx, {
      workspace,
      at: now,
      member,
      client: clientId === null ? null : { id: clientId, name: clientName ?? '' },
      action: 'channel.connected',
      resource: connection,
      after: { connection },
      key: null,
    })
    const { imap } = ticket
    await wakeRunners(trx, { workspace }, 'accounts')
    if (imap) {
      await startReaders(trx, [{ id: connection, workspace }])
      await enqueueSignal(trx, readerWorkflowId(workspace, connection), 'retryNow')
    }
    await wakeWaiting(trx, ticket, now)
    return { lasts }
  })

/**
 * Keeps the tokens of a consent; as `connectAccount`. A refresh that is under way finds another version, and leaves these tokens as
 * they are.
 */
export async function keepTokensOf(
  trx: Trx,
  { connection, workspace }: Pick<Ticket, 'connection' | 'workspace'>,
  { owner, ...tokens }: FirstTokens,
  now: Date,
) {
  const { accessToken, expiresAt, refreshToken = null, settings } = tokens
  const kept = {
    accessToken,
    expiresAt,
    refreshToken,
    settings,
    state: 'connected' as const,
    since: now,
    claimedBy: null,
    claimedUntil: null,
    problem: null,
    failedAt: null,
    replacedAt: null,
  }
  const row = await trx
    .insertInto('logins')
    .values({ id: connection, workspace, version: 1, owner: owner ?? null, ...kept })
    .onConflict((oc) =>
      oc
        .column('id')
        .doUpdateSet({
          ...kept,
          // Some providers give one with the first consent alone.
          refreshToken: sql<string | null>`coalesce(excluded.refresh_token,
          case when logins.settings = excluded.settings then logins.refresh_token end)`,
          owner: sql<string | null>`coalesce(excluded.owner, logins.owner)`,
          version: sql<number>`logins.version + 1`,
        })
        .where(
          sql<boolean>`logins.owner is null or logins.settings is distinct from excluded.settings
            or logins.owner = excluded.owner`,
        ),
    )
    .returning('refreshToken')
    .executeTakeFirst()
  return row ? row.refreshToken !== null : 'another'
}

/** Has the messages that are due and wait for an account tried at once. */
export async function wakeWaiting(
  trx: Trx,
  { connection, workspace }: Pick<Ticket, 'connection' | 'workspace'>,
  now: Date,
) {
  const waiting = await trx
    .selectFrom('messages')
    .select('operation')
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where('direction', '=', 'outbound')
    .where('state', '=', 'queued')
    .where('operation', 'is not', null)
    .where((eb) => eb.or([eb('sendAt', 'is', null), eb('sendAt', '<=', now)]))
    .orderBy('at')
    .limit(mostWoken)
    .execute()
  for (const { operation } of waiting)
    if (operation) await enqueueSignal(trx, operation, 'retryNow')
}
