import { sql } from 'kysely'
import { connectionRemoved } from '../../rules/outgoing.ts'
import { usedUp } from '../accounts/connect-tickets.ts'
import { tellSetOf } from '../accounts/mailbox-sets.ts'
import { readerWorkflowId } from '../accounts/mailboxes.ts'
import { invitationForbidden } from '../calendar/invitation-life.ts'
import { findInvitation } from '../calendar/invitations.ts'
import { wakeRunners } from '../campaigns/campaigns.ts'
import { type Told, touchesHappened } from '../campaigns/touches.ts'
import { messageForbidden } from '../conversations/message-life.ts'
import { findOutgoing } from '../conversations/message-sending.ts'
import type { Db, Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { endOperation } from '../operations/operations.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import type { AccountRow } from './connection-edits.ts'

// A connection that was removed stays as a row, for the conversations, letters and meetings that name it, but it is paused and has
// neither servers nor secrets: nothing is claimed, sent or read through it. What is queued through it ends page by page.

/**
 * Takes a locked connection away. `revokes`: its tokens are kept until its consent has been taken back at the provider. What is
 * queued through it is ended by `endQueued`.
 */
export async function removeConnection(
  trx: Trx,
  { id, workspace }: AccountRow,
  { revokes, now }: { revokes: boolean; now: Date },
) {
  // One that has no other account keeps naming it, or else it would write through every account of the workspace.
  for (const [table, column] of [
    ['campaigns', 'senders'],
    ['agents', 'channels'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = array_remove(${sql.ref(column)}, ${id})
      where workspace = ${workspace} and ${id} = any(${sql.ref(column)}) and cardinality(${sql.ref(column)}) > 1`.execute(
      trx,
    )
  await trx
    .updateTable('connections')
    .set({ removedAt: now, paused: true, smtp: null, imap: null, bridge: null })
    .set({ problem: null, problemSince: null, toldAt: null, retryAt: null, retry: null })
    .$if(!revokes, (query) => query.set(nothingSecret))
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()
  if (!revokes) await forgetLogin(trx, workspace, id)
  await trx
    .updateTable('members')
    .set({ defaultConnection: null })
    .where('workspace', '=', workspace)
    .where('defaultConnection', '=', id)
    .execute()
  await trx
    .updateTable('connectTickets')
    .set(usedUp)
    .where('workspace', '=', workspace)
    .where('connection', '=', id)
    .where('usedAt', 'is', null)
    .execute()
  await tellSetOf(trx, id)
  await trx.deleteFrom('mailboxReaders').where('connection', '=', id).execute()
  await trx.deleteFrom('mailboxes').where('connection', '=', id).execute()
  await trx.deleteFrom('rests').where('account', '=', id).execute()
  await enqueueSignal(trx, readerWorkflowId(workspace, id), 'changed')
  await wakeRunners(trx, { workspace }, 'accounts')
}

const nothingSecret = { oauth: null, secrets: null }

const forgetLogin = (db: Db, workspace: string, id: string) =>
  db.deleteFrom('logins').where('workspace', '=', workspace).where('id', '=', id).execute()

type Account = { id: string; workspace: string }

/** How many letters of each kind one page ends: each message and each mail to a guest has a notification and a signal of its own. */
const most = 100

/**
 * Ends a page of what is queued through a connection that was removed. Answers how many letters it ended, and how many are with a
 * server now: those settle as ever.
 */
export async function endQueued(trx: Trx, account: Account, now: Date) {
  const ended = {
    letters: await endTouches(trx, account, now),
    messages: await endMessages(trx, account, now),
    invitations: await endInvitations(trx, account, now),
  }
  const { rows } = await sql<{ inFlight: number }>`
    select (select count(*) from messages where workspace = ${account.workspace} and connection = ${account.id}
        and state = 'sending' and reason is null)::int
      + (select count(*) from invitations where workspace = ${account.workspace} and connection = ${account.id}
        and state = 'sending' and reason is null)::int
      + (select count(*) from campaigns c, touches t where c.workspace = ${account.workspace} and t.campaign = c.id
        and t.connection = ${account.id} and t.state = 'sending' and t.reason is null)::int as in_flight`.execute(
    trx,
  )
  return { ended, inFlight: rows[0]?.inFlight ?? 0 }
}

async function endTouches(trx: Trx, { id, workspace }: Account, now: Date) {
  const { rows } = await sql<Told>`
    update touches t set state = 'failed', reason = ${connectionRemoved}, held_from = null
    where t.workspace = ${workspace} and t.state in ('queued', 'review') and t.id in (
      select one.id from campaigns c cross join lateral (
        select id from touches where campaign = c.id and state in ('queued', 'review') and connection = ${id}
        limit ${most}) one
      where c.workspace = ${workspace} limit ${most})
    returning t.id, t.workspace, t.campaign, t.person, t.place, t.connection, t.conversation, t.message`.execute(
    trx,
  )
  await touchesHappened(trx, rows, now, 'failed', connectionRemoved)
  return rows.length
}

async function endMessages(trx: Trx, { id, workspace }: Account, now: Date) {
  const queued = await trx
    .selectFrom('messages')
    .select('id')
    .where('workspace', '=', workspace)
    .where('connection', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .where('state', '=', 'queued')
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .execute()
  for (const one of queued) {
    const message = await findOutgoing(trx, one.id)
    if (!message) continue
    await messageForbidden(trx, message, connectionRemoved, now)
    // It may wait for its time for weeks.
    if (message.operation) await enqueueSignal(trx, message.operation, 'changed')
  }
  return queued.length
}

async function endInvitations(trx: Trx, { id, workspace }: Account, now: Date) {
  const queued = await trx
    .selectFrom('invitations')
    .innerJoin('meetings', 'meetings.id', 'invitations.meeting')
    .select('invitations.id')
    .where('invitations.workspace', '=', workspace)
    .where('invitations.state', 'in', ['queued', 'sending'])
    .where('invitations.state', '=', 'queued')
    .where((eb) => eb(eb.fn.coalesce('meetings.connection', 'invitations.connection'), '=', id))
    .orderBy('invitations.id')
    .limit(most)
    .forUpdate('invitations')
    .execute()
  for (const one of queued) {
    const invitation = await findInvitation(trx, one.id)
    if (!invitation) continue
    await invitationForbidden(trx, invitation, connectionRemoved, now)
    await enqueueSignal(trx, one.id, 'changed', [], { workspace })
  }
  return queued.length
}

/** A connection that was removed, with what its consent is taken back with. */
export const findRemoved = (db: Db, id: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'workspace', 'account', 'member', 'oauth', 'secrets'])
    .where('id', '=', id)
    .where('removedAt', 'is not', null)
    .executeTakeFirst()

/** `not_supported`: its provider has no address for that. */
export type Revoked = 'revoked' | 'not_supported' | 'failed'

/** Forgets the tokens and secrets of a connection that was removed, and tells its member if its consent is still there. */
export async function forgetSecrets(
  trx: Trx,
  { id, workspace, account, member }: Account & { account: string; member: string },
  revoked: Revoked,
  now: Date,
) {
  await trx
    .updateTable('connections')
    .set(nothingSecret)
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()
  await forgetLogin(trx, workspace, id)
  if (revoked === 'revoked') return
  const why =
    revoked === 'failed'
      ? 'the provider could not be reached, or refused it'
      : 'the provider takes none back in this way'
  await notify(trx, {
    ...{ workspace, member, at: now, kind: 'channel.revoke_failed' },
    text: `The account ${account} was removed, but its consent was not taken back: ${why}. Take it back in the settings of the account at the provider.`,
  })
}

/** Ends the operation of a removal. */
export const removalDone = (
  db: Db,
  operation: string,
  result: { id: string; deleted: true; revoked: Revoked | null },
  now: Date,
) => endOperation(db, operation, { state: 'done', result }, now)
