import { type Kysely, sql } from 'kysely'

// Who gets a conversation, and the parse of the archive.

const tables = [
  // The switch of a workspace, and the row whose lock keeps two reorderings of its rules apart.
  `create table routing (
    workspace text primary key references workspaces,
    enabled boolean not null default false)`,
  // Deferrable: one statement gives every rule its new position.
  `create table routing_rules (
    id text primary key,
    workspace text not null references workspaces,
    position integer not null,
    field text not null check (field in ('label', 'side', 'product', 'sender', 'company', 'agent')),
    value text not null,
    member text not null references members,
    created_at timestamptz(3) not null,
    unique (workspace, position) deferrable initially immediate)`,
  // One call that assigns conversations to owners: its progress, and its caller for the audit lines.
  `create table routing_batches (
    operation text primary key references operations on delete cascade,
    workspace text not null references workspaces,
    rule text,
    since timestamptz(3),
    cursor text not null default '',
    seen integer not null default 0, handed integer not null default 0,
    handed_to jsonb not null default '{}',
    member text not null, client_id text not null, client_name text not null)`,
  // Ordered by id, which never changes: a conversation that gets a message meanwhile is neither missed nor visited twice.
  `create index conversations_unowned on conversations (workspace, id) where owner is null`,

  `create table archives (
    id text primary key,
    workspace text not null references workspaces,
    operation text,
    state text not null check (state in ('running', 'done', 'declined')),
    since date, channels text[] not null default '{}', groups boolean not null default false,
    fresh boolean not null default false,
    source integer not null default 0, cursor text not null default '',
    done integer not null default 0, total integer,
    counts jsonb not null default '{}',
    created_at timestamptz(3) not null, started_at timestamptz(3), ended_at timestamptz(3))`,
  `create unique index archives_running on archives (workspace) where state = 'running'`,
  `create index archives_newest on archives (workspace, created_at desc, id desc)`,
  // The history of one account, read page by page.
  `create index messages_history on messages (connection, at, id) where state in ('received', 'sent')`,

  // Raised by every edit of what letters are written from: an agreement holds for the version it was given to.
  `alter table campaigns add column brief_version integer not null default 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns drop column brief_version`.execute(db)
  for (const index of ['messages_history', 'conversations_unowned'])
    await sql.raw(`drop index ${index}`).execute(db)
  for (const table of ['archives', 'routing_batches', 'routing_rules', 'routing'])
    await sql.raw(`drop table ${table}`).execute(db)
}
