import { type RawBuilder, sql } from 'kysely'
import { indexedOf, type Query, tsqueryOf } from '../../rules/search/query.ts'
import { prefixOf, type SearchKind, searchedOf, searchKinds } from '../../rules/search/searched.ts'
import type { Db, Trx } from '../database.ts'

// What GET /search finds in the index of words (search-words.ts). One file, because each of the ways below is right for what the others
// are slow at. Of a workspace, the newest rows are looked at first, which fills a page with common words. What that leaves is found
// by the index of words, if these are rare, and otherwise by looking at older rows in turn. Of a person, a conversation or another
// few conversations, all rows are looked at.

export type SearchFilter = {
  kind?: SearchKind[] | undefined
  person?: string | undefined
  conversation?: string | undefined
  owner?: string | undefined
  label?: string | undefined
  from?: Date | undefined
  before?: Date | undefined
  hasFiles: boolean
}

export type Hit = {
  kind: SearchKind
  ref: string
  conversation: string | null
  at: Date
  /** Whole numbers, so that a cursor holds them exactly; 0 in the order of time. */
  rank: number
}

export type Place = { rank: number; at: string; ref: string }

/** So many of the newest rows of each kind are looked at first. */
const mostWalked = 500
/**
 * So many rows are taken from the index of words. Of a million, that is how many have words that `mostOlder` rows fill no page with:
 * more have only words of which the order, or the company, is rare.
 */
const mostIndexed = 5_000
/** So many older rows of each kind are looked at for one page, and instead of the index where the page is likely to be full by then. */
const mostOlder = 10_000
/** By relevance, so many of the newest hits of each kind are compared. */
const mostRanked = 300
/** Of words that are neither rare nor common, those that so many older rows have are enough to compare. */
const mostOlderRanked = 5_000
/** So many among the newest rows that were looked at first say that older ones are worth looking at in turn. */
const fewFound = 3
/** Filters by what has no more conversations than this look at all of them. */
const mostConversations = 1_000
/** For each statement. */
const mostMs = 500

/** `next` is where to go on, and null at the end. */
export type Page = { hits: Hit[]; next: Place | null }

/** The hits of one page, at most `limit`. @throws the timeout of Postgres if that takes too long. */
export async function search(
  db: Db,
  workspace: string,
  query: Query,
  filter: SearchFilter,
  order: 'newest' | 'relevance',
  after: Place | undefined,
  limit: number,
): Promise<Page> {
  return db.transaction().execute(async (trx) => {
    // Lists of entries are read whole; no statistics of Postgres decide how, because those of words are of all workspaces together.
    await sql`select set_config('statement_timeout', ${String(mostMs)}, true), set_config('enable_seqscan', 'off', true),
      set_config('work_mem', '16MB', true), set_config('jit', 'off', true)`.execute(trx)
    const kinds = kindsOf(filter)
    if (kinds.length === 0) return { hits: [], next: null }
    const asked = { workspace, query, kinds, filter, few: await fewOf(trx, workspace, filter) }
    if (order === 'newest') {
      const { hits, until } = await newestOf(trx, asked, after, limit + 1)
      // What is older than that has not been looked at in all kinds.
      const known = until ? hits.filter((hit) => compared(hit, until) <= 0) : hits
      return pageOf(known, limit, until)
    }
    const { hits } = await newestOf(trx, asked, undefined, mostRanked, true)
    const ranked = await rankedOf(trx, asked, hits)
    return pageOf(
      ranked.filter((hit) => !after || compared(placed(after), hit) < 0),
      limit,
    )
  })
}

function pageOf(known: Hit[], limit: number, until?: Spot): Page {
  const hits = known.slice(0, limit)
  const last = known.length > limit ? hits.at(-1) : until
  return { hits, next: last ? { rank: last.rank, at: last.at.toISOString(), ref: last.ref } : null }
}

type Spot = Pick<Hit, 'rank' | 'at' | 'ref'>

const placed = ({ rank, at, ref }: Place) => ({ rank, at: new Date(at), ref })

