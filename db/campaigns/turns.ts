import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

// Campaigns that write through one account, with a gap between two letters, take turns: each books the next moment that no
// other has booked, and its runner waits for its own moment. Otherwise all of them would wake together, and all but one in
// vain. A booking forbids nothing, so one that is not used stalls nobody for longer than a gap: the claim of a letter checks the
// gap itself.

// Runners wake a little later than their moment. With this much between two turns, the next one is not too early for it.
const slack = sql`interval '500 milliseconds'`

/** How long after its moment a booking counts. */
export const lapseMs = ({ gapSeconds }: { gapSeconds: number }) => Math.max(gapSeconds, 5) * 1000

/** For a query of connections `s`: the moment after the last turn that another campaign has booked; null if none has. */
const afterOthers = (campaign: string, now: Date) => sql`(
  select max(o.at) from account_turns o
  where o.connection = s.id and o.campaign <> ${campaign}
    and o.at > ${now}::timestamptz - greatest(s.gap_seconds, 5) * interval '1 second')
  + s.gap_seconds * interval '1 second' + ${slack}`

/**
 * Books the next free turn of an account for a campaign and answers when that is; now, if nobody is before it.
 */
export function takeTurn(db: Db, connection: string, campaign: string, now: Date): Promise<Date> {
  return db.transaction().execute(async (trx) => {
    // Of two who book at once, the later one has to see the turn of the other.
    await sql`select from connections where id = ${connection} for update`.execute(trx)
    const { rows } = await sql<{ at: Date }>`
      insert into account_turns (connection, campaign, at)
      select s.id, ${campaign}, greatest(${now}::timestamptz,
        s.last_claim_at + s.gap_seconds * interval '1 second', ${afterOthers(campaign, now)})
      from connections s where s.id = ${connection}
      on conflict (connection, campaign) do update set at = excluded.at
      returning at`.execute(trx)
    return rows[0]?.at ?? now
  })
}

/** The part of a claim that books the campaign's turn after this one, for a statement with the row that was `claimed`. */
export const nextTurn = (connection: string, campaign: string, now: Date) => sql`
  insert into account_turns (connection, campaign, at)
  select s.id, ${campaign}, greatest(${now}::timestamptz + s.gap_seconds * interval '1 second', ${afterOthers(campaign, now)})
  from connections s, claimed where s.id = ${connection} and s.gap_seconds > 0
  on conflict (connection, campaign) do update set at = excluded.at`

/** The campaign will not use the turns that it has booked. */
export const leaveTurns = (trx: Trx | Db, campaign: string) =>
  trx.deleteFrom('accountTurns').where('campaign', '=', campaign).execute()
