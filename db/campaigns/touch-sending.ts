import { type Selectable, type SqlBool, sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import type { CampaignState } from '../../rules/campaign.ts'
import type { Obstacles } from '../../rules/claim.ts'
import type { Hours } from '../../rules/hours.ts'
import { behindOf } from '../accounts/mailboxes.ts'
import { probeOf } from '../accounts/rests.ts'
import type { Connections } from '../accounts/tables.ts'
import { statementPerShape } from '../compiled.ts'
import { bothInOneTrip, type Db, type Trx } from '../database.ts'
import { isHeld, passFence } from '../holds.ts'
import { holdIn } from '../people/holds.ts'
import { agreementIn } from './agreements.ts'
import { membership } from './leaving.ts'
import { findTouch, letterAddress, type TouchRow, type WrittenText, writeTouch } from './touches.ts'

// What forbids a campaign letter, and what puts it off.

const refusals = {
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  suppressed: 'suppressed',
  replied: 'replied',
  gone: 'left_segment',
} as const
type Refusals = Record<keyof typeof refusals, boolean>

// The columns of `Refusals`, for a query of touches `t` of campaigns `c`; `to` is where the letter goes, in small letters.
const refusing = (to: string) => {
  const mine = sql`select mailbox_of(value) from addresses where person = t.person and kind = 'email'`
  // Were the state a condition, Postgres might read all letters of the campaign that were sent, rather than those of the person.
  const first = sql`(select min(sent_at) filter (where state = 'sent') from touches where campaign = t.campaign and person = t.person)`
  return sql`
    exists (select from suppressions s where s.workspace = t.workspace and s.reason = 'unsubscribe'
      and mailbox_of(s.address) in (${mine})) as unsubscribed,
    exists (select from suppressions s where s.workspace = t.workspace and s.reason = 'bounce'
      and s.address = ${to}) as bounced,
    exists (select from suppressions s where s.workspace = t.workspace and s.reason in ('complaint', 'operator')
      and mailbox_of(s.address) = mailbox_of(${to})) as suppressed,
    exists (select from conversations v join messages m on m.conversation = v.id
      where v.person = t.person and m.direction = 'inbound' and not m.automated
        and not m.suspect and m.at >= ${first})
    or exists (select from addresses a join messages m on lower(m.sender_handle) = a.value
      where a.person = t.person and a.kind = 'email' and m.workspace = t.workspace and m.direction = 'inbound'
        and not m.automated and not m.suspect and m.at >= ${first}) as replied,
    c.segment is not null and ${membership()} is not true as gone`
}

const refusalIn = (row: Refusals | undefined): string | undefined => {
  const found = (Object.keys(refusals) as (keyof Refusals)[]).find((name) => row?.[name])
  return found && refusals[found]
}

/** What forbids another letter to a person at any time. */
export async function findRefusal(
  db: Db,
  touch: TouchRow,
  to: string | null,
): Promise<string | undefined> {
  if (to === null) return 'no_contact'
  const { rows } = await sql<Refusals>`select ${refusing(comparedForm(to))}
    from touches t join campaigns c on c.id = t.campaign where t.id = ${touch.id}`.execute(db)
  return refusalIn(rows[0])
}

/** What the rows say of one letter and of the account that it goes through. */
type Read = Omit<Obstacles, 'isResting'> & {
  /** When one letter may go through the account, if it rests. */
  probeAt: Date | null
}

/** Of the account, and when. `day` and `monday` are of the workspace's zone. */
type Checked = { connection: string; day: string; monday: string; now: Date }

/**
 * Locks the campaign against moves, then the person, then the connection, and reads everything that may forbid a letter, so that
 * a reply stops a follow-up. Every claim takes its locks in this order. `account` is undefined if this epoch may not claim any
 * more, and `obstacles` if the letter has gone to another card meanwhile.
 */
export async function lockForClaim(
  trx: Trx,
  touch: Pick<TouchRow, 'id' | 'campaign' | 'person'> & { toAddress: string },
  { epoch, connection, day, monday, now }: Checked & { epoch: number },
): Promise<{ account: Selectable<Connections> | undefined; obstacles: Read | undefined }> {
  const { id, campaign, person } = touch
  const to = comparedForm(touch.toAddress)
  const [[locked], [found]] = await bothInOneTrip(
    trx,
    lockOf(trx, { campaign, person, connection }),
    obstaclesOf(trx, { id, person, to, connection, day, monday }),
  )
  const mayClaim = locked?.campaignState === 'running' && locked.runEpoch === epoch
  return {
    account: mayClaim ? locked : undefined,
    obstacles: found && obstaclesIn(found, now),
  }
}

/** Rows are locked in the order in which they are named. Then the claim passes the fence of the holds. */
const lockOf = statementPerShape(
  (
    db,
    { campaign, person, connection }: { campaign: string; person: string; connection: string },
  ) =>
    sql<Selectable<Connections> & { campaignState: CampaignState; runEpoch: number }>`
      with locked as materialized (
        select k.state as campaign_state, k.run_epoch, s.*
        from campaigns k, people p, connections s
        where k.id = ${campaign} and p.id = ${person} and s.id = ${connection}
        for share of k for update of p for no key update of s)
      select locked.*, ${passFence(sql.ref('locked.workspace'))} as fence from locked`.compile(db),
)

type Found = Refusals &
  Omit<Read, 'refusal' | 'isHeld' | 'agreement' | 'agent'> & {
    heldUntil: Date | null
    heldWhy: string | null
    ownAgreed: boolean
    placeAgreed: boolean
    isCurrent: boolean
    enabled: boolean | null
    hours: Hours | null
  }

function obstaclesIn(row: Found, now: Date): Read {
  const { isStopped, isTheirs, isWrittenTo, usedDay, usedWeek, isBehind, isSender, probeAt } = row
  const { enabled, hours } = row
  const { ownAgreed: own, placeAgreed: place, isCurrent: current } = row
  return {
    isStopped,
    refusal: refusalIn(row),
    isTheirs,
    isHeld: holdIn(row, now) !== undefined,
    agreement: agreementIn({ own, place, current }),
    isWrittenTo,
    usedDay,
    usedWeek,
    isBehind,
    isSender,
    probeAt,
    agent: enabled === null || hours === null ? null : { enabled, hours },
  }
}

const obstaclesOf = statementPerShape(
  (db, values: Omit<Checked, 'now'> & { id: string; person: string; to: string }) => {
    const { id, person, to, connection, day, monday } = values
    return sql<Found>`select ${refusing(to)},
      p.held_until, p.held_why,
      coalesce(lower(t.to_address), ${to}::text) = ${to}::text and exists (select from addresses
        where person = t.person and kind = 'email' and value = ${to}::text) as is_theirs,
      t.agreed as own_agreed, coalesce(l.agreed, false) as place_agreed,
      t.own_words or coalesce(t.brief, c.brief_version) = c.brief_version as is_current,
      exists (select from touches o where o.person = t.person and o.claimed_day = ${day}::date and o.id <> t.id) as is_written_to,
      coalesce((select used from connection_usage u where u.connection = ${connection} and u.day = ${day}::date), 0) as used_day,
      coalesce((select sum(used) from connection_usage u where u.connection = ${connection}
        and u.day >= ${monday}::date and u.day < ${monday}::date + 7), 0)::int as used_week,
      exists (${behindOf(connection)}) as is_behind,
      ${probeOf(sql`${connection}`)} as probe_at,
      a.enabled, a.hours, ${isHeld(sql.ref('t.workspace'), sql`${connection}`)} as is_stopped,
      exists (select from connections s where s.id = ${connection} and s.alive and not s.paused
        and case when cardinality(c.senders) > 0 then s.id = any(c.senders)
          when cardinality(a.channels) > 0 then s.id = any(a.channels) else true end) as is_sender
    from touches t join campaigns c on c.id = t.campaign join people p on p.id = t.person
      left join agents a on a.id = c.agent
      left join campaign_letters l on l.campaign = t.campaign and l.place = t.place
    where t.id = ${id} and t.person = ${person}`.compile(db)
  },
)

export async function findLetterAddress(db: Db, touch: TouchRow): Promise<string | null> {
  const address = letterAddress(sql`${touch.person}`, sql`${touch.toAddress}`)
  const { rows } = await sql<{ address: string | null }>`select ${address} as address`.execute(db)
  return rows[0]?.address ?? null
}

/** Locks the campaign against moves and answers whether this epoch may still claim. */
export async function mayClaim(trx: Trx, campaign: string, epoch: number): Promise<boolean> {
  const row = await trx
    .selectFrom('campaigns')
    .select(['state', 'runEpoch'])
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'running' && row.runEpoch === epoch
}

/** Locks the campaign against moves until the transaction ends, and answers its state. Lock it before the touch. */
export async function shareCampaign(trx: Trx, campaign: string) {
  const row = await trx
    .selectFrom('campaigns')
    .select('state')
    .where('id', '=', campaign)
    .forShare()
    .executeTakeFirstOrThrow()
  return row.state
}

/** Puts a queued letter off, e.g. to the next day if its person was written to today. */
export const postponeTouch = (trx: Db, id: string, dueAt: Date) =>
  trx
    .updateTable('touches')
    .set({ dueAt, heldFrom: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()

/**
 * Puts a queued letter up for review unless it has been agreed meanwhile. Call it with the campaign locked by an earlier
 * statement: then an agreement is seen here, or finds the letter in review.
 */
export const reviewTouch = (trx: Trx, id: string) =>
  trx
    .updateTable('touches')
    .set({ state: 'review' })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('agreed', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaignLetters as l')
            .select('l.place')
            .whereRef('l.campaign', '=', 'touches.campaign')
            .whereRef('l.place', '=', 'touches.place')
            .where('l.agreed', '=', true),
        ),
      ),
    )
    .execute()

/** Puts a queued letter up for review with its text, or with the one it has. */
export const putUpForReview = (
  db: Db,
  { id, campaign }: { id: string; campaign: string },
  text?: WrittenText,
) =>
  db.transaction().execute(async (trx) => {
    await shareCampaign(trx, campaign)
    if (text) await writeTouch(trx, id, text)
    await reviewTouch(trx, id)
  })

/** Locks a touch's row until the transaction ends and reads it. */
export async function lockTouch(trx: Trx, id: string): Promise<TouchRow | undefined> {
  await sql<SqlBool>`select id from touches where id = ${id} for update`.execute(trx)
  return findTouch(trx, id)
}
