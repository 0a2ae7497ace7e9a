import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** What became of an account's letters and messages since a given moment. activities/accounts/signals.ts judges the shares. */
export type SendingRecord = {
  sent: number
  /** Came back for good, or refused by the server at once. */
  bounced: number
  refused: number
  complaints: number
  /** When its first letter went; null for an account that has sent nothing. */
  firstSentAt: Date | null
  usedToday: number
  /** The mean over those of the seven days before today on which it sent. */
  usualDay: number
  /** Why its mailbox cannot be read: a safe code. */
  mailboxProblem: string | null
}

/** `day` is today, YYYY-MM-DD in the workspace's zone. */
export async function findSendingRecord(
  db: Db,
  connection: string,
  since: Date,
  day: string,
): Promise<SendingRecord> {
  // What an account has sent is read by the indexes of its own letters, and no further back than since then. Whether an address that
  // complained had a letter from it is seen from the conversations with its person.
  const sent = sql`connection = ${connection} and direction = 'outbound' and state in ('sent', 'failed') and sent_at is not null`
  const { rows } = await sql<SendingRecord>`
    with recently as (select reason from messages where ${sent} and sent_at >= ${since})
    select
      (select count(*)::int from recently) as sent,
      (select count(*)::int from recently where reason = 'bounced') as bounced,
      (select count(*)::int from touches where connection = ${connection} and state = 'failed'
        and reason = 'refused' and first_claimed_at >= ${since})
      + (select count(*)::int from messages where connection = ${connection} and direction = 'outbound'
        and state = 'failed' and reason = 'refused' and claimed_at >= ${since}) as refused,
      (select count(*)::int from (
        select lower(report ->> 'recipient') as address from messages where connection = ${connection}
          and report ->> 'kind' = 'complaint' and (report ->> 'proven')::boolean and at >= ${since}
        union select s.address from suppressions s where s.reason = 'complaint' and s.evidence is null and s.at >= ${since}
          and s.workspace = (select workspace from connections where id = ${connection})
          and exists (select from addresses a join conversations c on c.person = a.person
              join messages m on m.conversation = c.id
            where a.workspace = s.workspace and a.kind = 'email' and a.value = s.address
              and m.connection = ${connection} and m.direction = 'outbound' and m.state in ('sent', 'failed')
              and m.sent_at is not null and lower(m.to_address) = s.address)) as complained) as complaints,
      (select sent_at from messages where ${sent} order by sent_at limit 1) as first_sent_at,
      coalesce((select used from connection_usage
        where connection = ${connection} and day = ${day}::date), 0)::int as used_today,
      coalesce((select avg(used)::float8 from connection_usage where connection = ${connection} and used > 0
        and day < ${day}::date and day >= ${day}::date - 7), 0) as usual_day,
      (select problem from mailbox_readers where connection = ${connection}) as mailbox_problem`.execute(
    db,
  )
  return rows[0] as SendingRecord
}
