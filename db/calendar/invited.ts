import { type SqlBool, sql } from 'kysely'
import type { MessageInvitation } from '../conversations/tables.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { enqueueStart } from '../operations/outbox.ts'
import { listExternalCalendars, ownCalendarId } from './calendars.ts'

// Meetings to which clients have invited a member. The message that brought an invitation has it.

/** Whose invitation it is: the message, and the account it came to with its member. */
export type Invited = { workspace: string; connection: string; member: string; message: string }

type Key = Pick<MessageInvitation, 'uid' | 'instance' | 'sequence'>

/** Earlier messages of an account with an invitation to the same meeting, locked, the newest version first. */
async function lockVersions(trx: Trx, { workspace, connection, message }: Invited, key: Key) {
  const rows = await trx
    .selectFrom('messages')
    .select(['id', 'invitation'])
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where(sql<SqlBool>`invitation ->> 'uid' = ${key.uid}`)
    .where('id', '!=', message)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  return rows
    .flatMap(({ id, invitation }) => (invitation ? [{ id, invitation }] : []))
    .filter(({ invitation }) => key.instance === '' || invitation.instance === key.instance)
    .toSorted((a, b) => b.invitation.sequence - a.invitation.sequence)
}

const isAnswered = ({ state }: MessageInvitation) => ['accepted', 'tentative'].includes(state)

/**
 * Keeps an invitation with its message. A new version takes the place of the former ones; if the time is the same, so is the
 * answer, and if it was accepted at another time, it moves in the calendar and waits for an answer. `acts` is false of one that
 * is only shown.
 */
export async function receiveInvitation(
  trx: Trx,
  place: Invited,
  invitation: MessageInvitation,
  { acts, now }: { acts: boolean; now: Date },
) {
  if (!acts) return keepInvitation(trx, place.message, invitation)
  const [former, ...others] = await lockVersions(trx, place, invitation)
  if (former && former.invitation.sequence > invitation.sequence)
    return keepInvitation(trx, place.message, { ...invitation, state: 'replaced' })
  const was = former?.invitation
  const isSameTime =
    was?.startsAt === invitation.startsAt && was.endsAt === invitation.endsAt && isAnswered(was)
  await keepInvitation(trx, place.message, {
    ...invitation,
    ...(isSameTime && { state: was.state }),
  })
  for (const { id, invitation: old } of former ? [former, ...others] : [])
    if (old.instance === invitation.instance && old.state !== 'cancelled')
      await keepInvitation(trx, id, { ...old, state: 'replaced' })
  if (was && isAnswered(was)) await putInvited(trx, place, invitation, now)
}

/** The organizer has cancelled: it is no longer in the calendar. */
export async function receiveCancellation(trx: Trx, place: Invited, key: Key, now: Date) {
  const versions = await lockVersions(trx, place, key)
  const [newest] = versions
  if (!newest || newest.invitation.sequence > key.sequence) return
  for (const { id, invitation } of versions)
    await keepInvitation(trx, id, { ...invitation, state: 'cancelled' })
  const { invitation } = newest
  await putInvited(
    trx,
    { ...place, message: newest.id },
    { ...invitation, state: 'cancelled' },
    now,
  )
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
      ...{ id: newId('mtg'), workspace, calendar, uid, instance, title, agenda, guests },
      ...{ startsAt, endsAt, zone: 'UTC', replies: '[]', proposals: '[]', own: false },
      ...{ connection: null, remote: 'none', remoteAt: null, createdAt: now },
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
