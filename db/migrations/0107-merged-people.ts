import { type Kysely, sql } from 'kysely'

// The ids of cards that became part of another one: an id stays known where others keep it. The card's row goes, so that nothing can
// refer to it any more, and each id leads to a card in one step.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists merged_people (
    id text primary key,
    workspace text not null references workspaces,
    person text not null references people on delete cascade,
    at timestamptz(3) not null)`.execute(db)
  await sql`create index if not exists merged_people_of_person on merged_people (person, id)`.execute(
    db,
  )
}

// What refers to a card is found by it when the card goes.
export const indexes = [
  { name: 'segment_people_by_person', on: 'segment_people (person)' },
  { name: 'deals_by_seller', on: 'deals (seller)' },
  { name: 'deals_by_buyer', on: 'deals (buyer)' },
]
