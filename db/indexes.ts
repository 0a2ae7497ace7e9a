import { sql } from 'kysely'
import type { Db } from './database.ts'

// Indexes that nothing but speed depends on. On a large table, building one takes minutes; a migration would block all writes
// for that long, because it is one transaction. These are built after the migrations, one by one and concurrently, while the
// service reads and writes. Add to the list freely; a changed index gets a new name.

type Index = { name: string; on: string }

/** What one letter of a campaign says about its person, for a query of touches. */
export const letterSays = `case when state = 'sent' then 'sent'
  when state in ('queued', 'review') and held_from is not null then 'held'
  when state <> 'failed' then 'waiting'
  when reason in ('bounced', 'unsubscribed') then reason
  when reason in ('replied', 'done', 'skipped', 'left_segment') then 'ended'
  else 'failed' end`

const indexes: Index[] = [
  // Lists of conversations (conversations/list.ts).
  {
    name: 'conversations_listed',
    on: 'conversations (workspace, kind, state, last_message_at desc, id desc)',
  },
  {
    name: 'conversations_of_owner',
    on: `conversations (workspace, coalesce(owner, ''), kind, state, last_message_at desc, id desc)`,
  },
  {
    name: 'conversations_of_person',
    on: 'conversations (person, state, last_message_at desc, id desc)',
  },
  { name: 'conversations_in_folder', on: 'conversations (folder) where folder is not null' },
  {
    name: 'conversation_labels_in_order',
    on: 'conversation_labels (label, conversation)',
  },
  // Who is answered in a conversation (conversations/contacts.ts).
  {
    name: 'messages_heard',
    on: `messages (conversation, at desc, id desc) where direction = 'inbound' and not suspect`,
  },
  // The people of a campaign by what became of its letters (campaigns/outcomes.ts).
  { name: 'touches_say', on: `touches (campaign, (${letterSays}), person, place)` },
  // Invitations of clients to one meeting (calendar/invited.ts).
  {
    name: 'messages_inviting',
    on: `messages (connection, (invitation ->> 'uid')) where invitation is not null`,
  },
  // Files that no message has taken (conversations/uploads.ts).
  {
    name: 'files_untaken',
    on: 'files (workspace, uploaded_at) where message is null',
  },
  // People by their tags (people/list.ts).
  {
    name: 'person_tags_by_side',
    on: 'person_tags (label, side, person) where removed_at is null',
  },
  {
    name: 'deals_open',
    on: 'deals (workspace, created_at desc, id desc) where closed_at is null',
  },
  {
    name: 'deals_closed',
    on: 'deals (workspace, created_at desc, id desc) where closed_at is not null',
  },
  // Addresses of one mailbox, for those who ask for no more letters (people/alike.ts, accounts/suppressions.ts).
  {
    name: 'addresses_of_mailbox',
    on: `addresses (workspace, mailbox_of(value)) where kind = 'email'`,
  },
  { name: 'suppressions_of_mailbox', on: 'suppressions (workspace, mailbox_of(address))' },
  // Metrics count the last hour of all workspaces. This index has no order, so that a list never walks through the rows of
  // other workspaces.
  { name: 'suppressions_recent', on: 'suppressions using brin (at)' },
]
// Their successors are in the list above.
const replaced = ['suppressions_at']

/**
 * Builds what is missing, as the owner of the schema and outside a transaction. A build that was interrupted leaves an index
 * that is not used; it is built again. Two runs at once are harmless: the second waits for the first.
 */
export async function buildIndexes(owner: Db, log: (line: string) => void) {
  await owner.connection().execute(async (db) => {
    // Concurrent builds wait for older transactions; this lock is the session's, and asked for without waiting, so that a run
    // that waits for it is no transaction that the other run would wait for.
    while (!(await tryLock(db))) await new Promise((resolve) => setTimeout(resolve, 500))
    try {
      for (const { name, on } of indexes) {
        const state = await findState(db, name)
        if (state === 'built') continue
        if (state === 'broken') await sql`drop index concurrently ${sql.id(name)}`.execute(db)
        await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
        log(`index ${name}: Success`)
      }
      for (const name of replaced)
        await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('postroom indexes'))`.execute(db)
    }
  })
}

async function tryLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_lock(hashtext('postroom indexes')) as locked`.execute(db)
  return rows[0]?.locked ?? false
}

async function findState(db: Db, name: string): Promise<'built' | 'broken' | 'missing'> {
  const { rows } = await sql<{ valid: boolean }>`
    select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${name} and c.relnamespace = current_schema()::regnamespace`.execute(db)
  if (!rows[0]) return 'missing'
  return rows[0].valid ? 'built' : 'broken'
}
