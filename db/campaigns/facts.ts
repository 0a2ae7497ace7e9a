import { type RawBuilder, sql } from 'kysely'
import { statedGapSeconds } from '../../rules/answers/rest-lengths.ts'
import { unagreedOf } from '../../rules/campaign.ts'
import { dayIn, type Hours, mondayIn } from '../../rules/hours.ts'
import { isBehind } from '../accounts/mailboxes.ts'
import { hastenRest, probeOf } from '../accounts/rests.ts'
import type { Db } from '../database.ts'
import { heldWhy } from '../holds.ts'
import type { CampaignRow } from './campaigns.ts'
import { isAnybodyUnplanned } from './planning.ts'
import { goesAt } from './touches.ts'
import { lapseMs } from './turns.ts'

// What decides whether a campaign may write now, read all at once for rules/pace.ts.

export type CampaignFacts = Awaited<ReturnType<typeof findCampaignFacts>>

/** A campaign with what its letters depend on beside its accounts. */
export type Run = CampaignRow & {
  /** The zone of the workspace: budgets are counted by its days. */
  timezone: string
  enabled: boolean | null
  hours: Hours | null
  channels: string[] | null
  /** Why the workspace is held, if it is. */
  heldWhy: string | null
  /** The places that are agreed. */
  agreed: number[]
}

export const findRun = (db: Db, campaign: string): Promise<Run | undefined> =>
  db
    .selectFrom('campaigns')
    .innerJoin('workspaces', 'workspaces.id', 'campaigns.workspace')
    .leftJoin('agents', 'agents.id', 'campaigns.agent')
    .selectAll('campaigns')
    .select(['workspaces.timezone', 'agents.enabled', 'agents.hours', 'agents.channels'])
    .select(heldWhy(sql.ref('campaigns.workspace')).as('heldWhy'))
    .select(
      sql<
        number[]
      >`array(select place from campaign_letters l where l.campaign = campaigns.id and l.agreed order by place)`.as(
        'agreed',
      ),
    )
    .where('campaigns.id', '=', campaign)
    .executeTakeFirst()

/** The facts of a campaign as `findRun` gives it. */
export async function findCampaignFacts(db: Db, run: Run, now: Date) {
  const { agreed, enabled, hours } = run
  const { senders, left } = await findAccounts(db, run, now)
  const behind = behindOf(senders, left)
  const { queued, ...counts } = await readTouches(db, run, behind, now)
  // Whether somebody has no letter yet matters only if nothing is due.
  const isDue = queued.some(({ dueAt }) => dueAt <= now)
  const unplanned =
    !isDue &&
    run.state !== 'draft' &&
    run.segment !== null &&
    (await isAnybodyUnplanned(db, { ...run, segment: run.segment }))
  return {
    state: run.state,
    heldWhy: run.heldWhy,
    zone: run.timezone,
    agent: enabled !== null && hours !== null ? { enabled, hours } : null,
    senders,
    queued,
    agreed,
    behind,
    unplanned: Number(unplanned),
    ...counts,
  }
}

// The accounts whose follow-ups wait until their mailbox has been read; '' stands for letters that are bound to no account. For
// an account that is not a sender any more, follow-ups wait only if its mailbox can be read: its letters move to another
// account.
function behindOf(
  senders: { id: string; alive: boolean }[],
  left: { id: string; unread: string | null }[],
) {
  const isSender = (id: string) => senders.some((sender) => sender.id === id)
  const behind = left
    .filter(({ id, unread }) => unread === null || isSender(id))
    .map(({ id }) => id)
  const seeing = senders.some(({ id, alive }) => alive && !behind.includes(id))
  return seeing ? behind : [...behind, '']
}

export type Account = CampaignFacts['senders'][number]

/**
 * The e-mail accounts a campaign writes through: its own, otherwise its agent's, otherwise all of the workspace; each with its
 * member. `left` are the accounts of the workspace whose mailbox may hold an unread answer.
 */
