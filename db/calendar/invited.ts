import { type SqlBool, sql } from 'kysely'
import { isOneHouse } from '../../rules/mail-providers.ts'
import type { MessageInvitation } from '../conversations/tables.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { enqueueStart } from '../operations/outbox.ts'
import { listExternalCalendars, ownCalendarId } from './calendars.ts'

// Meetings to which clients have invited a member. The message that brought an invitation has it.

/** Whose invitation it is: the message, and the account it came to with its member. */
export type Invited = { workspace: string; connection: string; member: string; message: string }

type Key = Pick<MessageInvitation, 'uid' | 'instance' | 'sequence'>

/** A mail about such a meeting, and who wrote it. */
type Said = Invited & { from: string }
type Version = { id: string; invitation: MessageInvitation }

/**
 * Earlier messages of an account with an invitation to the same meeting or to occurrences of it, locked, the newest version first.
 * Everybody whom a meeting invites knows its UID, so what others than those who invite say of it is about none of them, and what
 * they have said counts less.
 */
async function lockVersions(
  trx: Trx,
  { workspace, connection, message, from }: Said,
  uid: string,
): Promise<Version[]> {
  const rows = await trx
    .selectFrom('messages')
    .select(['id', 'invitation', 'senderHandle'])
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where(sql<SqlBool>`invitation ->> 'uid' = ${uid}`)
    .where('id', '!=', message)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  return rows
    .flatMap(({ id, invitation, senderHandle }) => {
      if (!invitation) return []
      const isTheirs = isOneHouse(senderHandle, from)
      // Somebody else may have sent it on.
      return isTheirs || isOneHouse(invitation.organizer, from)
        ? [{ id, invitation, isTheirs }]
        : []
    })
    .toSorted(
      (a, b) =>
        Number(b.isTheirs) - Number(a.isTheirs) || b.invitation.sequence - a.invitation.sequence,
    )
}

/**
 * The conversation in which somebody of the house of who writes now last invited an account to the meeting. One that was closed as
 * spam is never continued.
 */
export async function findInviting(
  db: Db,
  { workspace, connection, from }: Pick<Said, 'workspace' | 'connection' | 'from'>,
  uid: string,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .select(['messages.conversation', 'messages.senderHandle'])
    .where('messages.workspace', '=', workspace)
    .where('messages.connection', '=', connection)
    .where(sql<SqlBool>`messages.invitation ->> 'uid' = ${uid}`)
    .where(
      sql<SqlBool>`not (conversations.state = 'closed' and coalesce(conversations.reason, '') = 'spam')`,
    )
    .orderBy('messages.at', 'desc')
    .orderBy('messages.id', 'desc')
    .limit(mostVersions)
    .execute()
  return rows.find(({ senderHandle }) => isOneHouse(senderHandle, from))?.conversation
}

const mostVersions = 50

const isAnswered = ({ state }: MessageInvitation) => ['accepted', 'tentative'].includes(state)

/**
 * Keeps an invitation with its message. A new version takes the place of the former ones; if the time is the same, so is the
 * answer, and if it was accepted at another time, it moves in the calendar and waits for an answer. `acts` is false of one that
 * is only shown.
 */
export async function receiveInvitation(
  trx: Trx,
  place: Said,
  invitation: MessageInvitation,
  { acts, now }: { acts: boolean; now: Date },
) {
  if (!acts) return keepInvitation(trx, place.message, invitation)
  const versions = await lockVersions(trx, place, invitation.uid)
  // Each occurrence that was changed by itself has versions of its own (RFC 5546, 2.1.5).
  const same = versions.filter((one) => one.invitation.instance === invitation.instance)
  const [former] = same
  if (former && former.invitation.sequence > invitation.sequence)
    return keepInvitation(trx, place.message, { ...invitation, state: 'replaced' })
  const was = former?.invitation ?? occurrenceOf(seriesIn(versions), invitation)
  const isSameTime =
    was?.startsAt === invitation.startsAt && was.endsAt === invitation.endsAt && isAnswered(was)
  await keepInvitation(trx, place.message, {
    ...invitation,
    ...(isSameTime && { state: was.state }),
  })
  for (const { id, invitation: old } of same)
    if (old.state !== 'cancelled') await keepInvitation(trx, id, { ...old, state: 'replaced' })
  if (was && isAnswered(was)) await putInvited(trx, place, invitation, now)
}

const seriesIn = (versions: Version[]) =>
  versions.find(({ invitation }) => invitation.instance === '')?.invitation

/** An occurrence of a series as the series has it; undefined if its invitation is about all of them. */
function occurrenceOf(
  series: MessageInvitation | undefined,
  { instance }: Key,
): MessageInvitation | undefined {
  if (!series || instance === '') return undefined
  const lastsMs = Date.parse(series.endsAt) - Date.parse(series.startsAt)
  const endsAt = new Date(Date.parse(instance) + lastsMs).toISOString()
  return { ...series, instance, startsAt: instance, endsAt }
}

