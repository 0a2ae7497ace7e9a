import { type SqlBool, sql } from 'kysely'
import { wallClock } from '../../rules/local-time.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { MeetingDraft } from './tables.ts'

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

/**
 * A meeting as clients read it, also in the answers of activities, which import nothing of api; day and start are in `zone`, the
 * workspace's.
 */
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
    replies: row.replies.map(({ address, answer, unverified }) => ({
      address,
      answer,
      ...(unverified && { unverified }),
    })),
    proposals: row.proposals
      .filter(({ state }) => state === 'open')
      .map(({ state: _, ...proposal }) => proposal),
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
  | 'proposals'
  | 'agenda'
  | 'state'
  | 'own'
>

/** A draft as clients read it: the meeting as it would be booked, without an id, or as it would be moved. */
export const presentDraft = (draft: MeetingDraft, zone: string) =>
  presentMeeting(
    {
      ...draft,
      id: draft.meeting ?? '',
      startsAt: new Date(draft.startsAt),
      endsAt: new Date(draft.endsAt),
      replies: [],
      proposals: [],
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
      proposals: '[]',
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
  draft: { startsAt: Date; endsAt: Date; meeting?: string },
) =>
  inWindow(db, workspace, draft.startsAt, draft.endsAt)
    .where(sql<SqlBool>`calendar = any(${calendars})`)
    .where('busy', '=', true)
    .where('id', '!=', draft.meeting ?? '')
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

/** A meeting booked here, by its UID, locked until the transaction ends; undefined if there is none. */
export async function lockByUid(trx: Trx, workspace: string, uid: string) {
  const row = await trx
    .selectFrom('meetings')
    .select('id')
    .where('workspace', '=', workspace)
    .where('uid', '=', uid)
    .where('own', '=', true)
    .forUpdate()
    .executeTakeFirst()
  return row && findMeeting(trx, row.id)
}

type Move = { startsAt: Date; endsAt: Date }

/**
 * Moves a locked meeting. SEQUENCE rises, and answers to the former time count no more (RFC 5546, 2.1.4). An event on the
 * calendar's server stays where it is until it is rewritten.
 */
export const moveBooked = (trx: Trx, id: string, { startsAt, endsAt }: Move) =>
  trx
    .updateTable('meetings')
    .set((eb) => ({
      startsAt,
      endsAt,
      replies: '[]',
      sequence: eb('sequence', '+', 1),
      remote: sql<'none' | 'pending'>`case remote when 'none' then remote else 'pending' end`,
    }))
    .where('id', '=', id)
    .execute()

/** Takes a move back, if there was none after it. */
export const moveBack = (
  trx: Trx,
  id: string,
  { startsAt, endsAt, replies, sequence }: NonNullable<MeetingDraft['was']>,
  now: Date,
) =>
  trx
    .updateTable('meetings')
    .set({
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      remoteAt: now,
      replies: JSON.stringify(replies),
      remote: 'there',
    })
    .where('id', '=', id)
    .where('sequence', '=', sequence)
    .where('state', '=', 'booked')
    .execute()

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
