import { type Kysely, sql } from 'kysely'

// What is searched of a card, as one text: for the index of words, whoever writes it, and for the answers of a search.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create or replace function search_person_text(of_person people) returns text language sql stable as $$
    select concat_ws(' · ', nullif(of_person.name, ''), nullif(of_person.company, ''),
      (select string_agg(a.value, ' · ' order by a.kind, a.position) from addresses a
        where a.workspace = of_person.workspace and a.person = of_person.id)) $$;
create or replace function search_put_person(of_person people) returns void language sql as $$
    select search_put('person', of_person.id, of_person.workspace, null, of_person.created_at, 0,
      search_person_text(of_person)) $$;
`)
    .execute(db)
}
