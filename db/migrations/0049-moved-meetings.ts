import { type Kysely, sql } from 'kysely'

// Meetings move: their guests are written to again, and propose other times. Clients invite, and are answered.

const statements = [
  // Other times that guests have proposed.
  `alter table meetings add column proposals jsonb not null default '[]'`,

  // A guest gets one mail of a method for each version of a meeting; one that declines a proposal names it.
  `alter table invitations
    add column proposal text not null default '',
    drop constraint invitations_method_check,
    add constraint invitations_method_check check (method in ('request', 'update', 'cancel', 'decline')),
    drop constraint invitations_meeting_method_address_key,
    add constraint invitations_once unique (meeting, method, address, sequence, proposal)`,

  // The meeting that a client's message invites to, and what a calendar program reads in a message of ours.
  `alter table messages add column invitation jsonb, add column calendar jsonb`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table messages drop column calendar, drop column invitation`,
    `delete from invitations where method in ('update', 'decline')`,
    `alter table invitations
      drop constraint invitations_once,
      drop constraint invitations_method_check,
      drop column proposal,
      add constraint invitations_method_check check (method in ('request', 'cancel')),
      add constraint invitations_meeting_method_address_key unique (meeting, method, address)`,
    `alter table meetings drop column proposals`,
  ])
    await sql.raw(statement).execute(db)
}
