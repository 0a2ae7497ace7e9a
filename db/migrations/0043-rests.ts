import { type Kysely, sql } from 'kysely'

// Accounts that rest because of what their server has said, how many of their letters were refused in a row, how many sessions
// they may have at once, and when a mailbox that cannot be opened is tried again.

const steps = [
  // until: null as long as nobody has acted. probe_at: when one letter may try, which is_tried then says. ended_at: it is over,
  // and what was told is still known.
  `create table rests (
    account text not null references connections (id) on delete cascade,
    server text not null check (server in ('smtp', 'imap')),
    cause text not null,
    until timestamptz(3),
    probe_at timestamptz(3) not null,
    is_tried boolean not null default false,
    since timestamptz(3) not null,
    tries integer not null,
    words text not null,
    told timestamptz(3),
    ended_at timestamptz(3),
    primary key (account, server))`,
  'alter table connections add column refused_in_row integer not null default 0',
  'alter table connections add column refused_code text',
  'alter table connections add column refused_to text',
  'alter table connections add column sessions_most integer',
  'alter table connections add column sessions_until timestamptz(3)',
  // The sessions of an account whose number is limited, of all processes (real time).
  `create table session_places (
    account text not null references connections (id) on delete cascade,
    place integer not null,
    holder text not null,
    until timestamptz not null,
    primary key (account, place))`,
  'alter table mailbox_readers add column retry_at timestamptz(3)',
  'alter table mailbox_readers add column retry jsonb',
]

const back = [
  'alter table mailbox_readers drop column retry',
  'alter table mailbox_readers drop column retry_at',
  'drop table session_places',
  'alter table connections drop column sessions_until',
  'alter table connections drop column sessions_most',
  'alter table connections drop column refused_to',
  'alter table connections drop column refused_code',
  'alter table connections drop column refused_in_row',
  'drop table rests',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const step of steps) await sql.raw(step).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const step of back) await sql.raw(step).execute(db)
}
