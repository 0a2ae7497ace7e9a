import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import type { CampaignRow } from './campaigns.ts'
import { heard, intents } from './progress.ts'
import { letterSays } from './says.ts'

// The people of a campaign by what has come of it, in the order of their ids. The numbers of a campaign (progress.ts) count the
// same people: those who replied, and who are interested or not. A page is found in two steps: who is on it, and what there is to
// know of each of them.

export const outcomes = [
  'sent',
  'replied',
  'interested',
  'declined',
  'bounced',
  'unsubscribed',
  'held',
  'failed',
] as const
export type PersonOutcome = (typeof outcomes)[number]

type Campaign = Pick<CampaignRow, 'id' | 'workspace' | 'startedAt'>
type Page = { after: string; limit: number; now: Date }

/** `last` is the person up to whom the campaign was searched; undefined if that is its end. */
export type Found = { people: string[]; last: string | undefined }

/** The people with an outcome or, without one, all who have a letter of the campaign, a page of them. */
export async function findPeopleWith(
  db: Db,
  campaign: Campaign,
  outcome: PersonOutcome | undefined,
  page: Page,
): Promise<Found> {
  // Nobody has a letter of a campaign that never started.
  const { startedAt } = campaign
  if (!outcome || startedAt === null) return endOf(await queryPeople(db, everybody(campaign, page)))
  const reaction = reactions({ ...campaign, startedAt })[outcome]
  const letters = says[outcome]?.map((what) => sayingSo(campaign, what, page)) ?? []
  if (!reaction) return endOf(await queryPeople(db, first(letters, page.limit)))
  if (await areFew(db, reaction.recent)) {
    const reacted = sql`select distinct person from (
        select (select t.person from touches t where t.campaign = ${campaign.id} and t.place = 1
          and t.person = said.person and t.sent_at <= said.at) as person
        from (${reaction.said}) said) few
      where person > ${page.after} order by person limit ${page.limit}`
    return endOf(await queryPeople(db, first([...letters, reacted], page.limit)))
  }
  const { rows } = await sql<{ people: string[]; walked: number; last: string | null }>`
    with walked as materialized (
      select person, workspace, sent_at from touches
      where campaign = ${campaign.id} and place = 1 and sent_at is not null and person > ${page.after}
      order by person limit ${mostWalked}),
    reacted as (
      select person from walked t where ${reaction.has} order by person limit ${page.limit})
    select array(${first([...letters, sql`select person from reacted`], page.limit)}) as people,
      (select count(*)::int from walked) as walked, (select max(person) from walked) as last`.execute(
    db,
  )
  const { people, walked, last } = rows[0] as (typeof rows)[number]
  if (walked < mostWalked || last === null) return endOf(people)
  // Beyond those who were looked at, more may have reacted.
  return { people: people.filter((person) => person <= last), last }
}

// So many recent reactions of a workspace are looked at, whoever they are from. If there are more, the people of the campaign
// are, so many for one page.
const mostRecent = 2000
const mostWalked = 1000

const endOf = (people: string[]): Found => ({ people, last: undefined })

async function queryPeople(db: Db, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`${query}`.execute(db)
  return rows.map(({ person }) => person)
}

/** The first people of several queries that are in order. */
const first = (queries: RawBuilder<unknown>[], limit: number) => sql`
  select person from (${sql.join(
    queries.map((query) => sql`(${query})`),
    sql` union `,
  )}) either order by person limit ${limit}`

const everybody = ({ id }: Campaign, { after, limit }: Page) => sql`
  select person from touches
  where campaign = ${id} and place = 1 and reason is distinct from 'left_segment' and person > ${after}
  order by person limit ${limit}`

// The outcomes that letters tell, and which letters.
const says: Partial<Record<PersonOutcome, RawBuilder<SqlBool>[]>> = {
  sent: [sql`${sql.raw(letterSays)} = 'sent'`],
  bounced: [sql`${sql.raw(letterSays)} = 'bounced'`],
  failed: [sql`${sql.raw(letterSays)} = 'failed'`],
  held: [sql`${sql.raw(letterSays)} = 'held'`],
  unsubscribed: [sql`${sql.raw(letterSays)} = 'unsubscribed'`],
  // Whoever unsubscribed before the first letter did not decline it.
  declined: [sql`${sql.raw(letterSays)} = 'unsubscribed' and place > 1`],
}

/** A person has up to three letters, so a page needs no more than three times as many rows. */
const sayingSo = ({ id }: Campaign, what: RawBuilder<SqlBool>, { after, limit, now }: Page) => sql`
  select distinct on (person) person from touches
  where campaign = ${id} and ${what} and person > ${after} and place > 0
    -- The letter of a hold that is over goes as soon as it may.
    and (held_from is null or state not in ('queued', 'review') or due_at > ${now})
  order by person, place limit ${limit}`

type Reaction = {
  /** The reactions in the workspace since the campaign began. */
  recent: RawBuilder<unknown>
  /** Who has reacted, and when. */
  said: RawBuilder<unknown>
  /** Whether the person of a first letter `t` has reacted to it. */
  has: RawBuilder<SqlBool>
}

