import { type Kysely, sql } from 'kysely'

// Letters of a campaign may be made from templates, in variants. A letter that a template cannot make for want of a value waits
// for review, and says which values. A test of a letter goes to a member: it is no letter of the campaign.

const steps = [
  `create table campaign_templates (
    campaign text not null references campaigns on delete cascade,
    place integer not null check (place in (1, 2, 3)),
    variant text not null check (variant in ('a', 'b', 'c', 'd')),
    weight integer not null,
    subject text not null, text text not null, html text,
    primary key (campaign, place, variant))`,
  'alter table touches add column missing text[]',
  `create table letter_tests (
    operation text primary key references operations on delete cascade deferrable initially deferred,
    workspace text not null references workspaces,
    campaign text not null references campaigns on delete cascade,
    place integer not null, person text not null, to_address text not null,
    state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'unconfirmed')),
    code text)`,
  'create index letter_tests_by_campaign on letter_tests (campaign)',
]

const back = [
  'drop table letter_tests',
  'alter table touches drop column missing',
  'drop table campaign_templates',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
