import pg from 'pg'
import { openDatabase } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import type { Step } from '../../db/migrations/index.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { givenWorkspace } from './given.ts'
import { createTestDatabase, testPostgres } from './postgres.ts'

// A database with many rows, made by SQL. Whatever a filter asks for is rare, and lies where a walk through a list in its order
// comes last.

type Steps = Readonly<Record<string, Step>>

/** How many rows of a workspace are rare: the first, which are the oldest. */
export const rare = 60

const when = `now() - ($2::int - i) * interval '10 seconds'`
const id = (prefix: string) => `'${prefix}_' || $1::text || lpad(i::text, 24, '0')`
const isRare = `i <= ${rare}`

// $1 is the workspace, $2 the number of rows; the ids of what belongs to it end in its id.
const tables = {
  settled: `insert into members (id, workspace, name, email)
    select 'mem_' || $1::text || i, $1, 'M', i || '@' || $1 from generate_series(1, $2::int - $2::int + 8) i`,
  products: `insert into products (id, workspace, name)
    select 'prd_' || name || $1::text, $1, name from unnest(array['common', 'rare']) name where $2::int > 0`,
  labels: `insert into labels (id, workspace, name)
    select 'lbl_' || name || $1::text, $1, name from unnest(array['common', 'rare']) name where $2::int > 0`,
  segments: `insert into segments (id, workspace, name, query, rules, created_at, updated_at)
    select 'seg_' || name || $1::text, $1, name, 'q', '[]', now(), now()
    from unnest(array['common', 'rare']) name where $2::int > 0`,
  campaigns: `insert into campaigns (id, workspace, name, state, segment, created_at, updated_at, started_at)
    select 'cmp_' || $1::text, $1, 'C', 'running', 'seg_common' || $1::text, now(), now(), now() where $2::int > 0`,
  people: `insert into people (id, workspace, name, created_at, updated_at, external_id, fields)
    select ${id('per')}, $1, md5(i::text), ${when}, ${when}, 'ext-' || i,
      jsonb_build_object('half', i % 2 = 0) || case when ${isRare} then '{"tier": "rare"}' else '{}'::jsonb end
    from generate_series(1, $2::int) i`,
  fields: `insert into person_fields (workspace, person, field, value, sort_name)
    select workspace, people.id, key, value, lower(name) from people, jsonb_each_text(fields)
    where workspace = $1 and $2::int > 0`,
  addresses: `insert into addresses (workspace, kind, value, given, person, position)
    select $1, 'email', i || '@' || $1, i || '@' || $1, ${id('per')}, 0 from generate_series(1, $2::int) i`,
  tags: `insert into person_tags (person, label, side, added_at)
    select ${id('per')}, 'prd_common' || $1::text, 'buyer', now() from generate_series(1, $2::int) i where i % 2 = 0
    union all select ${id('per')}, 'prd_rare' || $1::text, 'seller', now() from generate_series(1, ${rare}) i`,
  members: `insert into segment_people (segment, person, matches, reason, version, at)
    select 'seg_common' || $1::text, ${id('per')}, i % 2 = 0, 'r', 1, now() from generate_series(1, $2::int) i
    union all select 'seg_rare' || $1::text, ${id('per')}, true, 'r', 1, now() from generate_series(1, ${rare}) i`,
  conversations: `insert into conversations (id, workspace, person, kind, subject, state, owner, last_message_at,
      waiting_since, updated_at, waiting_for, importance, intent, connection)
    select ${id('cnv')}, $1, case when i % 10 = 0 then 'per_' || $1 || lpad('1', 24, '0') else ${id('per')} end,
      case when ${isRare} then 'messenger' else 'email' end, 'Subject',
      case when ${isRare} then case i % 2 when 0 then 'open' else 'snoozed' end else 'closed' end,
      case when ${isRare} then case i % 3 when 0 then null else 'mem_' || $1 || '1' end else 'mem_' || $1 || '2' end,
      ${when}, ${when}, ${when}, case when ${isRare} then 'us' else 'client' end,
      case when ${isRare} then 'high' else 'normal' end, case when ${isRare} then 'quote' else 'other' end,
      replace($1, 'wsp_', case when ${isRare} then 'con_a_' else 'con_b_' end) from generate_series(1, $2::int) i`,
  conversationLabels: `insert into conversation_labels (conversation, label)
    select ${id('cnv')}, 'lbl_common' || $1::text from generate_series(1, $2::int) i where i % 2 = 0
    union all select ${id('cnv')}, 'lbl_rare' || $1::text from generate_series(1, ${rare}) i`,
  messages: `insert into messages (id, workspace, conversation, direction, at, state)
    select ${id('msg')}, $1, 'cnv_' || $1 || lpad('1', 24, '0'), 'inbound', ${when}, 'received'
    from generate_series(1, $2::int) i`,
  touches: `insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
    select ${id('tch')}, $1, 'cmp_' || $1, ${id('per')}, 1,
      case when i > $2::int - ${rare} then 'failed' else 'queued' end, ${when}, now() from generate_series(1, $2::int) i`,
  // A campaign that has written to everybody: somebody rare has bounced, unsubscribed, or is held.
  told: `insert into campaigns (id, workspace, name, state, created_at, updated_at, started_at)
    select 'cmp_told' || $1::text, $1, 'C', 'running', now(), now(), '2020-01-01' where $2::int > 0`,
  toldTouches: `insert into touches (id, workspace, campaign, person, place, state, reason, due_at, sent_at, held_from, created_at)
    select 'tld' || place || ${id('')}, $1, 'cmp_told' || $1, ${id('per')}, place,
      case when place = 1 then 'sent' when ${isRare} and i % 3 = 0 then 'queued' else 'failed' end,
      case when place = 1 then null when ${isRare} then (array['held', 'bounced', 'unsubscribed'])[i % 3 + 1]
        when i % 5 = 0 then 'refused' else 'replied' end,
      '2100-01-01', case when place = 1 then now() - interval '1 year' end,
      case when place = 2 and ${isRare} and i % 3 = 0 then now() end, now()
    from generate_series(1, $2::int) i, generate_series(1, 2) place`,
  audit: `insert into audit (id, workspace, at, action, resource)
    select ${id('aud')}, $1, ${when}, 'person.edited', 'r' from generate_series(1, $2::int) i`,
  events: `insert into events (xid, workspace, kind, at, resource)
    select (100 + i / 3)::text::xid8, $1, 'person.edited', ${when}, 'r' from generate_series(1, $2::int) i`,
  operations: `insert into operations (id, workspace, key, kind, fingerprint, workflow_type, state, result, accepted_at, last_used_at)
    select $1 || ':many-' || i, $1, 'many-' || i, 'message.queued', '', case when ${isRare} then 'sendMessage' end,
      case when ${isRare} then 'failed' else 'done' end, '{}', ${when}, ${when} from generate_series(1, $2::int) i`,
  notifications: `insert into notifications (id, workspace, member, at, kind, text)
    select ${id('ntf')}, $1, 'mem_' || $1 || '1', ${when}, 'k', 't' from generate_series(1, $2::int) i`,
  suppressions: `insert into suppressions (workspace, address, reason, at)
    select $1, i || '@x.example', 'operator', ${when} from generate_series(1, $2::int) i`,
  webhooks: `insert into webhooks (id, workspace, member, url, secret, enabled, created_at, updated_at)
    select 'whk_' || $1::text, $1, 'mem_' || $1 || '1', 'u', 's', false, now(), now() where $2::int > 0`,
  deliveries: `insert into deliveries (id, webhook, event, state, created_at)
    select 'dlv_' || id, 'whk_' || workspace, id, 'delivered', at from events where workspace = $1 and $2::int > 0`,
  deals: `insert into deals (id, workspace, label, seller, buyer, agent, created_at, closed_at)
    select ${id('dea')}, $1, 'prd_common' || $1, ${id('per')}, ${id('per')}, 'agt', ${when},
      case when ${isRare} then null else now() end from generate_series(1, $2::int) i`,
  importRows: `insert into import_rows (operation, row, outcome, person)
    select $1 || ':import', i, 'new', ${id('per')} from generate_series(1, $2::int) i`,
}

