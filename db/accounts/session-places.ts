import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// How many SMTP sessions an account may have at once, in all processes. Nobody counts them until its server has refused one; from
// then on each session takes one of the places, and as long as no more are refused, the number rises again. Places are leases on
// the database's own clock, so those of a process that died become free.

const holdsFor = sql<Date>`clock_timestamp() + interval '30 seconds'`
// Whoever holds the session that the server has counted may be another program, or a process that has opened it before anybody
// counted and keeps it for a while. Until that may have ended, nobody asks the server for one more.
const pause = sql<Date>`clock_timestamp() + interval '10 seconds'`
// The number rises by one each time that this has passed.
const risesAfterMs = 5 * 60_000
// As many as a process opens of one account at most, in two processes: then nobody counts any more.
const mostCounted = 8

type Limited = { id: string; sessionsMost: number | null; sessionsUntil: Date | null }

/**
 * A server has refused a session, while this process has `open` others of the account. Answers how many it may have from now on.
 */
export async function limitSessions(
  trx: Trx,
  account: string,
  open: number,
  now: Date,
): Promise<number> {
  const found = await trx
    .selectFrom('connections')
    .select('sessionsMost')
    .where('id', '=', account)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const known = found.sessionsMost === null ? open : Math.min(open, found.sessionsMost - 1)
  const sessionsMost = Math.max(1, known)
  const sessionsUntil = new Date(now.getTime() + risesAfterMs)
  await trx
    .updateTable('connections')
    .set({ sessionsMost, sessionsUntil })
    .where('id', '=', account)
    .execute()
  await takeFreePlaces(trx, account, { most: sessionsMost, holder: 'refused', until: pause })
  return sessionsMost
}

/** How many sessions the account may have now; null if they are not limited. */
async function mostNow(
  db: Db,
  { id, sessionsMost: most, sessionsUntil: until }: Limited,
  now: Date,
) {
  if (most === null || until === null || until > now) return most
  const sessionsMost = most + 1 > mostCounted ? null : most + 1
  await db
    .updateTable('connections')
    .set({ sessionsMost, sessionsUntil: new Date(now.getTime() + risesAfterMs) })
    .where('id', '=', id)
    .where('sessionsUntil', '=', until)
    .execute()
  return sessionsMost
}

/** A place for one more session. `free`: they are not limited. `full`: none is left at the moment. */
export async function takeSessionPlace(
  db: Db,
  account: Limited,
  holder: string,
  now: Date,
): Promise<number | 'free' | 'full'> {
  const most = await mostNow(db, account, now)
  if (most === null) return 'free'
  const free = { most, atMost: 1, holder, until: holdsFor }
  return (await takeFreePlaces(db, account.id, free))[0] ?? 'full'
}

type Free = { most: number; atMost?: number; holder: string; until: RawBuilder<Date> }

async function takeFreePlaces(
  db: Db | Trx,
  account: string,
  { most, atMost, holder, until }: Free,
) {
  const { rows } = await sql<{ place: number }>`
    insert into session_places (account, place, holder, until)
    select ${account}, place, ${holder}, ${until} from generate_series(1, ${most}::int) place
    where not exists (select from session_places taken
      where taken.account = ${account} and taken.place = place.place and taken.until > clock_timestamp())
    order by place limit ${atMost ?? most}
    on conflict (account, place) do update set holder = excluded.holder, until = excluded.until
      where session_places.until <= clock_timestamp()
    returning place`.execute(db)
  return rows.map(({ place }) => place)
}

const mine = (account: string, place: number, holder: string) =>
  sql`account = ${account} and place = ${place} and holder = ${holder}`

export const renewSessionPlace = (db: Db, account: string, place: number, holder: string) =>
  sql`update session_places set until = ${holdsFor} where ${mine(account, place, holder)}`.execute(
    db,
  )

export const leaveSessionPlace = (db: Db, account: string, place: number, holder: string) =>
  sql`delete from session_places where ${mine(account, place, holder)}`.execute(db)
