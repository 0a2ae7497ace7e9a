import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { recordEvents } from '../events/events.ts'
import { enqueueWakes } from '../operations/wakes.ts'

// Letters of all campaigns to a person wait: while the person is away, while it is unclear whether they can be reached, or
// because a member says so. The hold belongs to the person, so that letters which are planned later wait too. Call these
// functions with the person locked.

/** until is null if the hold lasts until somebody releases it. */
export type Hold = { until: Date | null; why: string }

// An inbound message holds letters no longer than this: a date beyond it was misread. A hold without an end is checked again
// this often.
const longestMs = 90 * 24 * 60 * 60 * 1000

async function findHold(db: Db, person: string, now: Date): Promise<Hold | undefined> {
  const row = await db
    .selectFrom('people')
    .select(['heldUntil', 'heldWhy'])
    .where('id', '=', person)
    .executeTakeFirst()
  return row && holdIn(row, now)
}

/** The hold in a person's row, unless it is over. */
export const holdIn = (
  { heldUntil, heldWhy }: { heldUntil: Date | null; heldWhy: string | null },
  now: Date,
): Hold | undefined =>
  heldWhy === null || (heldUntil !== null && heldUntil <= now)
    ? undefined
    : { until: heldUntil, why: heldWhy }

/**
 * An inbound message holds these people's letters, with an event for each whom that concerns. A hold that lasts at least as
 * long, such as a member's, stays unchanged.
 */
export async function holdPeople(
  trx: Trx,
  people: string[],
  hold: { until: Date; why: string },
  now: Date,
) {
  const until = new Date(Math.min(hold.until.getTime(), now.getTime() + longestMs))
  if (until <= now) return
  const rows = await trx
    .updateTable('people')
    .set({ heldUntil: until, heldWhy: hold.why })
    .where('id', 'in', people)
    .where((eb) => eb.or([eb('heldWhy', 'is', null), eb('heldUntil', '<', until)]))
    .returning(['id', 'workspace'])
    .execute()
  const [first] = rows
  if (!first) return
  await recordEvents(
    trx,
    { workspace: first.workspace, kind: 'person.edited', at: now },
    rows.map(({ id }) => ({ resource: id, data: { members: ['held'] } })),
  )
  await putOff(
    trx,
    rows.map(({ id }) => id),
    until,
  )
}

/** A member holds a person's letters. This replaces any other hold, and wakes their campaigns if it did. */
export async function holdPerson(trx: Trx, person: string, hold: Hold, now: Date) {
  const campaigns = await releaseLetters(trx, person)
  await trx
    .updateTable('people')
    .set({ heldUntil: hold.until, heldWhy: hold.why })
    .where('id', '=', person)
    .execute()
  await putOff(trx, [person], endOf(hold, now))
  await wakeRunners(trx, campaigns)
}

/** Lets a person's letters go at their original times, and wakes their campaigns. */
export async function releasePerson(trx: Trx, person: string) {
  await trx
    .updateTable('people')
    .set({ heldUntil: null, heldWhy: null })
    .where('id', '=', person)
    .execute()
  await wakeRunners(trx, await releaseLetters(trx, person))
}

/** Tells campaigns that letters have another time now. */
async function wakeRunners(trx: Trx, campaigns: string[]) {
  if (campaigns.length === 0) return
  await enqueueWakes(
    trx,
    sql`select distinct runner as workflow from campaigns
      where id = any(${campaigns}::text[]) and state = 'running' and runner is not null`,
    'letters',
  )
}

/** Puts a letter off if its person is held; false if there is no hold. */
export async function putOffHeld(
  db: Db,
  { id, person }: { id: string; person: string },
  now: Date,
): Promise<boolean> {
  const hold = await findHold(db, person, now)
  if (hold) await putOff(db, [person], endOf(hold, now), id)
  return hold !== undefined
}

/**
 * Locks those of these people who are held, before letters to them are planned, so that a release comes before the planning or
 * after it. Answers what puts the planned letters off.
 */
export async function lockHeld(trx: Trx, people: string[], now: Date) {
  const rows = await trx
    .selectFrom('people')
    .select(['id', 'heldUntil', 'heldWhy'])
    .where(sql<SqlBool>`id = any(${people}::text[])`)
    .where('heldWhy', 'is not', null)
    .orderBy('id')
    .forShare()
    .execute()
  const ends = new Map<number, string[]>()
  for (const row of rows) {
    const hold = holdIn(row, now)
    if (!hold) continue
    const end = endOf(hold, now).getTime()
    ends.set(end, [...(ends.get(end) ?? []), row.id])
  }
  return async () => {
    for (const [end, held] of ends) await putOff(trx, held, new Date(end))
  }
}

const endOf = ({ until }: Hold, now: Date) => until ?? new Date(now.getTime() + longestMs)

function putOff(db: Db, people: string[], until: Date, touch?: string) {
  const waiting = db
    .updateTable('touches')
    .set((eb) => ({
      dueAt: until,
      heldFrom: eb.fn.coalesce('heldFrom', 'dueAt'),
      reason: sql<string | null>`case state when 'queued' then 'held' else reason end`,
    }))
    .where('person', 'in', people)
    .where('state', 'in', ['queued', 'review'])
    .where('dueAt', '<', until)
  return (touch === undefined ? waiting : waiting.where('id', '=', touch)).execute()
}

async function releaseLetters(trx: Trx, person: string): Promise<string[]> {
  const rows = await trx
    .updateTable('touches')
    .set((eb) => ({
      dueAt: eb.fn.coalesce('heldFrom', 'dueAt'),
      heldFrom: null,
      reason: sql<string | null>`nullif(reason, 'held')`,
    }))
    .where('person', '=', person)
    .where('state', 'in', ['queued', 'review'])
    .where('heldFrom', 'is not', null)
    .returning('campaign')
    .execute()
  return [...new Set(rows.map(({ campaign }) => campaign))]
}