async function findAccounts(
  db: Db,
  { id, workspace, senders, channels, timezone }: Run,
  now: Date,
) {
  const wanted = senders.length > 0 ? senders : (channels ?? [])
  const monday = mondayIn(timezone, now)
  const rows = await db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .select([
      'connections.id',
      'connections.kind',
      'connections.health',
      'connections.problem',
      'connections.limitDay',
      'connections.limitWeek',
      'connections.gapSeconds',
      'connections.lastClaimAt',
      'connections.member',
      'members.name as memberName',
      'members.jobTitle as memberJob',
      'members.signature',
      'mailboxReaders.problem as unread',
    ])
    .select([
      sql<boolean>`connections.alive and not connections.paused`.as('alive'),
      isBehind().as('isBehind'),
      heldWhy(sql.ref('connections.workspace'), sql.ref('connections.id')).as('heldWhy'),
      // What its provider has said about a rate holds for a day after it has had enough.
      sql<
        string | null
      >`(select words from rests where rests.account = connections.id and rests.server = 'smtp'
        and rests.cause = 'smtp_rate' and coalesce(rests.ended_at > ${now}::timestamptz - interval '1 day', true))`.as(
        'said',
      ),
      // It rests for one reason or the other.
      sql<Date | null>`greatest(connections.rests_until, ${probeOf(sql.ref('connections.id'))})`.as(
        'restsUntil',
      ),
      sql<number>`coalesce((select used from connection_usage u where u.connection = connections.id and u.day = ${dayIn(timezone, now)}::date), 0)`.as(
        'usedDay',
      ),
      sql<number>`coalesce((select sum(used) from connection_usage u where u.connection = connections.id
        and u.day >= ${monday}::date and u.day < ${monday}::date + 7), 0)::int`.as('usedWeek'),
      sql<Date | null>`(select at from account_turns t where t.connection = connections.id and t.campaign = ${id})`.as(
        'booked',
      ),
    ])
    .where('connections.workspace', '=', workspace)
    .where('connections.removedAt', 'is', null)
    .where((eb) => eb.or([eb('connections.kind', '=', 'email'), isBehind()]))
    .orderBy('connections.id')
    .execute()
  const isSender = (row: (typeof rows)[number]) =>
    row.kind === 'email' && (wanted.length === 0 || wanted.includes(row.id))
  return {
    senders: rows.filter(isSender).map((row) => {
      const counts = row.booked && now.getTime() < row.booked.getTime() + lapseMs(row)
      const gapSeconds = Math.max(row.gapSeconds, row.said ? statedGapSeconds(row.said) : 0)
      // Whoever sends the letters knows which account has one in hand.
      return { ...row, gapSeconds, turnAt: counts ? row.booked : null, isSending: false }
    }),
    left: rows.filter(({ isBehind }) => isBehind),
  }
}

// For each account, the earliest queued letter whose place or own text is agreed, without due follow-ups of accounts that are
// behind. That is one index probe for each account, however long the queue is.
function queuedIn({ id, workspace, agreed }: Run, behind: string[], now: Date) {
  const earliest = (places: number[], which: RawBuilder<unknown>) => sql`
    select account.id, t.due_at
    from (select id from connections where workspace = ${workspace} union all select '') account
    cross join unnest(${places}::int[]) as of(place)
    cross join lateral (
      select ${goesAt} as due_at from touches
      where campaign = ${id} and touches.place = of.place and state = 'queued' ${which}
        and coalesce(connection, '') = account.id
        and (of.place = 1 or ${goesAt} > ${now} or account.id <> all(${behind}::text[]))
      order by ${goesAt} limit 1) t`
  return sql`select nullif(id, '') as connection, min(due_at) as "dueAt"
    from (${earliest(agreed, sql``)} union all
      ${earliest(unagreedOf(agreed), sql`and touches.agreed`)}) either
    group by id`
}

// Whether a follow-up is due on an account whose mailbox may hold an unread answer.
const unseenIn = (campaign: string, agreed: number[], behind: string[], now: Date) => sql`(
  exists (
    select from unnest(${behind}::text[]) as account(id)
    cross join unnest(${agreed}::int[]) as of(place)
    join touches on campaign = ${campaign} and touches.place = of.place and state = 'queued'
      and coalesce(connection, '') = account.id and ${goesAt} <= ${now}
    where of.place > 1)
  or exists (select from touches where campaign = ${campaign} and place > 1 and state = 'queued'
    and agreed and coalesce(connection, '') = any(${behind}::text[]) and ${goesAt} <= ${now}))`

/** The letters that are queued first, how many are in review or being sent, and whether some wait for an agreement. */
async function readTouches(db: Db, run: Run, behind: string[], now: Date) {
  const { id, agreed } = run
  const { rows } = await sql<{
    queued: { connection: string | null; dueAt: string }[]
    unagreed: boolean
    notAgreed: boolean
    review: number
    inFlight: number
    unseen: boolean
  }>`
    select
      array(select to_jsonb(first) from (${queuedIn(run, behind, now)}) first) as queued,
      exists (select from touches where campaign = ${id} and place = any(${unagreedOf(agreed)}::int[])
        and state = 'queued' and not agreed and due_at <= ${now}) as unagreed,
      exists (select from unnest(${unagreedOf(agreed)}::int[]) as of(place) cross join lateral (
        select from touches where campaign = ${id} and touches.place = of.place
          and state = 'queued' and not agreed limit 1) waiting) as not_agreed,
      (select count(*)::int from touches where campaign = ${id} and state = 'review') as review,
      (select count(*)::int from touches
        where campaign = ${id} and state = 'sending' and reason is null) as in_flight,
      ${behind.length > 0 ? unseenIn(id, agreed, behind, now) : sql`false`} as unseen`.execute(db)
  const { queued, unagreed: dueUnagreed, ...counts } = rows[0] as (typeof rows)[number]
  return {
    ...counts,
    queued: queued.map(({ connection, dueAt }) => ({ connection, dueAt: new Date(dueAt) })),
    unagreed: counts.review + Number(dueUnagreed),
    dueUnagreed,
  }
}

/** A person has asked to try at once: the accounts of the campaign that rest may be tried by one letter each. */
export async function hastenSenders(db: Db, campaign: string, now: Date) {
  const run = await findRun(db, campaign)
  if (!run) return
  const { senders } = await findAccounts(db, run, now)
  for (const { id, restsUntil } of senders)
    if (restsUntil) await hastenRest(db, { account: id, server: 'smtp' }, now)
}
