import { type Kysely, sql } from 'kysely'

// Events, webhooks and their deliveries, and the columns that a bridge and an inbound message need.

const statements = [
  // Ids are assigned before the commit, so they commit out of order; the transaction's own id says when everything before a row
  // can be read (db/events/events.ts). recorded_at is real time: how long a row is kept does not depend on the business clock.
  `create table events (
    id bigint generated always as identity primary key,
    xid xid8 not null default pg_current_xact_id(),
    workspace text not null references workspaces,
    kind text not null, at timestamptz(3) not null,
    resource text not null, data jsonb not null default '{}',
    recorded_at timestamptz not null default now())`,
  `create index events_in_order on events (workspace, xid, id)`,
  `create index events_old on events (recorded_at)`,

  // An empty kinds means all. secret holds, sealed, the current secret and, for a day after a rotation, the one before it.
  `create table webhooks (
    id text primary key,
    workspace text not null references workspaces,
    member text not null references members,
    url text not null, kinds text[] not null default '{}',
    enabled boolean not null default true, problem text,
    secret text not null, previous_until timestamptz(3),
    failing_since timestamptz(3),
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null)`,
  `create index webhooks_enabled on webhooks (workspace) where enabled`,
  // round is raised by each redelivery; each round is a workflow of its own.
  `create table deliveries (
    id text primary key,
    webhook text not null references webhooks on delete cascade,
    event bigint not null references events on delete cascade,
    state text not null default 'queued' check (state in ('queued', 'delivered', 'failed')),
    round integer not null default 0, attempts integer not null default 0,
    status integer, problem text,
    created_at timestamptz(3) not null, tried_at timestamptz(3), next_try_at timestamptz(3),
    unique (webhook, event))`,
  `create index deliveries_newest on deliveries (webhook, created_at desc, id desc)`,
  `create index deliveries_by_event on deliveries (event)`,

  `alter table connections add column bridge jsonb`,
  // The other side's id of a message: the Message-ID of mail, or a bridge's own id. A message that came in twice is stored
  // once.
  `alter table messages add column external_id text`,
  `create unique index messages_inbound_once on messages (connection, external_id)
    where direction = 'inbound' and external_id is not null`,
  `create index messages_outbound_external on messages (connection, external_id)
    where direction = 'outbound' and external_id is not null`,
  `create index touches_by_message_id on touches (workspace, message_id) where state = 'sending'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `drop index touches_by_message_id`,
    `drop index messages_outbound_external`,
    `drop index messages_inbound_once`,
    `alter table messages drop column external_id`,
    `alter table connections drop column bridge`,
    `drop table deliveries`,
    `drop table webhooks`,
    `drop table events`,
  ])
    await sql.raw(statement).execute(db)
}
