import { type Kysely, sql } from 'kysely'

// Who wrote a message, where they ask for answers, and what it referred to; and which spellings of an address are one mailbox.

// By the providers' own rules: googlemail.com is gmail.com, where dots do not matter; Proton ignores dots, hyphens and underlines;
// Yandex takes a dot for a hyphen. What stands behind a plus is a tag anywhere (RFC 5233).
const mailboxOf = `create function mailbox_of(address text) returns text
  language sql immutable strict parallel safe as $$
    select case
      when domain is null then lower(address)
      when domain in ('gmail.com', 'googlemail.com') then replace(local, '.', '') || '@gmail.com'
      when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me')
        then translate(local, '.-_', '') || '@proton.me'
      when domain in ('yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.com.tr', 'yandex.uz', 'ya.ru', 'narod.ru')
        then replace(local, '.', '-') || '@yandex.ru'
      when domain in ('icloud.com', 'me.com', 'mac.com') then local || '@icloud.com'
      else local || '@' || domain end
    from (select coalesce(substring(lower(address) from '^([^+]+)[+].*@[^@]*$'), substring(lower(address) from '^(.*)@')) as local,
      substring(lower(address) from '@([^@]*)$') as domain) parts $$`

const statements = [
  // via: the address of ours through which a group or a form sent it. reply_to: its Reply-To, as a list of { name, address }.
  // refers_to: its References or, without those, its In-Reply-To.
  `alter table messages add column via text, add column reply_to jsonb, add column refers_to text[]`,
  mailboxOf,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    // With the indexes that use it.
    `drop function mailbox_of cascade`,
    `alter table messages drop column via, drop column reply_to, drop column refers_to`,
  ])
    await sql.raw(statement).execute(db)
}
