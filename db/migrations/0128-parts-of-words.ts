import { type Kysely, type RawBuilder, sql } from 'kysely'
import { classesForPostgres as classes } from '../../rules/search/characters.ts'
import { prefixOf } from '../../rules/search/searched.ts'
import { cardLexemesOf, subjectLexemesOf } from '../../rules/search/words.ts'

// Lists of people and conversations find a text anywhere in names, addresses, job titles, cities and subjects (`q`). Its parts are in
// the index of words too, behind a mark of their own (partLexemesOf in rules/search/words.ts), so that no list reads a whole workspace
// for a text that nobody has.
const schema = `
create function search_parts(prefix text, given text, is_whole boolean) returns tsvector
  language plpgsql immutable parallel safe as $$
    begin
    return (with words as (
      select word, word ~ '^[${classes.unspaced}]' as is_run, length(left(word, 40)) as size
      from regexp_split_to_table(
        regexp_replace(search_folded(left(given, 20000)), '([${classes.unspaced}]+)', ' \\1 ', 'g'),
        '[${classes.between}]+') as word
      where word <> ''),
    parts as (
      select substr(left(word, 40), i) as part from words cross join lateral generate_series(1, size) i
        where not is_run and (is_whole or (i > 1 and i >= size - 1))
      -- Those that are there twice become one in the end.
      union all
      select substr(word, i, 2) from words cross join lateral generate_series(1, length(word)) i where is_run and is_whole)
    select coalesce(string_agg('''' || prefix || '~' || part || '''', ' '), '')::tsvector from parts);
    end $$;

create function search_put_words(
  of_kind text, of_ref text, of_workspace text, of_conversation text, of_at timestamptz, given tsvector)
  returns void language sql as $$
    insert into search_words (kind, ref, workspace, conversation, at, files, words)
    values (of_kind, of_ref, of_workspace, of_conversation, of_at, 0, given)
    on conflict (kind, ref) do update set conversation = excluded.conversation, at = excluded.at, files = excluded.files,
      words = excluded.words $$;

-- What lists find of a card, and a search does not.
create function search_person_also(of_person people) returns text language sql stable as $$
    select concat_ws(' ', of_person.job_title, of_person.city,
      (select string_agg(a.given, ' ' order by a.kind, a.position) from addresses a
        where a.workspace = of_person.workspace and a.person = of_person.id and a.given <> a.value)) $$;
create function search_person_words(of_person people) returns tsvector language sql stable as $$
    select search_lexemes(prefix, text, true) || search_parts(prefix, text, false)
      || search_parts(prefix, search_person_also(of_person), true)
    from (select search_prefix(of_person.workspace, 'person') as prefix, search_person_text(of_person) as text) card $$;
create or replace function search_put_person(of_person people) returns void language sql as $$
    select search_put_words('person', of_person.id, of_person.workspace, null, of_person.created_at,
      search_person_words(of_person)) $$;

create or replace function search_put_conversation(of conversations) returns void language sql as $$
    select search_put_words('conversation', of.id, of.workspace, of.id, of.last_message_at,
      search_lexemes(prefix, of.subject, false) || search_parts(prefix, of.subject, true))
    from (select search_prefix(of.workspace, 'conversation') as prefix) words $$;

create trigger people_parts_change after update of job_title, city on people for each row
  when ((new.job_title, new.city) is distinct from (old.job_title, old.city)) execute function search_person();
`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db)
}

type Old = {
  id: string
  workspace: string
  conversation: string | null
  at: Date
  text: string
  also: string
}

const kinds = ['conversation', 'person'] as const
type Kind = (typeof kinds)[number]

const old: Record<Kind, (after: string, most: number) => RawBuilder<Old>> = {
  conversation: (after, most) => sql`
    select id, workspace, id as conversation, last_message_at as at, subject as text, '' as also
    from conversations where id > ${after} order by id limit ${most} for share`,
  person: (after, most) => sql`
    select id, workspace, null as conversation, created_at as at, search_person_text(people) as text, search_person_also(people) as also
    from people where id > ${after} order by id limit ${most} for share`,
}

function wordsOf(kind: Kind, { workspace, text, also }: Old) {
  const prefix = prefixOf(workspace, kind)
  return kind === 'person' ? cardLexemesOf(prefix, text, also) : subjectLexemesOf(prefix, text)
}

/** What was there before: a batch of conversations, then of people, locked so that no change comes between. */
export async function backfill(trx: Kysely<unknown>, after: string, most: number) {
  const [kind = kinds[0], id = ''] = after.split(' ').filter(Boolean) as [Kind?, string?]
  const { rows } = await old[kind](id, most).execute(trx)
  const last = rows.at(-1)
  if (!last) {
    const next = kinds[kinds.indexOf(kind) + 1]
    return next && `${next} `
  }
  const column = <T>(of: (row: Old) => T) => rows.map(of)
  await sql`
    insert into search_words (kind, ref, workspace, conversation, at, words)
    select ${kind}, ref, workspace, conversation, at, words::tsvector
    from unnest(${column((row) => row.id)}::text[], ${column((row) => row.workspace)}::text[],
      ${column((row) => row.conversation)}::text[], ${column((row) => row.at)}::timestamptz[],
      ${column((row) => wordsOf(kind, row))}::text[]) as o (ref, workspace, conversation, at, words)
    on conflict (kind, ref) do update set words = excluded.words`.execute(trx)
  return `${kind} ${last.id}`
}
