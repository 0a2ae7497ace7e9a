import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { heldWhy } from '../holds.ts'
import { newId } from '../ids.ts'
import { enqueueSignal, enqueueStart } from '../operations/outbox.ts'
import type { InvitationMethod } from './tables.ts'

// Mails to the guests of meetings, one a guest, method and version of the meeting. The workflow of each has its id.

export const findInvitation = (db: Db, id: string) =>
  db
    .selectFrom('invitations')
    .innerJoin('meetings', 'meetings.id', 'invitations.meeting')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace')
    .leftJoin('calendars', 'calendars.id', 'meetings.calendar')
    .selectAll('invitations')
    .select([
      'meetings.connection as organizer',
      'meetings.title',
      'meetings.endsAt',
      'meetings.state as meetingState',
      'workspaces.timezone',
    ])
    .select(sql<string>`coalesce(calendars.member, substr(meetings.calendar, 5))`.as('member'))
    .select(
      heldWhy(
        sql.ref('invitations.workspace'),
        sql`coalesce(invitations.connection, meetings.connection)`,
      ).as('heldWhy'),
    )
    .where('invitations.id', '=', id)
    .executeTakeFirst()

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** Locks an invitation's row until the transaction ends and reads it. */
export async function lockInvitation(trx: Trx, id: string): Promise<InvitationRow | undefined> {
  await sql`select id from invitations where id = ${id} for update`.execute(trx)
  return findInvitation(trx, id)
}

type Mails = {
  workspace: string
  meeting: string
  method: InvitationMethod
  sequence: number
  proposal?: string
  /** The account that the meeting's invitations come from, once it is known. */
  connection: string | null
  now: Date
}

/** Queues a mail to each address and starts the workflow that delivers it. An address that already has one gets no second. */
async function queue(trx: Trx, { now, connection, ...mail }: Mails, addresses: string[]) {
  if (addresses.length === 0) return
  const rows = await trx
    .insertInto('invitations')
    .values(
      addresses.map((address) => ({
        ...mail,
        id: newId('inv'),
        address,
        dueAt: now,
        reason: null,
      })),
    )
    .onConflict((oc) =>
      oc.columns(['meeting', 'method', 'address', 'sequence', 'proposal']).doNothing(),
    )
    .returning('id')
    .execute()
  for (const { id } of rows)
    await enqueueStart(trx, {
      type: 'deliverInvitation',
      workflowId: id,
      args: [{ invitation: id }],
      attributes: { Workspace: mail.workspace, ...(connection && { Connection: connection }) },
    })
}

type Meeting = Omit<Mails, 'method' | 'proposal'>

/** Invites the guests of a meeting, each once, however often this is called. The caller has locked the meeting. */
export async function inviteGuests(trx: Trx, meeting: Meeting, addresses: string[]) {
  const invited = await trx
    .selectFrom('invitations')
    .select('address')
    .where('meeting', '=', meeting.meeting)
    .where('method', '=', 'request')
    .execute()
  const known = new Set(invited.map(({ address }) => address))
  const fresh = addresses.filter((address) => !known.has(address))
  await queue(trx, { ...meeting, method: 'request' }, fresh)
}

/** The guests who know of a meeting, or may: a mail about it was sent, or is being sent right now. */
async function listTold(trx: Trx, meeting: string): Promise<string[]> {
  const told = await trx
    .selectFrom('invitations')
    .select('address')
    .where('meeting', '=', meeting)
    .where('method', 'in', ['request', 'update'])
    .where('state', 'in', ['sending', 'sent'])
    .orderBy('id')
    .execute()
  return [...new Set(told.map(({ address }) => address))]
}

/**
 * Cancels the mails that are still queued, and queues a cancellation to every guest who knows of the meeting. The caller has
 * locked it, and its `sequence` is the one it was cancelled with.
 */
export async function uninviteGuests(trx: Trx, meeting: Meeting) {
  await takeBack(trx, meeting.meeting)
  await queue(trx, { ...meeting, method: 'cancel' }, await listTold(trx, meeting.meeting))
}

/**
 * Tells the guests of a move: those who know of the meeting get a mail, and a mail that is still queued will say the new time. The
 * caller has locked the meeting, and its `sequence` is the one it was moved with.
 */
export async function tellMoved(trx: Trx, meeting: Meeting) {
  const waiting = await trx
    .updateTable('invitations')
    .set({ sequence: meeting.sequence })
    .where('meeting', '=', meeting.meeting)
    .where('method', 'in', ['request', 'update'])
    .where('state', '=', 'queued')
    .returning('address')
    .execute()
  const will = new Set(waiting.map(({ address }) => address))
  const told = (await listTold(trx, meeting.meeting)).filter((address) => !will.has(address))
  await queue(trx, { ...meeting, method: 'update' }, told)
}