const compared = (a: Spot, b: Spot) =>
  b.rank - a.rank || b.at.getTime() - a.at.getTime() || (a.ref < b.ref ? 1 : a.ref > b.ref ? -1 : 0)

function kindsOf({ kind = [...searchKinds], conversation, owner, label, hasFiles }: SearchFilter) {
  const ofConversations = (conversation ?? owner ?? label) !== undefined
  return kind.filter(
    (one) => (one !== 'person' || !ofConversations) && (one === 'message' || !hasFiles),
  )
}

type Asked = {
  workspace: string
  query: Query
  kinds: SearchKind[]
  filter: SearchFilter
  /** The conversations that the filters leave, if they are few. */
  few: string[] | undefined
}

async function fewOf(
  trx: Trx,
  workspace: string,
  { person, conversation, owner, label }: SearchFilter,
): Promise<string[] | undefined> {
  if (conversation !== undefined) return [conversation]
  const of = async (all: RawBuilder<unknown>) =>
    (await sql<{ id: string }>`${all}`.execute(trx)).rows.map(({ id }) => id)
  if (person !== undefined)
    return of(
      sql`select id from conversations where workspace = ${workspace} and person = ${person}`,
    )
  const lists = [
    label !== undefined &&
      sql`select c.id from labels l join conversation_labels cl on cl.label = l.id
        join conversations c on c.id = cl.conversation and c.workspace = ${workspace}
        where l.workspace = ${workspace} and (l.id = ${label} or lower(l.name) = lower(${label}))
        limit ${mostConversations + 1}`,
    owner !== undefined &&
      sql`select id from conversations where workspace = ${workspace} and coalesce(owner, '') = ${owner}
        limit ${mostConversations + 1}`,
  ]
  for (const list of lists) {
    const ids = list ? await of(list) : undefined
    if (ids && ids.length <= mostConversations) return ids
  }
  return undefined
}

/** `until`: how far down all kinds were looked at; undefined if that is to their ends, or as far as there are hits. */
type Newest = { hits: Hit[]; until?: Spot | undefined }

/** The newest hits up to the limit, or those that some thousands of rows have; `isRanked`: those that are worth comparing. */
async function newestOf(
  trx: Trx,
  asked: Asked,
  after: Place | undefined,
  limit: number,
  isRanked = false,
): Promise<Newest> {
  const behind = after ? sql`and (s.at, s.ref) < (${after.at}::timestamptz, ${after.ref})` : sql``
  const page = sql`order by s.at desc, s.ref desc limit ${limit}`
  const { few, kinds, filter } = asked
  if (few) {
    const among = kinds.filter((kind) => kind !== 'person')
    const parts = [
      ...(among.length > 0 && few.length > 0
        ? [
            sql`(select ${columns} from unnest(${few}::text[]) as few (id) cross join lateral (
              select * from search_words s where s.workspace = ${asked.workspace} and s.conversation = few.id ${behind}
              order by s.at desc, s.ref desc) s
            where s.kind = any(${among}::text[]) ${within(asked, anyOf(asked, among))} ${page})`,
          ]
        : []),
      ...(kinds.includes('person') && filter.person !== undefined
        ? [
            sql`(select ${columns} from search_words s where s.workspace = ${asked.workspace} and s.kind = 'person'
              and s.ref = ${filter.person} ${behind} ${within(asked, wordsOf(asked, 'person'))})`,
          ]
        : []),
    ]
    if (parts.length === 0) return { hits: [] }
    const { rows } = await sql<Hit>`${sql.join(parts, sql` union all `)}`.execute(trx)
    return { hits: sorted(rows, limit) }
  }

  const { hits, open } = await look(trx, asked, asked.kinds, behind, mostWalked)
  const last = sorted(hits, limit).at(limit - 1)
  const left = open.filter(({ until }) => !last || last.at <= until.at)
  const isNear = ({ found }: Left) =>
    isRanked ? found >= fewFound : ((limit - found) / found) * mostWalked <= mostOlder
  const near = left.filter(isNear).map(({ kind }) => kind)
  const far = left.filter((one) => !isNear(one)).map(({ kind }) => kind)
  const indexed = far.length > 0 ? await indexedHits(trx, asked, far, behind, page) : []
  // Too many have the words for the index, but few of the newest do.
  const inTurn = indexed ? near : [...near, ...far]
  const most = isRanked ? mostOlderRanked : mostOlder
  const older = await look(trx, asked, inTurn, behind, most, page)
  const all = [...hits, ...(indexed ?? []), ...older.hits]
  const found = new Map(all.map((hit) => [`${hit.kind} ${hit.ref}`, hit]))
  const ends = older.open.filter((one) => one.found < limit).map(({ until }) => until)
  return { hits: sorted([...found.values()], limit), until: ends.sort(compared)[0] }
}

