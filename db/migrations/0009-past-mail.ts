import { type Kysely, sql } from 'kysely'

// The archive of mailboxes: each channel of a parse has a cursor of its own, so that one that cannot be read holds up no other.

const statements = [
  // total: how much there is, null until it has been counted. problem: why it could not be read when it was last tried.
  `create table archive_channels (
    archive text not null references archives on delete cascade,
    channel text not null, position integer not null,
    cursor text not null default '',
    total integer, ended boolean not null default false,
    problem text,
    primary key (archive, channel))`,
  `insert into archive_channels (archive, channel, position, cursor, ended)
    select a.id, c.channel, c.n, case when c.n = a.source + 1 then a.cursor else '' end, c.n <= a.source
    from archives a, unnest(a.channels) with ordinality as c (channel, n) where a.state = 'running'`,
  `alter table archives drop column source, drop column cursor`,
  // The parse that read it last: a mail that is in two folders is read once.
  `alter table messages add column archive text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table messages drop column archive`,
    `alter table archives add column source integer not null default 0, add column cursor text not null default ''`,
    `drop table archive_channels`,
  ])
    await sql.raw(statement).execute(db)
}
