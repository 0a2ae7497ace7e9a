import { type Kysely, sql } from 'kysely'

// What members ask agents to do. text is the member's words; told and did record what the agent was given and what it made of
// it. A task without a due time is an instruction, which is given to the agent for later letters and tasks.

const statements = [
  `create table tasks (
    id text primary key,
    seq bigint generated always as identity,
    workspace text not null references workspaces,
    conversation text not null references conversations on delete cascade,
    text text not null, due timestamptz(3),
    state text not null default 'queued' check (state in ('queued', 'done', 'failed', 'cancelled')),
    reason text,
    member text not null references members,
    operation text not null, key text not null,
    agent text references agents, message text references messages,
    told jsonb, did text,
    created_at timestamptz(3) not null, ended_at timestamptz(3))`,
  `create index tasks_by_conversation on tasks (conversation, seq)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table tasks').execute(db)
}
