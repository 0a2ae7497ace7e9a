import { search, textsOf } from '../../db/conversations/search.ts'
import { messageLexemes } from '../../db/conversations/search-words.ts'
import { openDatabase } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { readQuery } from '../../rules/search/query.ts'
import { prefixOf } from '../../rules/search/searched.ts'
import { snippetOf } from '../../rules/search/snippet.ts'
import { lexemesOf } from '../../rules/search/words.ts'
import { givenWorkspace } from '../support/given.ts'
import { createTestDatabase } from '../support/postgres.ts'

// How long searches take in a workspace with many messages in six languages: dev/run test/bench/search.ts [messages]. The words are
// made up and as frequent as those of a language: the nth is as often as 1/n.

const messages = Number(process.argv[2] ?? 100_000)
const times = 10
const halves = 3_000
const most = 30_000

const letters = {
  English: 'etaoinshrdlucmfwypvbgk',
  German: 'enisratdhulcgmobwfkzüöäß',
  Russian: 'оеаинтсрвлкмдпуяыьгзбчй',
  Arabic: 'ايلمنترهوبدعفسقكحجشصخ',
  Japanese: 'の一日会社東京大学時間上生年中本国語見方気電車道人話',
  Thai: 'กนรอมเาวงสทตยลปบคหดพ',
}
type Language = keyof typeof letters
const languages = Object.keys(letters) as Language[]

/** The nth word of a language: short ones are common. */
function wordOf(language: Language, n: number): string {
  const all = [...letters[language]]
  let word = ''
  for (let left = n + all.length; left > 0; left = Math.floor(left / all.length))
    word += all[left % all.length]
  return word
}
const any = () => Math.floor(Math.exp(Math.random() * Math.log(most)))
const isUnspaced = (language: Language) => language === 'Japanese' || language === 'Thai'
const half = (language: Language, i: number) =>
  Array.from({ length: 30 }, () => wordOf(language, any())).join(isUnspaced(language) ? '' : ' ') +
  (i % 2 ? '. ' : '\n')

const database = await createTestDatabase()
const db = openDatabase(database.url, 4)
const workspace = (await givenWorkspace(db, new Date())).id
const id = newId('x')
const people = Math.ceil(messages / 50)

