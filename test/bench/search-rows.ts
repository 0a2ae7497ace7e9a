import type pg from 'pg'
import { messageLexemes } from '../../db/conversations/search-words.ts'
import { newId } from '../../db/ids.ts'
import { prefixOf } from '../../rules/search/searched.ts'
import { lexemesOf } from '../../rules/search/words.ts'

// Messages of a workspace in six languages and scripts, with their words in the index as the service writes them. The words are made up and as
// frequent as those of a language: the nth is as often as 1/n. Of two halves, each text is another.

const halves = 3_000
const most = 30_000
/** So many rows are inserted at once. */
const atOnce = 20_000

const letters = {
  English: 'etaoinshrdlucmfwypvbgk',
  German: 'enisratdhulcgmobwfkzüöäß',
  Russian: 'оеаинтсрвлкмдпуяыьгзбчй',
  Arabic: 'ايلمنترهوبدعفسقكحجشصخ',
  Japanese: 'の一日会社東京大学時間上生年中本国語見方気電車道人話',
  Thai: 'กนรอมเาวงสทตยลปบคหดพ',
}
export type Language = keyof typeof letters
export const languages = Object.keys(letters) as Language[]
export const isUnspaced = (language: Language) => language === 'Japanese' || language === 'Thai'

/** The nth word of a language: short ones are common. */
export function wordOf(language: Language, n: number): string {
  const all = [...letters[language]]
  let word = ''
  for (let left = n + all.length; left > 0; left = Math.floor(left / all.length))
    word += all[left % all.length]
  return word
}
const any = () => Math.floor(Math.exp(Math.random() * Math.log(most)))
const half = (language: Language, i: number) =>
  Array.from({ length: 30 }, () => wordOf(language, any())).join(isUnspaced(language) ? '' : ' ') +
  (i % 2 ? '. ' : '\n')

/** Texts of two halves, in all languages. */
export const someTexts = () =>
  languages.flatMap((language) =>
    Array.from({ length: 10 }, (_, i) => half(language, i) + half(language, i + 1)),
  )

/** Without the indexes of what the rows are inserted into, which are built when `fill` is done: that takes a tenth of the time. */
export async function withIndexesLater(client: pg.Client, fill: () => Promise<void>) {
  await client.query(`
    alter table people disable trigger user; alter table conversations disable trigger user;
    alter table messages disable trigger user`)
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as made
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('messages'::regclass, 'search_words'::regclass) and not i.indisprimary`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await fill()
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { made } of indexes) await client.query(made)
  await client.query(`
    alter table people enable trigger user; alter table conversations enable trigger user;
    alter table messages enable trigger user`)
  await client.query('vacuum analyze')
}

/** So many messages, and for every fifty of them a person and a conversation. */
export async function insertMessages(client: pg.Client, workspace: string, messages: number) {
  const id = newId('x')
  const people = Math.ceil(messages / 50)
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
  const needle = lexemesOf(prefixOf(workspace, 'message'), 'needle in the firm')
  for (let from = 1; from <= messages; from += atOnce)
    await client.query(
      `with made as materialized (
         select i, 'msg_' || $1 || i as id, 'cnv_' || $1 || (i % $5::int + 1) as conversation, now() - ($4::int - i) * interval '1 minute' as at,
           i % 6 as language, (i::bigint * 7919 + i / 6) % $6::int as first, (i::bigint * 104729 + i / 11) % $6::int as second, i % 50000 = 777 as rare
         from generate_series($3::int, least($3::int + $9::int - 1, $4::int)) i),
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
      [
        id,
        workspace,
        from,
        messages,
        people,
        halves,
        needle,
        prefixOf(workspace, 'message'),
        atOnce,
      ],
    )
  await client.query('drop table halves')
}