const sorted = (hits: Hit[], limit: number) => [...hits].sort(compared).slice(0, limit)

/** A kind of which rows are left below this one, and how many of those above have the words. */
type Left = { kind: SearchKind; until: Spot; found: number }

/** Looks at so many of the newest rows of each of these kinds in turn, or until a page is full. */
async function look(
  trx: Trx,
  asked: Asked,
  kinds: SearchKind[],
  behind: RawBuilder<unknown>,
  most: number,
  page = sql``,
): Promise<{ hits: Hit[]; open: Left[] }> {
  if (kinds.length === 0) return { hits: [], open: [] }
  await sql`select set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    trx,
  )
  const parts = kinds.map(
    (kind) => sql`(
      select ${columns}, s.found, s.n = ${most} as last from (
        select s.*, (true ${within(asked, wordsOf(asked, kind))}) as found, row_number() over (order by s.at desc, s.ref desc) as n
        from (select * from search_words s where ${mine(asked, kind)} ${behind}
          order by s.at desc, s.ref desc limit ${most}) s) s
      where s.found or s.n = ${most} ${page})`,
  )
  const { rows } = await sql<
    Hit & { found: boolean; last: boolean }
  >`${sql.join(parts, sql` union all `)}`.execute(trx)
  const hits = rows.filter(({ found }) => found).map(({ found: _, last: __, ...hit }) => hit)
  const open = rows
    .filter(({ last }) => last)
    .map(({ kind, at, ref }): Left => {
      const until = { rank: 0, at, ref }
      return { kind, until, found: hits.filter((hit) => hit.kind === kind).length }
    })
  return { hits, open }
}

/** By the index of words; undefined if too many rows have them. */
async function indexedHits(
  trx: Trx,
  asked: Asked,
  kinds: SearchKind[],
  behind: RawBuilder<unknown>,
  page: RawBuilder<unknown>,
): Promise<Hit[] | undefined> {
  const { workspace, query } = asked
  await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'on', true)`.execute(
    trx,
  )
  const indexed = kinds
    .map((kind) => `(${indexedOf(query, prefixOf(workspace, kind))})`)
    .join(' | ')
  const { rows } = await sql<Hit & { all: number }>`
    with indexed as materialized (
      select * from search_words s where s.words @@ ${indexed}::tsquery and s.workspace = ${workspace} limit ${mostIndexed + 1})
    select ${columns}, counted.all from (select count(*)::int as all from indexed) counted left join lateral (
      select * from indexed s where ${bounds(asked)} ${behind} ${within(asked, anyOf(asked, kinds))} ${page}) s on true`.execute(
    trx,
  )
  if ((rows[0]?.all ?? 0) > mostIndexed) return undefined
  return rows.filter(({ ref }) => ref !== null).map(({ all: _, ...hit }) => hit)
}

/** The same hits by how often and how close together they have the words. */
async function rankedOf(trx: Trx, asked: Asked, hits: Hit[]): Promise<Hit[]> {
  if (hits.length === 0) return []
  const parts = asked.kinds.map((kind) => {
    const refs = hits.filter((hit) => hit.kind === kind).map(({ ref }) => ref)
    return sql`select kind, ref, round(ts_rank_cd(words, ${wordsOf(asked, kind)}::tsquery, 1) * 1000000)::int as rank
      from search_words where workspace = ${asked.workspace} and kind = ${kind} and ref = any(${refs}::text[])`
  })
  await sql`select set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'on', true)`.execute(
    trx,
  )
  const { rows } = await sql<
    Pick<Hit, 'kind' | 'ref' | 'rank'>
  >`${sql.join(parts, sql` union all `)}`.execute(trx)
  const ranks = new Map(rows.map(({ kind, ref, rank }) => [`${kind} ${ref}`, rank]))
  return hits
    .map((hit) => ({ ...hit, rank: ranks.get(`${hit.kind} ${hit.ref}`) ?? 0 }))
    .sort(compared)
}