/**
 * The organizer has cancelled: it is no longer in the calendar. Of one occurrence, the message of the cancellation says so from now
 * on, and the others stay.
 */
export async function receiveCancellation(trx: Trx, place: Said, key: Key, now: Date) {
  const versions = await lockVersions(trx, place, key.uid)
  const about = versions.filter(
    ({ invitation }) => key.instance === '' || invitation.instance === key.instance,
  )
  const [newest] = about
  const known = newest?.invitation ?? occurrenceOf(seriesIn(versions), key)
  if (!known || known.sequence > key.sequence) return
  for (const { id, invitation } of about)
    await keepInvitation(trx, id, { ...invitation, state: 'cancelled' })
  const { instance, sequence } = key
  const gone: MessageInvitation = { ...known, instance, sequence, state: 'cancelled' }
  if (instance !== '') await keepInvitation(trx, place.message, gone)
  const message = instance === '' && newest ? newest.id : place.message
  await putInvited(trx, { ...place, message }, gone, now)
}

export const keepInvitation = (trx: Trx, message: string, invitation: MessageInvitation) =>
  trx
    .updateTable('messages')
    .set({ invitation: JSON.stringify(invitation) })
    .where('id', '=', message)
    .execute()

/**
 * Makes the member's calendar say what their answer says: of the house at once; one on another server, and what repeats, by the
 * workflow of the message's invitation.
 */
export async function putInvited(
  trx: Trx,
  place: Invited,
  invitation: MessageInvitation,
  now: Date,
) {
  const { workspace, message, member } = place
  const [external] = await listExternalCalendars(trx, member)
  if (!external && !(invitation.repeats && isHeld(invitation)))
    await putInHouse(trx, place, invitation, now)
  else
    await enqueueStart(trx, {
      type: 'fileInvitation',
      workflowId: newId('inv'),
      args: [{ message }],
      attributes: { Workspace: workspace },
    })
}

/** Whether the member's calendar shows it. */
export const isHeld = ({ state }: MessageInvitation) =>
  !['declined', 'cancelled', 'replaced'].includes(state)

/** Adds it to the member's calendar of the house, moves it there, or takes it out. */
async function putInHouse(trx: Trx, place: Invited, invitation: MessageInvitation, now: Date) {
  const calendar = ownCalendarId(place.member)
  if (isHeld(invitation)) await keepCopy(trx, place.workspace, calendar, invitation, now)
  else await dropCopies(trx, place.workspace, calendar, invitation)
}

/** Our copy of the meeting in a calendar. */
export const keepCopy = (
  trx: Db,
  workspace: string,
  calendar: string,
  { uid, instance, title, agenda, guests, ...invitation }: MessageInvitation,
  now: Date,
) => {
  const [startsAt, endsAt] = [new Date(invitation.startsAt), new Date(invitation.endsAt)]
  return trx
    .insertInto('meetings')
    .values({
      id: newId('mtg'),
      workspace,
      calendar,
      uid,
      instance,
      title,
      agenda,
      guests,
      startsAt,
      endsAt,
      zone: 'UTC',
      replies: '[]',
      proposals: '[]',
      own: false,
      connection: null,
      remote: 'none',
      remoteAt: null,
      createdAt: now,
    })
    .onConflict((oc) =>
      oc
        .columns(['workspace', 'calendar', 'uid', 'instance'])
        .doUpdateSet({ title, agenda, guests, startsAt, endsAt, state: 'booked' })
        .where('meetings.own', '=', false),
    )
    .execute()
}

/** Of a series all, unless it is about one occurrence. */
export const dropCopies = (
  trx: Db,
  workspace: string,
  calendar: string,
  { uid, instance }: Pick<MessageInvitation, 'uid' | 'instance'>,
) =>
  trx
    .deleteFrom('meetings')
    .where('workspace', '=', workspace)
    .where('calendar', '=', calendar)
    .where('uid', '=', uid)
    .where('own', '=', false)
    .$if(instance !== '', (q) => q.where('instance', '=', instance))
    .execute()

/** A message with an invitation, and whose it is. */
export const findInvited = (db: Db, message: string) =>
  db
    .selectFrom('messages')
    .innerJoin('connections', 'connections.id', 'messages.connection')
    .innerJoin('workspaces', 'workspaces.id', 'messages.workspace')
    .select(['messages.id', 'messages.workspace', 'messages.invitation', 'connections.member'])
    .select(['messages.conversation', 'connections.id as connection', 'workspaces.timezone'])
    .where('messages.id', '=', message)
    .executeTakeFirst()

/** What invitations and cancellations have said of single occurrences of a series, the oldest first. */
export const listApart = async (db: Db, workspace: string, connection: string, uid: string) => {
  const rows = await db
    .selectFrom('messages')
    .select('invitation')
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where(sql<SqlBool>`invitation ->> 'uid' = ${uid}`)
    .where(sql<SqlBool>`invitation ->> 'instance' <> ''`)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ invitation }) => invitation ?? [])
}