/** Tells a guest that the meeting stays when it is, whatever they proposed. */
export const declineProposal = (
  trx: Trx,
  { address, ...proposal }: Meeting & { proposal: string; address: string },
) => queue(trx, { ...proposal, method: 'decline' }, [address])

/** Cancels the mails about a meeting that are still queued. */
export async function takeBack(trx: Trx, meeting: string) {
  const rows = await trx
    .updateTable('invitations')
    .set({ state: 'cancelled' })
    .where('meeting', '=', meeting)
    .where('method', '!=', 'cancel')
    .where('state', '=', 'queued')
    .returning(['id', 'workspace'])
    .execute()
  for (const { id, workspace } of rows) await enqueueSignal(trx, id, 'changed', [], { workspace })
}

/**
 * What became of the invitation that a mail follows, of several the one that is being sent, otherwise the newest that was sent;
 * undefined if there was none.
 */
export const findRequest = (
  db: Db,
  { id, meeting, address }: { id: string; meeting: string; address: string },
) =>
  db
    .selectFrom('invitations')
    .select(['state', 'reason', 'messageId'])
    .where('meeting', '=', meeting)
    .where('address', '=', address)
    .where('method', 'in', ['request', 'update'])
    .where('id', '!=', id)
    .orderBy(sql`state = 'sending' and reason is null`, 'desc')
    .orderBy(sql`state in ('sending', 'sent')`, 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Guests that an account has invited, or is inviting, on a day. Call it with the connection locked. */
export async function countInvited(
  trx: Trx,
  { workspace, connection, day }: { workspace: string; connection: string; day: string },
): Promise<number> {
  const { count } = await trx
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where('claimedDay', '=', day)
    .where('method', '=', 'request')
    .where('state', 'in', ['sending', 'sent'])
    .executeTakeFirstOrThrow()
  return count
}

/** A queued mail waits for another day; the calendar's member is notified once a day. Call it with the connection locked. */
export async function invitationWaits(
  trx: Trx,
  waiting: { invitation: InvitationRow; now: Date; day: string; nextTryAt: Date },
) {
  const { invitation, now, day, nextTryAt } = waiting
  const row = await trx
    .updateTable('invitations')
    .set({ nextTryAt })
    .where('id', '=', invitation.id)
    .where('state', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  const { workspace, member, timezone } = invitation
  const told = await trx
    .selectFrom('notifications')
    .select('id')
    .where('workspace', '=', workspace)
    .where('member', '=', member)
    .where('kind', '=', 'invitation.waiting')
    .where(sql<SqlBool>`at >= ${day}::date::timestamp at time zone ${timezone}`)
    .limit(1)
    .executeTakeFirst()
  if (told) return
  const text =
    'Invitations wait until tomorrow: the account has invited as many guests as it may today.'
  await notify(trx, { workspace, member, at: now, kind: 'invitation.waiting', text })
}

/** Ends a queued mail without a notification, because nobody needs it any more. */
export const cancelInvitation = (db: Db, id: string) =>
  db
    .updateTable('invitations')
    .set({ state: 'cancelled' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

/** Invitations that have not been settled since `before`: they are queued, or claimed and not yet marked as unconfirmed. */
export const listUnsettledInvitations = (db: Db, before: Date, limit: number) =>
  db
    .selectFrom('invitations')
    .select(['id', 'workspace'])
    .where('state', 'in', ['queued', 'sending'])
    .where('reason', 'is', null)
    .where(sql<SqlBool>`greatest(due_at, claimed_at, next_try_at) < ${before}`)
    .orderBy('dueAt')
    .limit(limit)
    .execute()

/**
 * Starts the workflow of an invitation again, whatever became of the last one: the row ensures that the mail goes only once.
 */
export const restartInvitation = (
  trx: Db,
  { id, workspace }: Pick<InvitationRow, 'id' | 'workspace'>,
) =>
  enqueueStart(trx, {
    type: 'deliverInvitation',
    workflowId: id,
    args: [{ invitation: id }],
    attributes: { Workspace: workspace },
    restart: true,
  })

/**
 * The account that a meeting's invitations come from: one of the calendar's member that works, otherwise another that works,
 * otherwise any. Undefined if the workspace has no e-mail account.
 */
export const findOrganizer = (db: Db, workspace: string, member: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'account'])
    .where('workspace', '=', workspace)
    .where('kind', '=', 'email')
    .where('smtp', 'is not', null)
    .where('removedAt', 'is', null)
    .orderBy(sql`alive and member = ${member}`, 'desc')
    .orderBy('alive', 'desc')
    .orderBy(sql`member = ${member}`, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Fixes, once, the account that invites: the organizer that guests see must stay the same. */
export const keepOrganizer = (db: Db, meeting: string, connection: string) =>
  db
    .updateTable('meetings')
    .set({ connection })
    .where('id', '=', meeting)
    .where('connection', 'is', null)
    .execute()