// A vacuum of the server's own, or its statistics, would change the plans while a test looks at them.
const leaveAlone = `do $$
  declare name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I set (autovacuum_enabled = off)', name);
    end loop;
  end $$`

/**
 * A database with a workspace of many rows beside a small one. It is neither vacuumed nor has it statistics until `vacuum` and
 * `analyse` are called. With `earlier`, its schema is that of these steps alone.
 */
export async function givenManyRows(rows: number, earlier?: Steps) {
  const database = await createTestDatabase()
  if (earlier) {
    await withClient(database.ownerUrl, (client) =>
      client.query('drop schema public cascade; create schema public'),
    )
    await migrateToLatest(database.ownerUrl, serviceRole, undefined, { steps: earlier })
  }
  const db = openDatabase(database.ownerUrl, 2)
  const many = await givenWorkspace(db, new Date())
  const some = await givenWorkspace(db, new Date())
  await db.destroy()
  const name = new URL(database.url).pathname.slice(1)
  const url = (await testPostgres()).url(name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Neither triggers nor references: the rows are consistent.
  await client.query('set session_replication_role = replica')
  await client.query(leaveAlone)
  for (const insert of Object.values(tables)) {
    await client.query(insert, [many.id, rows])
    await client.query(insert, [some.id, rare * 2])
  }
  return {
    url,
    many: many.id,
    some: some.id,
    vacuum: () => client.query('vacuum'),
    analyse: () => client.query('vacuum analyze'),
    async close() {
      await client.end()
      await database.drop()
    },
  }
}