await withClient(database.ownerUrl, async (client) => {
  const begun = performance.now()
  const said = (what: string) =>
    console.log(`${Math.round((performance.now() - begun) / 1000)} s: ${what}`)
  // The rows are as the service writes them. Indexes are built at the end, which takes a tenth of the time; those of messages that no
  // search reads are left out.
  await client.query(`
    alter table people disable trigger user; alter table conversations disable trigger user;
    alter table messages disable trigger user`)
  const { rows: indexes } = await client.query(
    `select c.relname as name, pg_get_indexdef(c.oid) as made, i.indrelid = 'search_words'::regclass as searched
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('messages'::regclass, 'search_words'::regclass) and not i.indisprimary`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(
    `insert into people (id, workspace, name, created_at, updated_at)
     select 'per_' || $1 || i, $2, 'Person ' || md5(i::text), now(), now() from generate_series(1, $3::int) i`,
    [id, workspace, people],
  )
  await client.query(
    `insert into search_words (kind, ref, workspace, at, words)
     select 'person', 'per_' || $1 || i, $2, now(), search_lexemes($4, 'Person ' || md5(i::text), true) from generate_series(1, $3::int) i`,
    [id, workspace, people, prefixOf(workspace, 'person')],
  )
  await client.query(
    `insert into conversations (id, workspace, person, kind, subject, last_message_at, waiting_since)
     select 'cnv_' || $1 || i, $2, 'per_' || $1 || i, 'email', 'Subject ' || i, now(), now() from generate_series(1, $3::int) i`,
    [id, workspace, people],
  )
  await client.query(
    `insert into search_words (kind, ref, workspace, conversation, at, words)
     select 'conversation', 'cnv_' || $1 || i, $2, 'cnv_' || $1 || i, now(), search_lexemes($4, 'Subject ' || i, false)
     from generate_series(1, $3::int) i`,
    [id, workspace, people, prefixOf(workspace, 'conversation')],
  )
  await client.query(
    'create temporary table halves (language int, i int, text text, words tsvector, primary key (language, i))',
  )
  for (const [n, language] of languages.entries()) {
    const texts = Array.from({ length: halves }, (_, i) => half(language, i))
    await client.query(
      `insert into halves select $1, i - 1, text, words::tsvector
       from unnest($2::text[], $3::text[]) with ordinality as t (text, words, i)`,
      [n, texts, texts.map((text) => messageLexemes({ workspace, text, subject: '' }))],
    )
  }
  said('people and conversations')
  const needle = lexemesOf(prefixOf(workspace, 'message'), 'needle in the firm')
  for (let from = 1; from <= messages; from += 20_000)
    await client.query(
      `with made as materialized (
         select i, 'msg_' || $1 || i as id, 'cnv_' || $1 || (i % $5::int + 1) as conversation, now() - ($4::int - i) * interval '1 minute' as at,
           i % 6 as language, (i::bigint * 7919 + i / 6) % $6::int as first, (i::bigint * 104729 + i / 11) % $6::int as second, i % 50000 = 777 as rare
         from generate_series($3::int, least($3::int + 19999, $4::int)) i),
       texts as materialized (
         select made.*, a.text || b.text || case when rare then 'needle in the firm ' else '' end || (4930000000 + made.i) as text,
           a.words || b.words || case when rare then $7::tsvector else '' end
             || (select string_agg('''' || $8 || case when n = 1 then '' else '#' end || substr((4930000000 + made.i)::text, n) || ''':90', ' ')
                 from generate_series(1, 8) n)::tsvector as words
         from made join halves a on a.language = made.language and a.i = first join halves b on b.language = made.language and b.i = second),
       words as (
         insert into search_words (kind, ref, workspace, conversation, at, words)
         select 'message', id, $2, conversation, at, words from texts)
       insert into messages (id, workspace, conversation, direction, at, state, subject, text)
       select id, $2, conversation, 'inbound', at, 'received', 'Subject', text from texts`,
      [id, workspace, from, messages, people, halves, needle, prefixOf(workspace, 'message')],
    )
  said(`${messages} messages`)
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { made, searched } of indexes) if (searched) await client.query(made)
  await client.query('vacuum analyze')
  said('indexes')
  const { rows } = await client.query(
    `select pg_size_pretty(pg_table_size('search_words')) as rows, pg_size_pretty(pg_relation_size('search_words_found')) as words,
       pg_size_pretty(pg_total_relation_size('search_words')) as all, pg_size_pretty(pg_total_relation_size('messages')) as messages`,
  )
  console.log(rows[0])
})

const asked: [what: string, q: string][] = [
  ...languages.flatMap((language): [string, string][] => {
    const word = (n: number) => wordOf(language, n)
    const beside = isUnspaced(language) ? '' : ' '
    return [
      [`${language} common`, word(1)],
      [`${language} two common`, `${word(2)} ${word(3)}`],
      [`${language} middling`, word(400)],
      [`${language} rare`, `"${word(20_000)}"`],
      [`${language} absent`, word(7_777_777)],
      [`${language} phrase`, `"${word(1)}${beside}${word(2)}"`],
      [`${language} rare phrase`, `"${word(900)}${beside}${word(1000)}"`],
      [`${language} beginning`, word(9_000).slice(0, 2)],
    ]
  }),
  ['rare', 'needle'],
  ['absent beside common', `${wordOf('English', 1)} giraffe`],
  ['a letter behind an absent word', 'giraffe e'],
  ['without', `${wordOf('English', 1)} -${wordOf('English', 2)}`],
  ['part of a number', '930123'],
  ['a number', '4930000777'],
]
const all: Record<string, number[]> = { newest: [], relevance: [] }
for (const order of ['newest', 'relevance'] as const)
  for (const [what, q] of asked) {
    const query = readQuery(q)
    if (!query) continue
    const took: number[] = []
    let hits = 0
    let late = 0
    for (let i = 0; i < times; i++) {
      const begun = performance.now()
      try {
        const rows = await search(db, workspace, query, { hasFiles: false }, order, undefined, 51)
        hits = rows.length
        const texts = await textsOf(db, workspace, rows)
        for (const row of rows) snippetOf(texts.get(row.ref)?.text ?? '', query)
      } catch (error) {
        if (late === 0) console.log(String(error))
        late++
      }
      took.push(performance.now() - begun)
    }
    all[order]?.push(...took)
    console.log(
      `${order}, ${what}: ${hits} results, ${inTime(took)}${late ? `, ${late} refused` : ''}`,
    )
  }
for (const [order, took] of Object.entries(all)) console.log(`${order}, all: ${inTime(took)}`)

function inTime(took: number[]) {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
}

await db.destroy()
await database.drop()
process.exit(0)
