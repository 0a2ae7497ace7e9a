/**
 * What may touch a tenant's table without knowing its workspace, each with its reason. With `column`, statements that are given
 * a key in that column which the call has not found; without, those that go over all workspaces.
 */
export type Exception = { table: string; column?: string; sql: RegExp; reason: string }

const of = (tables: string[], sql: RegExp, reason: string): Exception[] =>
  tables.map((table) => ({ table, sql, reason }))

export const exceptions: Exception[] = [
  {
    table: 'sent_evidence',
    sql: /^\s*with past as materialized \(\s*select e\.workspace, e\.message_id, e\.at,.*delete from sent_evidence e using past/s,
    reason: 'the nightly clean-up deletes what is old of all workspaces',
  },
  ...of(
    ['operations', 'touches', 'messages', 'invitations'],
    /as oldest_seconds.* from outbox .* as orphaned/s,
    'counts of the whole deployment, for its operator, at /metrics',
  ),
  ...[
    ...['members', 'connections', 'calendars', 'products', 'companies', 'agents', 'folders'],
    ...['people', 'conversations', 'deals'],
  ].map((table) => ({
    table,
    column: 'id',
    sql: /^select "id" from "\w+" where id = any\(\$1\) and \(?"workspace" <> \$2( or "(left|removed)_at" is not null\))?$|^select \* from "(people|conversations|deals)" where id = any\(\$1\)$/,
    reason:
      'ids of a document of the administration: those of other workspaces are found first, and refused',
  })),
  {
    table: 'workspaces',
    sql: /^select .* from "workspaces" where "erased_at" is null (and "id" > \$1 )?order by "id" limit /,
    reason: 'the list of workspaces, for a token of the administration that sees all',
  },
  {
    table: 'workspaces',
    column: 'id',
    sql: /^select .* from "admin_tokens" inner join "workspaces" on \("admin_tokens"."workspace" is null or "admin_tokens"."workspace" = "workspaces"."id"\) where "admin_tokens"."id" = /,
    reason: 'the workspace that a call to the administration names, if its token sees it',
  },
  {
    table: 'workspace_erasures',
    column: 'workspace',
    sql: /^select .* from "admin_tokens" inner join "workspace_erasures" on true where "admin_tokens"."id" = /,
    reason:
      'the workspace that a call to the administration names, which was erased, if its token sees all',
  },
  ...['deliveries', 'import_rows', 'segment_people', 'mailboxes'].map((table) => ({
    table,
    sql: /^\s*delete from "\w+" where ctid = any\(array\(\s*select one\.ctid from "\w+" whole join "\w+" one\s+on .* where whole\.workspace = \$1/s,
    reason:
      'the erasure of a workspace finds the rows to delete by those of the workspace that they belong to',
  })),
  ...['touches', 'workspaces'].map((table) => ({
    table,
    ...(table === 'touches' && { column: 'token' }),
    sql: /^select .* from "touches" where "token" = \$1 and "workspace" in \(select "workspaces"."id" from "workspaces" where "erased_at" is null\)$/,
    reason:
      'the token of an unsubscribe link is the proof itself: 192 random bits, sent to one person',
  })),
  {
    table: 'connections',
    column: 'id',
    sql: /^select .* from "connections" where "id" = \$1 and "kind" != \$2 and "bridge" is not null$/,
    reason: 'a bridge names its connection and proves it by a signature under the secret read here',
  },

  ...['id', 'state'].flatMap((column) =>
    [
      /^select .* from "connect_tickets" inner join "connections" on .* where "connect_tickets"\."(id|state)" = \$1 and/s,
      /^select .* from "connect_tickets" inner join .* where "connect_tickets"\."connection" is null and "connect_tickets"\."(id|state)" = \$2/s,
    ].map((expression) => ({
      table: 'connect_tickets',
      column,
      sql: expression,
      reason:
        'the link of a consent or of a mailbox, and the state with which a provider sends its owner back, are the proof itself: 256 random bits',
    })),
  ),
  ...of(
    ['operations', 'messages'],
    /^\s*with due as materialized \(\s*select o\.id from operations o\s+left join messages m .*o\.waiting_for = 'held'/s,
    'what waited for the end of a hold is woken, whoever it belongs to',
  ),
  ...of(
    ['workspaces'],
    /^\s*select id from workspaces where (true|exists)/,
    'the workspaces that a hold of the operator concerns',
  ),
  ...of(
    ['workspaces'],
    /^select "id", "retention" from "workspaces" where "retention" is not null/,
    'upkeep deletes what is past the retention of its workspace, in turns',
  ),
  ...of(
    ['stored_bytes'],
    /^\s*select workspace from stored_bytes group by workspace having count/,
    'upkeep writes many rows of a workspace as one, of all workspaces in turns',
  ),
  ...of(
    ['operations'],
    /^select "id", "workspace", "key", .* from "operations" where "waiting_for" = \$1 and "ended_at" is null and "id" > /,
    'the operations that wait for a restart, for the operator',
  ),
  ...of(
    ['touches', 'messages', 'invitations', 'connections'],
    /^\s*select one\.id, one\.workspace, one\.connection, connections\.account, .* reason = 'unconfirmed'/s,
    'the letters of which nobody knows whether they arrived, for the operator',
  ),
  ...of(
    ['members', 'conversations'],
    /^\s*select workspace, id as from, successor as to from members\s+where successor is not null/,
    'upkeep gives what members have left behind to their successors, in all workspaces',
  ),
  {
    table: 'prepared_messages',
    column: 'ticket',
    sql: /^select .* from "prepared_messages" inner join .* where "prepared_messages"\."ticket" = /s,
    reason:
      'the link to what a person is to confirm is the proof itself: the hash of 256 random bits',
  },
  ...of(
    ['prepared_messages'],
    /^delete from "prepared_messages" where "id" in \(select "id" from "prepared_messages" where "expires_at" < /,
    'upkeep forgets what was prepared and has expired, whoever it belongs to',
  ),
  ...of(
    ['connect_tickets'],
    /^delete from "connect_tickets" where "id" in \(select "id" from "connect_tickets" where "expires_at" < /,
    'upkeep forgets links that have expired, whoever they belong to',
  ),
  ...(
    [
      ['touches', 'conversation'],
      ['touches', 'message'],
      ['conversations', 'id'],
      ['messages', 'conversation'],
    ] as const
  ).map(([table, column]) => ({
    table,
    column,
    sql: /^\s*with moved as \(update "touches" set "conversation" = /,
    reason:
      'a letter that somebody says was sent: the statement makes the message and the conversation that it refers to; the letter itself was found before',
  })),

  ...of(
    ['verifications'],
    /^select extract\(epoch from clock_timestamp\(\) - created_at\).* from "verifications" where "(asker|account)" = \$1 and "created_at" > /,
    'how often a token or a mailbox was tried a moment ago, in whatever workspace; nothing but the time is read',
  ),
  ...of(
    ['verifications'],
    /^delete from "verifications" where "id" in \(select "id" from "verifications" where "created_at" < /,
    'upkeep forgets tries of more than a day ago, whoever they belong to',
  ),
  ...of(
    ['sandbox_letters'],
    /^delete from sandbox_letters where ctid in \(/,
    'upkeep forgets what the mail server of sandboxes has kept for a month, whoever it belongs to',
  ),
  ...of(
    ['suppressions'],
    /^select "reason", count\(\*\) as "count" from "suppressions" where "at" > \$1 and \(evidence is null or not starts_with\(evidence, 'imp_'\)\) group by "reason"$/,
    'how many addresses were suppressed in the last hour, for the operator, at /metrics',
  ),
  ...of(
    ['files'],
    /^\s*delete from files where message is null and id in/,
    'uploaded files that no message has taken within a day are deleted in all workspaces',
  ),
  ...of(
    ['connections', 'mailbox_readers'],
    /^\s*select connections\.kind, coalesce\(connections\.problem, reader\.problem, 'none'\) as problem/s,
    'how many accounts cannot be used, for the operator, at /metrics',
  ),
  ...of(
    ['connections', 'mailbox_readers'],
    /clock_timestamp\(\) - coalesce\(case when .* since\)\)\), 0\)::float8 as seconds/s,
    'since when the mailbox that has waited longest is unread, for the operator, at /metrics',
  ),
  ...of(
    ['messages', 'invitations', 'touches', 'campaigns'],
    /^\s*select\s+(\(select )?coalesce\(extract\(epoch from \$1::timestamptz - (min\(|\(select greatest\()/s,
    'how long the oldest letters are overdue or unconfirmed, for the operator, at /metrics',
  ),
  ...of(
    ['webhooks', 'deliveries'],
    /^\s*select\s+\(select count\(\*\)::int from \(select from deliveries\s+where state = 'queued' and next_try_at is null limit 100000\) as due\)/s,
    'how many webhooks take nothing, for the operator, at /metrics',
  ),
  ...of(
    ['webhooks'],
    /^select distinct "workspace" from "webhooks" where not exists \(select\s+from holds .*"webhooks"."workspace"\s*\) and \(\("runner" = /s,
    'the waker asks in which workspaces deliveries are queued that nobody carries',
  ),

  // What the worker does for all workspaces by its schedules; each row is then worked on by itself.
  ...of(
    ['calendars', 'workspaces'],
    /^select "calendars"\.\*, "workspaces"\."timezone" from "calendars" inner join "workspaces" .* where coalesce\(calendars\.tried_at/,
    'the schedule that reads the calendars of other servers takes those of all workspaces in turn',
  ),
  ...of(
    ['connections', 'members', 'workspaces'],
    /^select "connections"\.\*, "members"\."name" as "member_name",? .*from "connections" .* where \("kind" = \$1 or "bridge" is not null\) and not connections\.paused and "connections"\."removed_at" is null and (coalesce\(connections\.checked_at, '-infinity'\) < |not connections\.alive)/s,
    'the schedules that check accounts, and those that were found dead, take the next of all of them',
  ),
  ...of(
    ['connections'],
    /^\s*select count\(\*\)::int as n from connections where not paused and removed_at is null/,
    'how many accounts are checked at once depends on how many there are',
  ),
  ...of(
    ['segments'],
    /^\s*with run as materialized .* select id, since from segments, run\s+where refill/s,
    'the schedule that refills segments goes through all of them, in turn',
  ),
  ...of(
    ['operations'],
    /^select "id", "workspace", "workflow_type", "waiting_for" from "operations" where "workflow_type" is not null and "ended_at" is null/,
    'upkeep looks for operations whose workflow has gone, whoever they belong to',
  ),
  ...of(
    ['touches'],
    /^select "id", "workspace", "campaign", "person", "connection", "epoch", "workflow", "reason" from "touches" where "state" = 'sending' and "id" > \$1/,
    'upkeep looks for letters in hand whose workflow has gone, whoever they belong to',
  ),
  ...of(
    ['webhooks'],
    /^select "id" as "webhook", "workspace", "epoch" from "webhooks" where "runner" != \$1 and/,
    'upkeep looks for webhooks whose workflow has gone, page by page',
  ),
  ...of(
    ['mailbox_readers'],
    /^\s*select ceil\(\(select count\(distinct mailbox_set\)/s,
    'how many sets of mailboxes a worker reads depends on how many there are',
  ),
  ...of(
    ['connections', 'mailbox_readers', 'members', 'workspaces'],
    /^select "connections"\."id", "connections"\."workspace", "connections"\."account", .* "mailbox_readers"\."mailbox_set" = \$\d/s,
    'a set of mailboxes holds those of several workspaces; each is then read by itself',
  ),
  ...of(
    ['mailbox_readers', 'messages'],
    /^\s*select connection from mailbox_readers\s+where mailbox_set = \$1 and exists/s,
    'which mailboxes of a set have letters to file, whoever they belong to',
  ),
  ...of(
    ['mailbox_readers'],
    /^\s*select mailbox_sets\.id from mailbox_sets left join mailbox_readers/s,
    'the emptiest set of mailboxes takes the next one',
  ),
  ...of(
    ['mailbox_readers', 'connections'],
    /^\s*with next as \(select connection from mailbox_readers/s,
    'the schedule that revives handles of mailboxes looks at those of all workspaces, in turn',
  ),
  ...of(
    ['mailbox_readers'],
    /^\s*select id from mailbox_sets\s+where \(lease_until is null/s,
    'the schedule that revives readers of mailboxes looks at all sets',
  ),
  ...of(
    ['connections', 'mailbox_readers'],
    /^select "connections"\."id", "connections"\."workspace" from "connections" left join "mailbox_readers" .* order by "connections"\."id"$/,
    'the schedule that revives readers of mailboxes looks at those of all workspaces',
  ),
  ...of(
    ['invitations'],
    /^select "id", "workspace" from "invitations" where "state" in \(\$1, \$2\) and "reason" is null/,
    'the schedule that revives invitations takes those of all workspaces',
  ),
  ...of(
    ['invitations'],
    /^select "id", "workspace", "reason" from "invitations" where "state" = \$1 and "reason" = \$2/,
    'upkeep looks for mails about meetings in hand whose workflow has gone, whoever they belong to',
  ),
  ...of(
    ['operations', 'events'],
    /^delete from "(operations|events)" where id = any\(array\(select id from (operations|events)\s+where .*(last_used_at|recorded_at) < \$\d limit \d+\)\) returning "id"$/s,
    'upkeep forgets what is older than its time, whoever it belongs to',
  ),
  ...of(
    ['imports'],
    /^update "imports" set "content" = \$1 where "operation" in \(select "operation" from "imports" where "content" is not null and exists \(/,
    'upkeep forgets the files of imports that have ended, whoever they belong to',
  ),
]
