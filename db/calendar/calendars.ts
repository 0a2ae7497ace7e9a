import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Every member has a calendar of the house, which needs no row; those of other servers are rows an operator describes.

/** The id of a member's calendar of the house. */
export const ownCalendarId = (member: string): string => `cal_${member}`

export type Calendar = { id: string; name: string; member: string }

/** The calendars of a workspace by name. One of the house bears its member's name. */
export function listCalendars(
  db: Db,
  workspace: string,
  only: { id?: string; member?: string } = {},
): Promise<Calendar[]> {
  const house = db
    .selectFrom('members')
    .select([sql<string>`'cal_' || id`.as('id'), 'name', 'id as member'])
    .where('workspace', '=', workspace)
    .where('leftAt', 'is', null)
  const elsewhere = db
    .selectFrom('calendars')
    .select(['id', 'name', 'member'])
    .where('workspace', '=', workspace)
  let all = db
    .selectFrom(house.unionAll(elsewhere).as('all'))
    .selectAll()
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
  if (only.id !== undefined) all = all.where('id', '=', only.id)
  if (only.member !== undefined) all = all.where('member', '=', only.member)
  return all.execute()
}

export const findCalendar = async (
  db: Db,
  workspace: string,
  id: string,
): Promise<Calendar | undefined> => (await listCalendars(db, workspace, { id }))[0]

const withZone = (db: Db) =>
  db
    .selectFrom('calendars')
    .innerJoin('workspaces', 'workspaces.id', 'calendars.workspace')
    .selectAll('calendars')
    .select('workspaces.timezone')

/** A calendar of another server, with its workspace's zone; undefined for one of the house. */
export const findExternalCalendar = (db: Db, id: string) =>
  withZone(db).where('calendars.id', '=', id).executeTakeFirst()

export type ExternalCalendar = NonNullable<Awaited<ReturnType<typeof findExternalCalendar>>>

/** The calendars of other servers of one member. */
export const listExternalCalendars = (db: Db, member: string): Promise<ExternalCalendar[]> =>
  withZone(db).where('calendars.member', '=', member).orderBy('calendars.id').execute()

// As the index has it.
const triedAt = sql<Date>`coalesce(calendars.tried_at, '-infinity')`

/** Those of all workspaces that nobody has tried to read since `before`, the ones that were tried longest ago first. */
export const listCalendarsToRead = (db: Db, before: Date, limit: number) =>
  withZone(db)
    .where(triedAt, '<', before)
    .orderBy(triedAt)
    .orderBy('calendars.id')
    .limit(limit)
    .execute()

/** A calendar has its turn, whatever comes of it. */
export const noteCalendarTried = (db: Db, id: string, now: Date) =>
  db.updateTable('calendars').set({ triedAt: now }).where('id', '=', id).execute()

/** Notes why a calendar cannot be reached (a safe code), or that it can (null); writes only if that has changed. */
export const noteCalendarProblem = (db: Db, id: string, problem: string | null) =>
  db
    .updateTable('calendars')
    .set({ problem })
    .where('id', '=', id)
    .where('problem', 'is distinct from', problem)
    .execute()

export const calendarSynced = (db: Db, id: string, now: Date) =>
  db.updateTable('calendars').set({ syncedAt: now, problem: null }).where('id', '=', id).execute()
