import { type Kysely, type RawBuilder, sql } from 'kysely'
import { classesForPostgres as classes } from '../../rules/search/characters.ts'
import { prefixOf, type SearchKind, searchedOf } from '../../rules/search/searched.ts'
import { lexemesOf } from '../../rules/search/words.ts'

/**
 * The index of words for GET /search. It is written by the transaction of the text. What comes in numbers brings its words along
 * (db/conversations/search-words.ts); triggers write those of all else, so that no statement can forget to: changes, removals, people,
 * notes, and what a release before this one inserts while this one is deployed. They leave alone what brought its words.
 */
const schema = `
-- \`files\` is how many names of files the words of a message have.
create table search_words (
  kind text not null check (kind in ('message', 'conversation', 'person', 'note')),
  ref text not null,
  workspace text not null references workspaces,
  conversation text,
  at timestamptz(3) not null,
  files integer not null default 0,
  words tsvector not null,
  primary key (kind, ref)) with (autovacuum_vacuum_scale_factor = 0.05);
create index search_words_newest on search_words (workspace, kind, at desc, ref desc);
create index search_words_of_conversation on search_words (conversation, at desc, ref desc) where conversation is not null;
-- A short list of pending entries: each search reads it whole, and whoever fills it puts its entries into the index.
create index search_words_found on search_words using gin (words) with (gin_pending_list_limit = 512);

create function search_folded(given text) returns text language sql immutable parallel safe as $$
    select translate(replace(replace(replace(replace(
      regexp_replace(lower(normalize(given, NFKD)), '[${classes.marks}]+', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'łøđðıς', 'loddiσ') $$;

-- Words begin with their workspace and kind, so that a search reads the entries of its own alone, and beginnings of words too.
create function search_prefix(workspace text, kind text) returns text language sql immutable parallel safe as $$
    select left(encode(decode(md5(workspace || ' ' || kind), 'hex'), 'base64'), 4) $$;

-- Words with their places. Numbers, and with is_name all words, also from each of their characters on, behind a '#'.
create function search_lexemes(prefix text, given text, is_name boolean) returns tsvector
  language plpgsql immutable parallel safe as $$
    begin
    return (with words as (
      select word, no, word ~ '^[${classes.unspaced}]' as is_run
      from regexp_split_to_table(
        regexp_replace(search_folded(left(given, 20000)), '([${classes.unspaced}]+)', ' \\1 ', 'g'),
        '[${classes.between}]+') with ordinality as split (word, no)
      where word <> ''),
    placed as (
      select row_number() over (order by no, i) as place,
        case when is_run then substr(word, i, 2) else left(word, 60) end as word
      from words cross join lateral generate_series(1, case when is_run then length(word) else 1 end) i),
    within as (
      select distinct substr(left(word, 40), i) as word
      from words cross join lateral generate_series(2, length(left(word, 40)) - 2) i
      where not is_run and (is_name or (word ~ '^[0-9]+$' and length(word) >= 5)))
    select coalesce((select string_agg('''' || prefix || word || ''':' || least(place, 16383), ' ') from placed), '')::tsvector
      || coalesce((select string_agg('''' || prefix || '#' || word || '''', ' ') from within), '')::tsvector);
    end $$;

create function search_put(
  of_kind text, of_ref text, of_workspace text, of_conversation text, of_at timestamptz, of_files integer, given text)
  returns void language sql as $$
    insert into search_words (kind, ref, workspace, conversation, at, files, words)
    values (of_kind, of_ref, of_workspace, of_conversation, of_at, of_files,
      search_lexemes(search_prefix(of_workspace, of_kind), given, of_kind = 'person'))
    on conflict (kind, ref) do update set conversation = excluded.conversation, at = excluded.at, files = excluded.files,
      words = excluded.words $$;
create function search_has(of_kind text, of_ref text) returns boolean language sql stable as $$
    select exists (select from search_words where kind = of_kind and ref = of_ref) $$;

create function search_put_message(message messages) returns void language plpgsql as $$
    begin
      if message.suspect then
        delete from search_words where kind = 'message' and ref = message.id;
      else
        perform search_put('message', message.id, message.workspace, message.conversation, message.at,
          (select count(*)::int from files where files.message = message.id),
          concat_ws(' . ', message.text, message.subject,
            (select string_agg(name, ' . ' order by seq) from files where files.message = message.id)));
      end if;
    end $$;

create function search_put_person(of_person people) returns void language sql as $$
    select search_put('person', of_person.id, of_person.workspace, null, of_person.created_at, 0,
      concat_ws(' . ', of_person.name, of_person.company,
        (select string_agg(value, ' . ' order by kind, position) from addresses where person = of_person.id))) $$;

create function search_put_conversation(of conversations) returns void language sql as $$
    select search_put('conversation', of.id, of.workspace, of.id, of.last_message_at, 0, of.subject) $$;

create function search_put_note(note notes) returns void language sql as $$
    select search_put('note', note.id, c.workspace, c.id, note.at, 0, note.text)
    from conversations c where c.id = note.conversation $$;

create function search_message() returns trigger language plpgsql as $$
    begin
      if new.suspect or not search_has('message', new.id) or (tg_op = 'UPDATE'
        and (new.text, new.subject) is distinct from (old.text, old.subject)) then
        perform search_put_message(new);
      end if;
      return null;
    end $$;
create function search_message_moved() returns trigger language plpgsql as $$
    begin
      update search_words set conversation = new.conversation, at = new.at where kind = 'message' and ref = new.id;
      return null;
    end $$;
create trigger messages_search_come after insert on messages for each row when (not new.suspect) execute function search_message();
create trigger messages_search_change after update of text, subject, suspect on messages for each row
  when ((new.text, new.subject, new.suspect) is distinct from (old.text, old.subject, old.suspect))
  execute function search_message();
-- A message that is sent at once keeps the moment of its call: a new one would write all of its entries again.
create trigger messages_search_move after update of conversation, at on messages for each row
  when (new.conversation <> old.conversation or new.at not between old.at - interval '1 minute' and old.at + interval '1 minute')
  execute function search_message_moved();

create function search_files() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' and exists (
        select from search_words w where w.kind = 'message' and w.ref = new.message
          and w.files >= (select count(*) from files where files.message = new.message)) then
        return null;
      end if;
      if tg_op <> 'INSERT' and old.message is not null then
        perform search_put_message(m) from messages m where m.id = old.message;
      end if;
      if tg_op <> 'DELETE' and new.message is not null and (tg_op = 'INSERT' or new.message is distinct from old.message) then
        perform search_put_message(m) from messages m where m.id = new.message;
      end if;
      return null;
    end $$;
create trigger files_search_come after insert on files for each row when (new.message is not null) execute function search_files();
create trigger files_search_change after update of message, name on files for each row
  when ((new.message, new.name) is distinct from (old.message, old.name)) execute function search_files();
create trigger files_search_go after delete on files for each row when (old.message is not null) execute function search_files();

create function search_note() returns trigger language plpgsql as $$
    begin perform search_put_note(new); return null; end $$;
create trigger notes_search after insert or update on notes for each row execute function search_note();

create function search_conversation() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' or not search_has('conversation', new.id) then
        perform search_put_conversation(new);
      end if;
      return null;
    end $$;
create trigger conversations_search_come after insert on conversations for each row execute function search_conversation();
create trigger conversations_search_change after update of subject on conversations for each row
  when (new.subject <> old.subject) execute function search_conversation();

-- An import brings the words of all cards that it writes, and says so in its transaction.
create function search_brought() returns boolean language sql stable as $$
    select coalesce(current_setting('postroom.brings_words', true), '') = 'on' $$;

create function search_person() returns trigger language plpgsql as $$
    begin
      if not search_brought() then
        perform search_put_person(new);
      end if;
      return null;
    end $$;
create trigger people_search_come after insert on people for each row execute function search_person();
create trigger people_search_change after update of name, company on people for each row
  when ((new.name, new.company) is distinct from (old.name, old.company)) execute function search_person();
create function search_addresses() returns trigger language plpgsql as $$
    begin
      if search_brought() then
        return null;
      elsif tg_op = 'DELETE' then
        perform search_put_person(p) from people p where id in (select person from gone);
      else
        perform search_put_person(p) from people p where id in (select person from come);
      end if;
      return null;
    end $$;
create trigger addresses_search_come after insert on addresses referencing new table as come
  for each statement execute function search_addresses();
create trigger addresses_search_change after update on addresses referencing new table as come
  for each statement execute function search_addresses();
create trigger addresses_search_go after delete on addresses referencing old table as gone
  for each statement execute function search_addresses();

create function search_gone() returns trigger language plpgsql as $$
    begin
      delete from search_words where kind = tg_argv[0] and ref = old.id;
      return null;
    end $$;
create trigger messages_search_go after delete on messages for each row execute function search_gone('message');
create trigger notes_search_go after delete on notes for each row execute function search_gone('note');
create trigger conversations_search_go after delete on conversations for each row execute function search_gone('conversation');
create trigger people_search_go after delete on people for each row execute function search_gone('person');
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
  subject: string
  files: string[]
}

/**
 * What was there before: a batch of messages, then of conversations, notes and people. Words that are there meanwhile stay. What is
 * read is locked, so that no change comes between the reading of a text and the writing of its words.
 */
export async function backfill(trx: Kysely<unknown>, after: string, most: number) {
  const [kind = kinds[0], ...rest] = after.split(' ').filter(Boolean) as [Kind?, ...string[]]
  const { rows } = await old[kind](rest.join(' '), most).execute(trx)
  const last = rows.at(-1)
  if (last) {
    await put(trx, kind, rows)
    return `${kind} ${last.id}`
  }
  const next = kinds[kinds.indexOf(kind) + 1]
  return next && `${next} `
}

const kinds = ['message', 'conversation', 'note', 'person'] as const satisfies SearchKind[]
type Kind = (typeof kinds)[number]

const old: Record<Kind, (after: string, most: number) => RawBuilder<Old>> = {
  message: (after, most) => sql`
    select id, workspace, conversation, at, left(text, 20000) as text, subject,
      array(select name from files where files.message = m.id order by seq) as files
    from messages m where id > ${after} and not suspect order by id limit ${most} for share`,
  conversation: (after, most) => sql`
    select id, workspace, id as conversation, last_message_at as at, '' as text, subject, '{}'::text[] as files
    from conversations where id > ${after} order by id limit ${most} for share`,
  note: (after, most) => sql`
    select n.id, c.workspace, c.id as conversation, n.at, n.text, '' as subject, '{}'::text[] as files
    from notes n join conversations c on c.id = n.conversation where n.id > ${after} order by n.id limit ${most} for share of n`,
  person: (after, most) => sql`
    select id, workspace, null as conversation, created_at as at, concat_ws(' · ', name, company,
      (select string_agg(value, ' · ' order by kind, position) from addresses where person = p.id)) as text, '' as subject,
      '{}'::text[] as files
    from people p where id > ${after} order by id limit ${most} for share`,
}

const put = (trx: Kysely<unknown>, kind: Kind, rows: Old[]) => {
  const words = rows.map((row) =>
    lexemesOf(
      prefixOf(row.workspace, kind),
      kind === 'message' ? searchedOf(row, row.files) : row.text || row.subject,
      kind === 'person',
    ),
  )
  const column = <T>(of: (row: Old) => T) => rows.map(of)
  return sql`
    insert into search_words (kind, ref, workspace, conversation, at, files, words)
    select ${kind}, ref, workspace, conversation, at, files, words::tsvector
    from unnest(${column(({ id }) => id)}::text[], ${column(({ workspace }) => workspace)}::text[],
      ${column(({ conversation }) => conversation)}::text[], ${column(({ at }) => at)}::timestamptz[],
      ${column(({ files }) => files.length)}::int[], ${words}::text[]) as o (ref, workspace, conversation, at, files, words)
    on conflict (kind, ref) do nothing`.execute(trx)
}
