import { type SqlBool, sql } from 'kysely'
import { wallClock } from '../../rules/local-time.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { newId } from '../ids.ts'
import type { MeetingDraft, Reply } from './tables.ts'

const minuteMs = 60_000

/** A meeting by its id, with the zone of its workspace and the member whose calendar it is in. */
export function findMeeting(db: Db, id: string, workspace?: string) {
  const found = db
    .selectFrom('meetings')
    .innerJoin('workspaces', 'workspaces.id', 'meetings.workspace')
    .leftJoin('calendars', 'calendars.id', 'meetings.calendar')
    .selectAll('meetings')
    .select('workspaces.timezone')
    .select(sql<string>`coalesce(calendars.member, substr(meetings.calendar, 5))`.as('member'))
    .where('meetings.id', '=', id)
  const ours = workspace === undefined ? found : found.where('meetings.workspace', '=', workspace)
  return ours.executeTakeFirst()
}

export type MeetingRow = NonNullable<Awaited<ReturnType<typeof findMeeting>>>

/** Locks a meeting's row until the transaction ends, and reads it. */
export async function lockMeeting(trx: Trx, id: string, workspace?: string) {
  const row = trx.selectFrom('meetings').select('id').where('id', '=', id).forUpdate()
  await (workspace === undefined ? row : row.where('workspace', '=', workspace)).execute()
  return findMeeting(trx, id, workspace)
}

/** A meeting as clients read it; day and start are in `zone`, the workspace's. */
export const presentMeeting = (row: Presented, zone: string) => {
  const { day, time } = wallClock(zone, row.startsAt)
  return {
    id: row.id,
    title: row.title,
    calendar: row.calendar,
    day,
    start: time,
    minutes: Math.round((row.endsAt.getTime() - row.startsAt.getTime()) / minuteMs),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    guests: row.guests,
    replies: row.replies.map(({ address, answer }) => ({ address, answer })),
    agenda: row.agenda,
    state: row.state,
    own: row.own,
  }
}

type Presented = Pick<
  MeetingRow,
  | 'id'
  | 'title'
  | 'calendar'
  | 'startsAt'
  | 'endsAt'
  | 'guests'
  | 'replies'
  | 'agenda'
  | 'state'
  | 'own'
>

/** A draft as clients read it: the meeting as it would be booked, without an id. */
export const presentDraft = (draft: MeetingDraft, zone: string) =>
  presentMeeting(
    {
      ...draft,
      id: '',
      startsAt: new Date(draft.startsAt),
      endsAt: new Date(draft.endsAt),
      replies: [],
      state: 'booked',
      own: true,
    },
    zone,
  )

/** Books a meeting: writes the row with the UID that identifies it in iCalendar permanently. Answers its id. */
export async function insertMeeting(
  trx: Trx,
  meeting: MeetingDraft & {
    workspace: string
    zone: string
    connection: string | null
    external: boolean
    now: Date
  },
): Promise<string> {
  const id = newId('mtg')
  const { external, now, ...rest } = meeting
  await trx
    .insertInto('meetings')
    .values({
      ...rest,
      id,
      uid: `${id}@postroom`,
      startsAt: new Date(meeting.startsAt),
      endsAt: new Date(meeting.endsAt),
      replies: '[]',
      own: true,
      remote: external ? 'pending' : 'none',
      createdAt: now,
    })
    .execute()
  return id
}

const inWindow = (db: Db, workspace: string, from: Date, to: Date) =>
  db
    .selectFrom('meetings')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('state', '=', 'booked')
    .where('endsAt', '>', from)
    .where('startsAt', '<', to)
    .orderBy('startsAt')
    .orderBy('id')

/** Booked meetings that end after `from` and start before `to`, in that order. */
export const listMeetings = (db: Db, workspace: string, from: Date, to: Date) =>
  inWindow(db, workspace, from, to).execute()

/** Booked meetings of these calendars that overlap; those that leave their time free (RFC 5545 §3.8.2.7) do not count. */
export const listConflicts = (
  db: Db,
  workspace: string,
  calendars: string[],
  draft: { startsAt: Date; endsAt: Date },
) =>
  inWindow(db, workspace, draft.startsAt, draft.endsAt)
    .where(sql<SqlBool>`calendar = any(${calendars})`)
    .where('busy', '=', true)
    .execute()

/** Marks a locked meeting as cancelled. SEQUENCE rises with each change that guests are sent (RFC 5546 §2.1.4). */
export const markCancelled = (trx: Trx, id: string) =>
  trx
    .updateTable('meetings')
    .set((eb) => ({ state: 'cancelled', sequence: eb('sequence', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Notes that its event is on the calendar's server; false if the meeting was cancelled meanwhile. */
export async function markThere(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('meetings')
    .set({ remote: 'there', remoteAt: now })
    .where('id', '=', id)
    .where('state', '=', 'booked')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const markGone = (db: Db, id: string, now: Date) =>
  db
    .updateTable('meetings')
    .set({ remote: 'gone', remoteAt: now })
    .where('id', '=', id)
    .where('state', '=', 'cancelled')
    .execute()

/** Locks a meeting against changes until the transaction ends; false if it is cancelled. */
export async function shareBooked(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('meetings')
    .select('state')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'booked'
}

/**
 * Writes a guest's answer to an invitation (iMIP METHOD:REPLY, RFC 6047): `answer` is a PARTSTAT in lower case, `at` the
 * reply's DTSTAMP or its arrival. A reply older than the known one changes nothing. Answers the meeting's id, or undefined if
 * the workspace has booked no meeting with that UID or never invited that address.
 */
export async function recordReply(
  trx: Trx,
  workspace: string,
  reply: { uid: string } & { address: string; answer: string; at: Date },
  now: Date,
): Promise<string | undefined> {
  const meeting = await trx
    .selectFrom('meetings')
    .select(['id', 'guests', 'replies'])
    .where('workspace', '=', workspace)
    .where('uid', '=', reply.uid)
    .where('own', '=', true)
    .forUpdate()
    .executeTakeFirst()
  const address = reply.address.trim().toLowerCase()
  if (!meeting?.guests.includes(address)) return undefined
  const known = meeting.replies.find((other) => other.address === address)
  if (known && new Date(known.at) > reply.at) return meeting.id
  const answer = reply.answer.trim().toLowerCase().slice(0, 40)
  const replies: Reply[] = [
    ...meeting.replies.filter((other) => other !== known),
    { address, answer, at: reply.at.toISOString() },
  ]
  await trx
    .updateTable('meetings')
    .set({ replies: JSON.stringify(replies) })
    .where('id', '=', meeting.id)
    .execute()
  await recordEvent(trx, {
    workspace,
    kind: 'meeting.replied',
    at: now,
    resource: meeting.id,
    data: { answer },
  })
  return meeting.id
}

/** Keeps the input of a check until the check is answered. */
export const insertCheck = (trx: Trx, operation: string, workspace: string, draft: MeetingDraft) =>
  trx
    .insertInto('meetingChecks')
    .values({ operation, workspace, draft: JSON.stringify(draft) })
    .execute()

export const findCheck = (db: Db, operation: string) =>
  db
    .selectFrom('meetingChecks')
    .innerJoin('workspaces', 'workspaces.id', 'meetingChecks.workspace')
    .select(['meetingChecks.workspace', 'draft', 'timezone'])
    .where('operation', '=', operation)
    .executeTakeFirst()

export const deleteCheck = (db: Db, operation: string) =>
  db.deleteFrom('meetingChecks').where('operation', '=', operation).execute()
