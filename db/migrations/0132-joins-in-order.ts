import { type Kysely, sql } from 'kysely'

// First letters are planned in the order in which people joined the segment, so that a campaign knows how far it has come by one
// number, however large the segment is. Whoever becomes a member gets the next number from the database itself, whatever statement
// makes them one, and whatever release.
//
// Numbers are given in the order of commits, as far as a campaign can see them: whoever takes one shares the row of the segment until
// the end of the transaction, and a campaign has that row alone while it reads (db/campaigns/planning.ts).
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create sequence if not exists segment_joins;
    -- Null in rows that were there before, until the back-fill or a campaign has come to them.
    alter table segment_people add column if not exists joined bigint;
    create or replace function segment_joined() returns trigger language plpgsql as $$
    begin
      perform from segments where id = new.segment for key share;
      new.joined := nextval('segment_joins');
      return new;
    end $$;
    create or replace trigger segment_people_join before insert on segment_people for each row
      when (new.matches or new.by_hand) execute function segment_joined();
    create or replace trigger segment_people_join_again before update of matches, by_hand on segment_people for each row
      when ((new.matches or new.by_hand) and not (old.matches or old.by_hand)) execute function segment_joined();

    alter table campaigns
      -- Of which segment first letters are planned, and up to which number.
      add column if not exists planned_segment text,
      add column if not exists planned_to bigint not null default 0,
      -- The person up to whom letters were ended, where anybody may have left the segment; null if that is done.
      add column if not exists left_to text default '';`)
    .execute(db)
}

export const indexes = [
  {
    name: 'segment_people_joined',
    on: 'segment_people (segment, joined, person) where matches or by_hand',
  },
]

/** The members that are there get numbers as if they joined now. */
export async function backfill(trx: Kysely<unknown>, after: string, most: number) {
  const [segment = '', person = ''] = after.split(' ')
  const batch = sql`select segment, person from segment_people where (segment, person) > (${segment}, ${person})
    order by segment, person limit ${most}`
  await sql`select from segments where id in (select segment from (${batch}) batch) order by id for key share`.execute(
    trx,
  )
  const { rows } = await sql<{ segment: string; person: string }>`
    with batch as materialized (${batch}),
    numbered as (
      update segment_people one set joined = nextval('segment_joins') from batch
      where one.segment = batch.segment and one.person = batch.person and joined is null and (matches or by_hand))
    select segment, person from batch order by segment desc, person desc limit 1`.execute(trx)
  return rows[0] && `${rows[0].segment} ${rows[0].person}`
}
