import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type DayCount = { received: number; sent: number; automated: number; meetings: number }

/**
 * What happened on each day: `starts` are the first instants of the days, oldest first, and `until` the end of the last. Counts
 * inbound messages, outbound ones and how many of these a machine wrote, conversations in which a meeting was recorded, and
 * meetings that were booked and not cancelled.
 */
export async function countDays(
  db: Db,
  workspace: string,
  starts: Date[],
  until: Date,
): Promise<DayCount[]> {
  const from = starts[0]
  const { rows } = await sql<{ day: number } & DayCount>`
    with happened as (
      select at, 1 as received, 0 as sent, 0 as automated, 0 as meetings from messages
      where workspace = ${workspace} and direction = 'inbound' and at >= ${from} and at < ${until}
      union all
      select sent_at, 0, 1, automated::int, 0 from messages
      where workspace = ${workspace} and direction = 'outbound' and state = 'sent'
        and sent_at >= ${from} and sent_at < ${until}
      union all
      select min(at), 0, 0, 0, 1 from audit
      where workspace = ${workspace} and at >= ${from} and at < ${until}
        and action = 'conversation.edited' and (after ->> 'met' = 'true' or after ->> 'reason' = 'meeting_booked')
      group by resource
      union all
      select created_at, 0, 0, 0, 1 from meetings
      where workspace = ${workspace} and own and state = 'booked' and created_at >= ${from} and created_at < ${until})
    select width_bucket(at, ${starts}::timestamptz[]) as day, sum(received)::int as received, sum(sent)::int as sent,
      sum(automated)::int as automated, sum(meetings)::int as meetings
    from happened group by 1`.execute(db)
  return starts.map((_, i) => {
    const row = rows.find(({ day }) => day === i + 1)
    const { received = 0, sent = 0, automated = 0, meetings = 0 } = row ?? {}
    return { received, sent, automated, meetings }
  })
}

export type Totals = {
  conversations: number
  open: number
  snoozed: number
  waiting: number
  people: number
  campaigns: number
  deals: number
}

/** The present counts: `waiting` are open conversations whose next message is ours; also running campaigns and open deals. */
export async function countTotals(db: Db, workspace: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select c.*,
      (select count(*)::int from people where workspace = ${workspace} and erased_at is null) as people,
      (select count(*)::int from campaigns where workspace = ${workspace} and state = 'running') as campaigns,
      (select count(*)::int from deals where workspace = ${workspace} and closed_at is null) as deals
    from (
      select count(*)::int as conversations,
        count(*) filter (where state = 'open')::int as open,
        count(*) filter (where state = 'snoozed')::int as snoozed,
        count(*) filter (where state = 'open' and waiting_for = 'us')::int as waiting
      from conversations where workspace = ${workspace}) c`.execute(db)
  return rows[0] as Totals
}
