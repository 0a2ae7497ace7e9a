import { sql } from 'kysely'
import type { Db } from '../database.ts'

// Proposals for segments: the buyers of a product, and jobs, cities and companies that enough people share. Only words that the
// judge finds on the cards again are proposed, so that a segment made from them has about these people.

export type Reach = { email: number; professional_network: number; messenger: number }
/** How many people there are, how many each channel reaches, and how many nobody has written to since `since`. */
export type Size = { contacts: number; fresh: number; reach: Reach }

type SizeRow = {
  contacts: number
  fresh: number
  email: number
  profile: number
  phone: number
}

const sizeOf = ({ contacts, fresh, email, profile, phone }: SizeRow): Size => ({
  contacts,
  fresh,
  reach: { email, professional_network: profile, messenger: phone },
})

/** The people who were written to since then, in a conversation or by a campaign. */
const written = (workspace: string, since: Date) => sql`
  select c.person from conversations c join messages m on m.conversation = c.id
  where c.workspace = ${workspace} and m.direction = 'outbound' and m.at >= ${since}
    and m.state not in ('failed', 'cancelled')
  union
  select person from touches where workspace = ${workspace} and sent_at >= ${since}`

const counted = sql`
  count(*)::int as contacts,
  count(*) filter (where not exists (select from written w where w.person = p.id))::int as fresh,
  count(*) filter (where exists (select from addresses a where a.person = p.id and a.kind = 'email'))::int as email,
  count(*) filter (where exists (select from addresses a where a.person = p.id and a.kind = 'linkedin'))::int as profile,
  count(*) filter (where exists (select from addresses a where a.person = p.id and a.kind = 'phone'))::int as phone`

export type Buyers = Size & { product: string; quotes: number }

/** The buyers of each product that has some, and how many of them wait for an answer about a quote. */
export async function countBuyers(db: Db, workspace: string, since: Date): Promise<Buyers[]> {
  const { rows } = await sql<SizeRow & { product: string; quotes: number }>`
    with written as (${written(workspace, since)}),
    quoting as (
      select distinct person from conversations
      where workspace = ${workspace} and intent = 'quote' and state <> 'closed' and waiting_for = 'us')
    select t.label as product, ${counted},
      count(*) filter (where exists (select from quoting q where q.person = p.id))::int as quotes
    from person_tags t join people p on p.id = t.person
    where p.workspace = ${workspace} and t.side = 'buyer' and t.removed_at is null
    group by t.label`.execute(db)
  return rows.map((row) => ({ ...sizeOf(row), product: row.product, quotes: row.quotes }))
}

export type GroupBy = 'jobTitle' | 'city' | 'company'
export type Group = Size & { product: string; value: string }

const columns = { jobTitle: sql`p.job_title`, city: sql`p.city`, company: sql`p.company` }

/**
 * The `most` largest groups of at least `least` people who share a job title, a city or a company, largest first and, for each
 * product, without its buyers; `value` is spelt as most of them write it. Values with characters other than letters, digits,
 * blanks and hyphens are skipped: in the words of a segment they would have a meaning.
 */
export async function listGroups(
  db: Db,
  workspace: string,
  by: GroupBy,
  { since, least, most }: { since: Date; least: number; most: number },
): Promise<Group[]> {
  const shared = sql`lower(trim(${columns[by]}))`
  const { rows } = await sql<SizeRow & { product: string; value: string }>`
    with written as (${written(workspace, since)}),
    largest as (
      select ${shared} as key, mode() within group (order by trim(${columns[by]})) as value
      from people p
      where p.workspace = ${workspace} and ${shared} ~ '^[[:alnum:]][[:alnum:] -]{1,80}$'
      group by key
      having count(*) >= ${least}
      order by count(*) desc, key
      limit ${most})
    select products.id as product, largest.value, ${counted}
    from largest
    join people p on p.workspace = ${workspace} and ${shared} = largest.key
    cross join products
    where products.workspace = ${workspace} and not exists (
      select from person_tags t
      where t.person = p.id and t.label = products.id and t.side = 'buyer' and t.removed_at is null)
    group by products.id, largest.value
    having count(*) >= ${least}
    order by contacts desc, largest.value`.execute(db)
  return rows.map((row) => ({ ...sizeOf(row), product: row.product, value: row.value }))
}
