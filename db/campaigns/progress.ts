import { type SqlBool, sql } from 'kysely'
import { unwanted } from '../../rules/campaign.ts'
import type { Db } from '../database.ts'
import type { CampaignRow } from './campaigns.ts'
import { members, unplanned } from './planning.ts'

// How far a campaign has come, in numbers.

// Letters that were not wanted any more: they did not fail.
const isSkipped = sql<boolean>`coalesce(reason = any(${[...unwanted]}::text[]), false)`

// For a query of messages `m`: an answer, not automatic, of a sender who is beyond doubt.
export const heard = sql<SqlBool>`m.direction = 'inbound' and not m.automated and not m.suspect`

const inIntents = (intents: string[], reason: string) => sql<SqlBool>`
  (c.intent = any(${intents}::text[]) or c.reason = ${reason})`
/** For a query of conversations `c`: what people have answered. */
export const intents = {
  interested: inIntents(['interested', 'meeting', 'quote'], 'meeting_booked'),
  declined: inIntents(['not_interested', 'unsubscribe'], 'not_interested'),
}

/** Letters sent of a variant, and people who answered one. */
export type VariantCounts = {
  place: number
  variant: string
  sent: number
  replied: number
  interested: number
}

// For a query of first letters: people who left before a letter went do not count.
const isPlanned = sql<SqlBool>`place = 1 and reason is distinct from 'left_segment'`

/**
 * How many people there are, of whom `planned` have a first letter. Where planning has come to a segment, those whom it has not come
 * to are looked up, and they are few: millions of members need not be compared with as many letters.
 */
const everybody = (campaign: CampaignRow) => {
  const { id, segment, state, plannedSegment, plannedTo } = campaign
  if (segment === null) return sql`planned`
  if (state === 'draft') return sql`(select count(*)::int from ${members(segment)})`
  if (plannedSegment !== segment)
    return sql`(select count(*)::int from (
        select person from ${members(segment)}
        union select person from touches where campaign = ${id} and ${isPlanned}) everyone)`
  return sql`planned + (select count(*)::int from (${unplanned({ segment, plannedSegment, plannedTo })}) new
        where not exists (select from touches t where t.campaign = ${id} and t.person = new.person and ${isPlanned}))`
}

/**
 * Numbers of a campaign: touches by state, and people by their reaction. It starts from the answers, which are few, and looks
 * up each one: joins with the letters took minutes when the planner had no statistics for freshly written rows.
 */
export async function countProgress(db: Db, campaign: CampaignRow) {
  const { rows } = await sql<{
    people: number
    queued: number
    review: number
    sending: number
    sent: number
    failed: number
    skipped: number
    written: number
    replied: number
    interested: number
    declined: number
    meetings: number
    variants: VariantCounts[]
  }>`
    with counts as (
      select
        count(*) filter (where state = 'queued' and place > 0)::int as queued,
        count(*) filter (where state = 'review' and place > 0)::int as review,
        count(*) filter (where state = 'sending')::int as sending,
        count(*) filter (where state = 'sent')::int as sent,
        count(*) filter (where state = 'failed' and place > 0 and not ${isSkipped})::int as failed,
        count(*) filter (where state = 'failed' and ${isSkipped})::int as skipped,
        -- Nobody gets a second letter without the first.
        count(*) filter (where state = 'sent' and place = 1)::int as written,
        count(*) filter (where ${isPlanned})::int as planned
      from touches where campaign = ${campaign.id}),
    answers as (
      select m.at, coalesce(${intents.interested}, false) as is_interested, ${intents.declined} as is_declined,
        (select t.person from touches t
          where t.campaign = ${campaign.id} and t.place = 1 and t.sent_at <= m.at and t.person = c.person) as person,
        (select t.person from touches t
          where t.campaign = ${campaign.id} and t.place = 1 and t.sent_at <= m.at and t.person = (
            select a.person from addresses a
            where a.workspace = m.workspace and a.kind = 'email' and a.value = lower(m.sender_handle))) as elsewhere
      from messages m join conversations c on c.id = m.conversation
      where m.workspace = ${campaign.workspace} and ${heard} and m.at >= ${campaign.startedAt})
    select counts.*,
      (select coalesce(json_agg(v order by v.place, v.variant), '[]') from (
        select k.place, k.variant, max(k.sent)::int as sent,
          count(distinct r.person)::int as replied,
          count(distinct r.person) filter (where r.interested)::int as interested
        from (
          select place, variant, count(*) filter (where state = 'sent') as sent from touches
            where campaign = ${campaign.id} and variant is not null and not own_words group by place, variant
          union all
          select place, variant, 0 from campaign_templates where campaign = ${campaign.id}) k
        left join (
          -- A person's last letter before their first answer.
          select distinct on (a.person) a.person, a.interested, t.place,
            case when not t.own_words then t.variant end as variant
          from (
            select person, min(at) as at, bool_or(interested) as interested from (
              select person, at, is_interested as interested from answers where person is not null
              union all select elsewhere, at, false from answers where elsewhere is not null) either
            group by person) a
          join touches t on t.campaign = ${campaign.id} and t.person = a.person and t.sent_at <= a.at
          order by a.person, t.place desc) r on r.place = k.place and r.variant = k.variant
        group by k.place, k.variant) v) as variants,
      ${everybody(campaign)} as people,
      (select count(distinct person)::int from (
        select person from answers union all select elsewhere from answers) either) as replied,
      (select count(distinct person)::int from answers where is_interested) as interested,
      (select count(distinct person)::int from (
        select person from answers where is_declined
        union all
        select person from touches
          where campaign = ${campaign.id} and place > 1 and state = 'failed' and reason = 'unsubscribed') no) as declined,
      (select count(distinct (
          select t.person from touches t where t.campaign = ${campaign.id} and t.person = met.person and t.place = 1
            and t.sent_at is not null))::int
        from (
          select c.person from conversations c
          where c.workspace = ${campaign.workspace} and (c.met or c.reason = 'meeting_booked')
          union
          -- A meeting booked since the campaign began, with a guest who is one of its people.
          select a.person from meetings g cross join unnest(g.guests) guest(address)
            join addresses a on a.workspace = g.workspace and a.kind = 'email' and a.value = guest.address
          where g.workspace = ${campaign.workspace} and g.own and g.state = 'booked'
            and g.created_at >= ${campaign.startedAt}) met) as meetings
    from counts`.execute(db)
  const counts = rows[0] as (typeof rows)[number]
  if (campaign.state !== 'done') return counts
  // None of these will go; their rows are ended batch by batch.
  const { queued, review, skipped } = counts
  return { ...counts, queued: 0, review: 0, skipped: skipped + queued + review }
}
