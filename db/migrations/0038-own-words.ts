import { type Kysely, sql } from 'kysely'

// A letter in words that somebody wrote for its person. Whatever has a waiting letter written again, such as an edit of its
// campaign or another account, leaves such words as they are; this holds for the previous release too, while both run.

const steps = [
  'alter table touches add column own_words boolean not null default false',
  `create function keep_own_words() returns trigger language plpgsql as $$
    begin
      new.subject := old.subject;
      new.text := old.text;
      new.html := old.html;
      new.written_at := old.written_at;
      new.brief := old.brief;
      new.agreed := old.agreed;
      -- They go through any account.
      new.signed_by := null;
      -- A letter without an address would be written again once there is one.
      if new.to_address is null then
        new.state := 'failed';
        new.reason := 'no_contact';
      end if;
      return new;
    end $$`,
  `create trigger touches_own_words before update on touches for each row
    when (old.own_words and old.text is not null and new.text is null) execute function keep_own_words()`,
]

const back = [
  'drop trigger touches_own_words on touches',
  'drop function keep_own_words()',
  'alter table touches drop column own_words',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
