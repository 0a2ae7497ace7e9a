import { type Kysely, sql } from 'kysely'

// What a link to the consent of an owner is bound to: the token that made it, and the browser that set out with it. A login keeps
// for whom its owner consented first. A link without a connection makes one: it is for the owner of any mailbox, or of one address. Servers are looked up for it too, which is no try to log in.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connect_tickets
    alter column connection drop not null,
    add column if not exists token text,
    add column if not exists browser text,
    add column if not exists account text,
    add column if not exists return_to text,
    add column if not exists refused integer not null default 0,
    add column if not exists made text`.execute(db)
  await sql`alter table verifications
    add column if not exists is_look_up boolean not null default false`.execute(db)
  await sql`alter table logins add column if not exists owner text`.execute(db)
}