/** The outcomes that people's reactions tell. */
function reactions({
  workspace,
  startedAt,
}: Campaign & { startedAt: Date }): Partial<Record<PersonOutcome, Reaction>> {
  // They start from what was said, which is little, and look up each of it: joins went through whole tables.
  const recent = sql`select m.conversation, m.sender_handle, m.at from messages m
    where m.workspace = ${workspace} and ${heard} and m.at >= ${startedAt} order by m.at`
  const inConversations = (which: RawBuilder<SqlBool>) => sql`
    select (select c.person from conversations c where c.id = m.conversation and ${which}) as person, m.at
    from (${recent} limit ${mostRecent}) m`
  const addressed = (value: RawBuilder<string>) => sql`(select a.person from addresses a
    where a.workspace = ${workspace} and a.kind = 'email' and a.value = ${value})`
  const elsewhere = sql`
    select ${addressed(sql`lower(m.sender_handle)`)} as person, m.at from (${recent} limit ${mostRecent}) m`
  const suppressed = sql`select s.address, s.reason, s.at from suppressions s
    where s.workspace = ${workspace} and s.at >= ${startedAt} order by s.at desc`
  const withIntent = (which: RawBuilder<SqlBool>): Reaction => ({
    recent,
    said: inConversations(which),
    has: sql`exists (${answersIn(which)})`,
  })
  return {
    replied: {
      recent,
      said: sql`${inConversations(sql`true`)} union all ${elsewhere}`,
      has: sql`(exists (${answersIn(sql`true`)}) or exists (${answersFrom}))`,
    },
    interested: withIntent(intents.interested),
    declined: withIntent(intents.declined),
    unsubscribed: {
      recent: suppressed,
      said: sql`select ${addressed(sql`s.address`)} as person, s.at
        from (${suppressed} limit ${mostRecent}) s where s.reason = 'unsubscribe'`,
      has: sql`exists (select from addresses a where a.person = t.person and a.kind = 'email'
        and (select max(s.at) from suppressions s where s.workspace = t.workspace
          and s.address = a.value and s.reason = 'unsubscribe') >= t.sent_at)`,
    },
  }
}

// The person's answers to a first letter `t`, the first one of each conversation, and from addresses of theirs elsewhere.
const answersIn = (which: RawBuilder<SqlBool>) => sql`
  select answer.at, c.id as conversation from conversations c
    cross join lateral (select m.at from messages m
      where m.conversation = c.id and ${heard} and m.at >= t.sent_at order by m.at limit 1) answer
  where c.person = t.person and ${which}`
const answersFrom = sql`
  select answer.at, answer.conversation from addresses a
    cross join lateral (select m.at, m.conversation from messages m
      where m.workspace = t.workspace and lower(m.sender_handle) = a.value and ${heard} and m.at >= t.sent_at
      order by m.at limit 1) answer
  where a.person = t.person and a.kind = 'email'`

async function areFew(db: Db, recent: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${mostRecent} as few from (${recent} limit ${mostRecent + 1}) recent`.execute(
    db,
  )
  return rows[0]?.few ?? true
}

/** What is known of people of a campaign, in their order: the first answer and when they reacted, and their letters. */
export async function findReactions(db: Db, campaign: Campaign, people: string[]) {
  const firstOf = (answers: RawBuilder<unknown>) =>
    sql`lateral (select * from (${answers}) answers order by at limit 1)`
  const suppressed = (reasons: string[]) => sql<Date | null>`(
    select max((select max(s.at) from suppressions s
      where s.workspace = t.workspace and s.address = a.value and s.reason = any(${reasons}::text[])))
    from addresses a where a.person = t.person and a.kind = 'email')`
  const { rows } = await sql<Reacted>`
    select t.person, p.name,
      replied.at as replied_at, replied.conversation as replied_in,
      interested.at as interested_at, interested.conversation as interested_in,
      declined.at as declined_at, declined.conversation as declined_in,
      ${suppressed(['unsubscribe'])} as unsubscribed_at, ${suppressed(['bounce'])} as bounced_at,
      ${suppressed(['complaint', 'operator'])} as suppressed_at
    from touches t join people p on p.id = t.person
      left join ${firstOf(sql`${answersIn(sql`true`)} union all ${answersFrom}`)} replied on true
      left join ${firstOf(answersIn(intents.interested))} interested on true
      left join ${firstOf(answersIn(intents.declined))} declined on true
    where t.campaign = ${campaign.id} and t.place = 1 and t.person = any(${people}::text[])
    order by t.person`.execute(db)
  const letters = await db
    .selectFrom('touches')
    .select(['person', 'place', 'sentAt', 'dueAt', 'heldFrom', 'firstClaimedAt', 'createdAt'])
    .select(['conversation', 'reason', sql<Says>`${sql.raw(letterSays)}`.as('says')])
    .where('campaign', '=', campaign.id)
    .where('place', '>', 0)
    .where(sql<SqlBool>`person = any(${people}::text[])`)
    .orderBy('place')
    .execute()
  const lettersOf = Map.groupBy(letters, ({ person }) => person)
  return rows.map((row) => ({ ...row, letters: lettersOf.get(row.person) ?? [] }))
}

export type Says = 'sent' | 'held' | 'waiting' | 'bounced' | 'unsubscribed' | 'ended' | 'failed'
export type Reactions = Awaited<ReturnType<typeof findReactions>>[number]

type Reacted = {
  person: string
  name: string
  repliedAt: Date | null
  repliedIn: string | null
  interestedAt: Date | null
  interestedIn: string | null
  declinedAt: Date | null
  declinedIn: string | null
  unsubscribedAt: Date | null
  bouncedAt: Date | null
  suppressedAt: Date | null
}