const columns = sql`s.kind, s.ref, s.conversation, s.at, 0 as rank`

const wordsOf = ({ workspace, query }: Asked, kind: SearchKind) =>
  tsqueryOf(query, prefixOf(workspace, kind))
/** Words begin with their kind, so a row of a kind has none of the others'. */
const anyOf = (asked: Asked, kinds: SearchKind[]) =>
  kinds.map((kind) => `(${wordsOf(asked, kind)})`).join(' | ')

/** The rows of a kind in the time that was asked for. */
const mine = (asked: Asked, kind: SearchKind) =>
  sql`s.workspace = ${asked.workspace} and s.kind = ${kind} and ${bounds(asked)}`

const bounds = ({ filter: { from, before } }: Asked) => sql`true
  ${from === undefined ? sql`` : sql`and s.at >= ${from}`}
  ${before === undefined ? sql`` : sql`and s.at < ${before}`}`

/** Has the words, and is within the other filters. The function of the operator, which no index answers. */
function within(asked: Asked, words: string) {
  const { workspace, filter } = asked
  const { conversation, person, owner, label, hasFiles } = filter
  return sql`and ts_match_vq(s.words, ${words}::tsquery)
    ${asked.few ? bounded(asked) : sql``}
    ${
      owner === undefined
        ? sql``
        : sql`and (select coalesce(c.owner, '') from conversations c
            where c.workspace = ${workspace} and c.id = s.conversation) = ${owner}`
    }
    ${
      label === undefined
        ? sql``
        : sql`and exists (select from conversation_labels cl join labels l on l.id = cl.label
            where cl.conversation = s.conversation and l.workspace = ${workspace}
              and (l.id = ${label} or lower(l.name) = lower(${label})))`
    }
    ${
      conversation === undefined || person === undefined
        ? sql``
        : sql`and exists (select from conversations c
            where c.workspace = ${workspace} and c.id = s.conversation and c.person = ${person})`
    }
    ${hasFiles ? sql`and s.files > 0` : sql``}`
}

const bounded = (asked: Asked) => sql`and ${bounds(asked)}`

export type Found = { text: string; person: string | null }

/** The text in which each hit was found and the person it is about, by its id. */
export async function textsOf(db: Db, workspace: string, hits: Hit[]): Promise<Map<string, Found>> {
  const refs = (kind: SearchKind) => hits.flatMap((hit) => (hit.kind === kind ? [hit.ref] : []))
  const texts = new Map<string, Found>()
  if (hits.length === 0) return texts
  const { rows } = await sql<{
    id: string
    person: string
    text: string
    subject: string | null
    files: string[]
  }>`
    select m.id, c.person, left(m.text, 20000) as text, m.subject,
      array(select f.name from files f where f.workspace = ${workspace} and f.message = m.id order by f.seq) as files
    from messages m join conversations c on c.id = m.conversation
    where m.workspace = ${workspace} and m.id = any(${refs('message')}::text[])
    union all
    select id, person, subject, null, '{}' from conversations where workspace = ${workspace} and id = any(${refs('conversation')}::text[])
    union all
    select n.id, c.person, n.text, null, '{}' from notes n join conversations c on c.id = n.conversation
    where c.workspace = ${workspace} and n.id = any(${refs('note')}::text[])
    union all
    select p.id, p.id, search_person_text(p), null, '{}'
    from people p where p.workspace = ${workspace} and p.id = any(${refs('person')}::text[])`.execute(
    db,
  )
  for (const { id, person, text, subject, files } of rows)
    texts.set(id, { person, text: subject === null ? text : searchedOf({ text, subject }, files) })
  return texts
}
