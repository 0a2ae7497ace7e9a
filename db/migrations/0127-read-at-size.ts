// What is asked for across a deployment, or of an account, is found without reading a table of millions of rows: the first that is
// due, what Temporal refuses, what an account has sent, and what is old enough to be deleted.

export async function up(): Promise<void> {}

export const indexes = [
  { name: 'messages_due', on: "messages (greatest(due_at, next_try_at)) where state = 'queued'" },
  {
    name: 'touches_begun',
    on: "touches (due_at) where state = 'queued' and workflow is not null",
  },
  {
    name: 'messages_sent_through',
    on: "messages (connection, sent_at) where direction = 'outbound' and state in ('sent', 'failed') and sent_at is not null",
  },
  {
    name: 'messages_refused',
    on: "messages (connection, claimed_at) where state = 'failed' and reason = 'refused'",
  },
  { name: 'outbox_restarts', on: 'outbox (id) where restart and dispatched_at is null' },
  {
    name: 'outbox_failing',
    on: 'outbox (id) where dispatched_at is null and problem is not null',
  },
  {
    name: 'outbox_signals_done',
    on: "outbox (dispatched_at, id) where kind = 'signal' and dispatched_at is not null",
  },
  { name: 'sent_evidence_old', on: 'sent_evidence (at)' },
  // Whom a campaign has met is asked with its numbers.
  {
    name: 'conversations_met',
    on: "conversations (workspace, person) where met or reason = 'meeting_booked'",
  },
  // What the erasure of a workspace deletes, page by page.
  { name: 'outbox_of_workspace', on: 'outbox (workspace)' },
  { name: 'files_of_workspace', on: 'files (workspace)' },
]
