import { sql } from 'kysely'
import type { Occurrence } from '../../rules/calendar/events.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import type { ExternalCalendar } from './calendars.ts'
import { takeBack } from './invitations.ts'
import { lockMeeting, markCancelled } from './meetings.ts'

// Copies of the events in calendars on other servers, and changes made there to meetings that were booked here.

const rowsAtOnce = 500

/**
 * Makes our copies of a time window equal to `events`: adds new events, updates changed ones and deletes all others in the
 * window.
 */
export async function mirrorEvents(
  trx: Trx,
  calendar: ExternalCalendar,
  window: { from: Date; to: Date },
  events: Occurrence[],
  now: Date,
) {
  // Two reads of the same calendar at once run one after the other.
  await sql`select id from calendars where id = ${calendar.id} for update`.execute(trx)
  const each = [...new Map(events.map((event) => [keyOf(event), event])).values()]
  await trx
    .deleteFrom('meetings')
    .where('calendar', '=', calendar.id)
    .where('workspace', '=', calendar.workspace)
    .where('own', '=', false)
    .where('endsAt', '>', window.from)
    .where('startsAt', '<', window.to)
    .where(sql<boolean>`not (uid || ' ' || instance = any(${each.map(keyOf)}))`)
    .execute()
  for (let i = 0; i < each.length; i += rowsAtOnce)
    await upsert(trx, calendar, each.slice(i, i + rowsAtOnce), now)
}

const keyOf = ({ uid, instance }: Occurrence) => `${uid} ${instance}`

const copied = ['title', 'agenda', 'starts_at', 'ends_at', 'guests', 'replies', 'busy'] as const

const upsert = (
  trx: Trx,
  { id, workspace, timezone }: ExternalCalendar,
  events: Occurrence[],
  now: Date,
) =>
  trx
    .insertInto('meetings')
    .values(
      events.map((event) => ({
        ...event,
        id: newId('mtg'),
        workspace,
        calendar: id,
        zone: timezone,
        replies: JSON.stringify(event.replies.map((reply) => ({ ...reply, at: '' }))),
        own: false,
        remote: 'there' as const,
        createdAt: now,
      })),
    )
    .onConflict((oc) =>
      oc
        .columns(['workspace', 'calendar', 'uid', 'instance'])
        .doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          agenda: eb.ref('excluded.agenda'),
          startsAt: eb.ref('excluded.startsAt'),
          endsAt: eb.ref('excluded.endsAt'),
          guests: eb.ref('excluded.guests'),
          replies: sql<string>`excluded.replies`,
          busy: eb.ref('excluded.busy'),
        }))
        // Most events are unchanged from one read to the next, a few minutes later. Those are not written again.
        .where(sql<boolean>`not meetings.own and ${changed}`),
    )
    .execute()

const changed = sql.raw(
  `(${copied.map((name) => `meetings.${name}`).join(', ')}) is distinct from (${copied
    .map((name) => `excluded.${name}`)
    .join(', ')})`,
)

/** Meetings booked here in that calendar: those in a window, and those whose events have these UIDs. */
export const listOurEvents = (
  db: Db,
  { id, workspace }: ExternalCalendar,
  window: { from: Date; to: Date },
  uids: string[],
) =>
  db
    .selectFrom('meetings')
    .select(['id', 'uid', 'startsAt', 'endsAt', 'state', 'remote', 'remoteAt'])
    .where('workspace', '=', workspace)
    .where('calendar', '=', id)
    .where('own', '=', true)
    .where((eb) =>
      eb.or([
        eb('uid', '=', sql<string>`any(${uids})`),
        eb.and([eb('endsAt', '>', window.from), eb('startsAt', '<', window.to)]),
      ]),
    )
    .execute()

type OurEvent = Awaited<ReturnType<typeof listOurEvents>>[number]

/** The event of a meeting was moved on its server, so the meeting moves too. */
export async function moveMeeting(db: Db, meeting: OurEvent, event: Occurrence) {
  const { startsAt, endsAt } = event
  if (+startsAt === +meeting.startsAt && +endsAt === +meeting.endsAt) return
  await db
    .updateTable('meetings')
    .set({ startsAt, endsAt })
    .where('id', '=', meeting.id)
    .where('state', '=', 'booked')
    .execute()
}

/**
 * The event of a meeting was deleted on its server, so the meeting is cancelled. Nobody is written to, because most calendar
 * programs do that when they delete an event; the calendar's member is notified.
 */
export const cancelDeleted = (db: Db, id: string, now: Date) =>
  db.transaction().execute(async (trx) => {
    const meeting = await lockMeeting(trx, id)
    if (meeting?.state !== 'booked') return
    await markCancelled(trx, id)
    await takeBack(trx, id)
    await recordEvent(trx, {
      workspace: meeting.workspace,
      kind: 'meeting.cancelled',
      at: now,
      resource: id,
      data: { state: 'cancelled' },
    })
    await notify(trx, {
      workspace: meeting.workspace,
      member: meeting.member,
      at: now,
      kind: 'meeting.cancelled',
      text: 'A meeting was deleted in its calendar. Postroom did not write to its guests.',
    })
  })
