import { sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import { playedServers } from '../../rules/sandbox/mode.ts'
import { startReaders } from '../accounts/mailboxes.ts'
import type { VerificationRequest } from '../accounts/tables.ts'
import type { VerificationSecrets } from '../accounts/verifications.ts'
import { wakeRunners } from '../campaigns/campaigns.ts'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { type SecretKey, seal } from '../secrets.ts'
import { holderOf } from '../workspace/leaving.ts'
import { findMode } from '../workspace/workspaces.ts'

// A mailbox that a call adds to a workspace.

/**
 * The connection of the workspace with this account, in whatever spelling; undefined if there is none. From now until the end of the
 * transaction nobody else adds one.
 */
export async function findSameAccount(
  trx: Trx,
  workspace: string,
  account: string,
): Promise<string | undefined> {
  const compared = comparedForm(account)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${workspace} ${compared}`}, 0))`.execute(
    trx,
  )
  const rows = await trx
    .selectFrom('connections')
    .select(['id', 'account'])
    .where('workspace', '=', workspace)
    .where('kind', '=', 'email')
    .where('removedAt', 'is', null)
    .execute()
  return rows.find((row) => comparedForm(row.account) === compared)?.id
}

/** Adds it, and has its mailbox read; the audit line is the caller's. Answers its id. */
export async function addConnection(
  trx: Trx,
  secretKey: SecretKey,
  {
    workspace,
    request,
    secrets,
  }: { workspace: string; request: VerificationRequest; secrets: VerificationSecrets },
): Promise<string> {
  const id = newId('con')
  const { account, name, oauth, limits } = request
  const isPlayed = (await findMode(trx, workspace)) === 'sandbox'
  const smtp = request.smtp ?? (isPlayed ? playedServers.smtp : null)
  const imap = request.imap ?? (isPlayed ? playedServers.imap : null)
  // The member may have left while the login was tried.
  const member = await holderOf(trx, workspace, request.member)
  const kept = {
    ...(smtp && secrets.smtp !== undefined && { smtp: secrets.smtp }),
    ...(imap && secrets.imap !== undefined && { imap: secrets.imap }),
  }
  await trx
    .insertInto('connections')
    .values({
      id,
      workspace,
      kind: 'email',
      name,
      account,
      member,
      ...limits,
      smtp: smtp && JSON.stringify(smtp),
      imap: imap && JSON.stringify(imap),
      oauth: oauth === undefined ? null : JSON.stringify(oauth),
      secrets:
        Object.keys(kept).length === 0
          ? null
          : seal(secretKey, kept, { in: 'connections.secrets', id }),
      signals: '[]',
    })
    .execute()
  if (imap) await startReaders(trx, [{ id, workspace }])
  await wakeRunners(trx, { workspace }, 'accounts')
  return id
}
