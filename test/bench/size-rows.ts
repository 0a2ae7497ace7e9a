import { sql } from 'kysely'
import pg from 'pg'
import { conversationLexemes, messageLexemes } from '../../db/conversations/search-words.ts'
import { type Db, databaseOn } from '../../db/database.ts'
import { bringCards } from '../../db/people/card-words.ts'
import { seal } from '../../db/secrets.ts'
import { secretKey } from '../support/given.ts'
import { largeTables } from '../support/plans/large.ts'

// A database as large as a deployment of some years: 1,000 workspaces, of which the first has a million people and half of all that
// is written. Everything is counted from 1, and its ids are made of that number, so no table is read to fill another.
// One file, because every statement here follows from the same few numbers.

/** How many rows there are of what, at a scale of 1. */
export type Counts = ReturnType<typeof countsOf>

export function countsOf(scale: number) {
  const of = (n: number, least = 1) => Math.max(least, Math.round(n * scale))
  return {
    workspaces: of(1_000, 2),
    /** Of each workspace. */
    accounts: 10,
    webhooks: 4,
    /** Of the first workspace, and of all others together. Each person has a conversation. */
    people: of(1_000_000, 100),
    others: of(100_000, 100),
    messages: of(5_000_000, 100),
    /** Messages whose time has not come. */
    sleepers: of(100_000, 10),
    events: of(2_500_000, 100),
    deliveries: of(10_000_000, 400),
    operations: of(1_000_000, 10),
    signals: of(1_000_000, 10),
    audit: of(2_000_000, 10),
    notifications: of(500_000, 10),
    evidence: of(2_000_000, 10),
    suppressions: of(50_000, 10),
    files: of(100_000, 10),
    notes: of(100_000, 10),
  }
}

/** What others need to know of the first workspace. */
export const first = {
  workspace: 'wsp_s1',
  member: 'mem_s1',
  /** All its people are in it. */
  segment: 'seg_s1',
  /** Has written to all of them. */
  done: 'cmp_s1',
  /** A draft for the same segment, with an agent. */
  draft: 'cmp_s1draft',
  conversation: 'cnv_s1',
  webhook: 'whk_s1_1',
}

type Filled = { db: Db; counts: Counts }
type Place = {
  /** Of a superuser: neither triggers nor references are looked at while rows come. */
  url: string
  scale: number
  /** Where the accounts' mail server listens. */
  smtpPort?: number
  say?: (line: string) => void
}

/** So many rows are inserted at once, and told. */
const atOnce = 500_000
const wordsAtOnce = 20_000

/** Fills a migrated, empty database. Its statistics are those of its rows afterwards. */
export async function fillAtSize({ url, scale, smtpPort = 9, say = () => {} }: Place) {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    pipeline: true,
    onConnect: async (client) => {
      await client.query(`set session_replication_role = replica; set synchronous_commit = off;
        set maintenance_work_mem = '1GB'; set work_mem = '256MB'`)
    },
  })
  const db = databaseOn(pool)
  const counts = countsOf(scale)
  const begun = performance.now()
  const step = async (what: string, work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    const seconds = (ms: number) => `${((performance.now() - ms) / 1000).toFixed(0)} s`
    say(`${what}: ${seconds(from)}, ${seconds(begun)} in all`)
  }
  try {
    await step('workspaces', () => fillWorkspaces({ db, counts }, smtpPort))
    await fillTexts({ db, counts })
    const indexes = await dropIndexes(db)
    for (const [what, { rows, insert }] of Object.entries(tablesOf(counts)))
      for (let from = 1; from <= rows; from += atOnce) {
        const to = Math.min(rows, from + atOnce - 1)
        await step(`${what}, ${to} of ${rows}`, () =>
          sql.raw(insert(`generate_series(${from}, ${to}) as i`)).execute(db),
        )
      }
    await step('words of conversations', () => fillConversationWords({ db, counts }))
    await step('indexes of people', async () => {
      for (const { made } of indexes.filter(isOfCards)) await sql.raw(made).execute(db)
      await sql`vacuum analyze people, addresses`.execute(db)
    })
    await step('words of people', () => fillCardWords({ db, counts }))
    for (const { name, made } of indexes.filter((index) => !isOfCards(index)))
      await step(name, () => sql.raw(made).execute(db))
    await step('numbers and sums', () => putNumbersRight(db))
    await step('statistics', () => sql`vacuum analyze`.execute(db))
  } finally {
    await db.destroy()
  }
  return counts
}

type Index = { name: string; table: string; made: string }
/** Cards are read while their words are made. */
const isOfCards = ({ table }: Index) => ['people', 'addresses'].includes(table)

/** The indexes of large tables are built when their rows are there, which takes a tenth of the time. */
async function dropIndexes(db: Db): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select c.relname as name, i.indrelid::regclass::text as table, pg_get_indexdef(c.oid) as made
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any(${[...largeTables]}::regclass[]) and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by 2, 1`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
  return rows
}

async function fillWorkspaces({ db, counts }: Filled, smtpPort: number) {
  const { workspaces, accounts, webhooks } = counts
  const each = (statement: string, most = 1) =>
    sql
      .raw(
        `${statement} from generate_series(1, ${workspaces}) as w cross join generate_series(1, ${most}) as n`,
      )
      .execute(db)
  await each(`insert into workspaces (id, name, timezone, house_updated_at)
    select 'wsp_s' || w, 'Workspace ' || w, 'Europe/Berlin', now()`)
  await each(`insert into members (id, workspace, name, email)
    select 'mem_s' || w, 'wsp_s' || w, 'Ana Ruiz', 'ana' || w || '@us.example'`)
  await each(
    `insert into connections (id, workspace, kind, name, account, member, limit_day, limit_week, gap_seconds, smtp)
    select 'con_s' || w || '_' || n, 'wsp_s' || w, 'email', 'Ana Ruiz', 'ana' || w || '-' || n || '@us.example', 'mem_s' || w,
      1000000, 5000000, 0, '{"host": "127.0.0.1", "port": ${smtpPort}, "secure": false, "user": "ana"}'`,
    accounts,
  )
  const ids = (w: number) =>
    Array.from({ length: accounts }, (_, n) => [
      `con_s${w}_${n + 1}`,
      seal(secretKey, { smtp: 'secret' }, { in: 'connections.secrets', id: `con_s${w}_${n + 1}` }),
    ])
  const secrets = Array.from({ length: workspaces }, (_, w) => ids(w + 1)).flat()
  await sql`update connections set secrets = made.secrets
    from unnest(${secrets.map(([id]) => id)}::text[], ${secrets.map(([, one]) => one)}::text[]) as made (id, secrets)
    where connections.id = made.id`.execute(db)
  await sql`insert into connection_usage (connection, day, used)
    select id, current_date - n, 10 + n from connections cross join generate_series(0, 29) n`.execute(
    db,
  )
  await each(`insert into products (id, workspace, name)
    select 'prd_s' || w, 'wsp_s' || w, 'CRM'`)
  await each(`insert into companies (id, workspace, name, pitch)
    select 'com_s' || w, 'wsp_s' || w, 'Us Ltd', 'We keep sales teams calm.'`)
  await each(`insert into agents (id, workspace, name, company, channels, hours)
    select 'agt_s' || w, 'wsp_s' || w, 'Eva', 'com_s' || w, array['con_s' || w || '_1'],
      '{"zone": "Europe/Berlin", "from": "00:00", "to": "24:00", "daysOff": []}'`)
  await each(
    `insert into labels (id, workspace, name) select 'lbl_s' || w || '_' || n, 'wsp_s' || w, 'Label ' || n`,
    3,
  )
  await each(`insert into segments (id, workspace, name, query, rules, created_at, updated_at)
    select 'seg_s' || w, 'wsp_s' || w, 'All', 'all', '[]', now(), now()`)
  await each(`insert into campaigns (id, workspace, name, state, segment, agent, created_at, updated_at, started_at)
    select 'cmp_s' || w, 'wsp_s' || w, 'Autumn', 'done', 'seg_s' || w, 'agt_s' || w, now() - interval '90 days', now(),
      now() - interval '90 days'`)
  await each(`insert into campaigns (id, workspace, name, segment, agent, created_at, updated_at)
    select 'cmp_s' || w || 'draft', 'wsp_s' || w, 'Winter', 'seg_s' || w, 'agt_s' || w, now(), now()`)
  // Switched off: nothing is posted while somebody measures.
  await each(
    `insert into webhooks (id, workspace, member, url, secret, enabled, created_at, updated_at)
    select 'whk_s' || w || '_' || n, 'wsp_s' || w, 'mem_s' || w, 'http://127.0.0.1:9/', 's', false, now(), now()`,
    webhooks,
  )
}

type Table = { rows: number; insert: (series: string) => string }

/** What is inserted, in this order. A series stands for the numbers of the rows, from 1. */
function tablesOf(counts: Counts): Record<string, Table> {
  const { workspaces, people, others, messages, accounts, webhooks, sleepers } = counts
  const all = people + others
  const most = messages - sleepers
  const ofHalf = (i: string) =>
    `case when ${i} % 2 = 0 then 1 else 2 + ${i} % ${workspaces - 1} end`
  const of = (person: string) => workspaceOf(counts, person)
  const ago = (i: string, rows: number, days: number) =>
    `now() - (${rows} - ${i}) * interval '${(days * 24 * 3600) / rows} seconds'`
  // Letters and answers of both halves.
  const talk = `case when (i / 2) % 2 = 0 then 1 + (i / 4) % ${people} else ${people} + 1 + (i / 4) % ${others} end`
  const email = (person: string) => `'p' || ${person} || '@firm' || ${person} % 5000 || '.example'`
  const account = (i: string) => `'con_s' || w || '_' || 1 + ${i} % ${accounts}`
  const any = (values: string[], i: string) =>
    `(array[${values.map((one) => `'${one}'`)}])[1 + (${i}) % ${values.length}]`

  /** w is the number of the workspace, at a moment within so many days. */
  const table = (
    columns: string,
    rows: number,
    values: string,
    { w = of('i'), days = 365 }: { w?: string; days?: number } = {},
  ): Table => ({
    rows,
    insert: (series) => `insert into ${columns} select ${values}
      from (select i, ${w} as w, ${ago('i', rows, days)} as at from ${series}) one`,
  })
  /** Half of the rows are of the first workspace, and they are of the last month. */
  const ofMonth = (columns: string, rows: number, values: string) =>
    table(columns, rows, values, { w: ofHalf('i'), days: 30 })
  const ofYear = (columns: string, rows: number, values: string) =>
    table(columns, rows, values, { w: ofHalf('i') })

  return {
    people: table(
      'people (id, workspace, name, city, job_title, company, created_at, updated_at)',
      all,
      `'per_s' || i, 'wsp_s' || w, ${any(given, 'i')} || ' ' || ${any(families, 'i / 9')} || ' ' || i,
        ${any(cities, 'i')}, 'Buyer', 'Firm ' || i % 5000, at, at`,
    ),
    addresses: table(
      'addresses (workspace, kind, value, given, person, position)',
      all,
      `'wsp_s' || w, 'email', ${email('i')}, ${email('i')}, 'per_s' || i, 0`,
    ),
    tags: table(
      'person_tags (person, label, side, added_at)',
      all,
      `'per_s' || i, 'prd_s' || w, 'buyer', at`,
    ),
    'people of segments': table(
      'segment_people (segment, person, matches, reason, version, at, joined)',
      all,
      `'seg_s' || w, 'per_s' || i, true, 'All are', 1, at, i`,
    ),
    conversations: table(
      `conversations (id, workspace, person, connection, kind, subject, state, owner, last_message_at, waiting_since, waiting_for,
        updated_at)`,
      all,
      `'cnv_s' || i, 'wsp_s' || w, 'per_s' || i, ${account('i')}, 'email', 'Offer ' || i,
        ${any(['open', 'closed', 'closed', 'snoozed'], 'i')}, case when i % 3 = 0 then 'mem_s' || w end, at, at,
        ${any(['us', 'client'], 'i')}, at`,
    ),
    'labels of conversations': table(
      'conversation_labels (conversation, label)',
      all,
      `'cnv_s' || i, 'lbl_s' || w || '_' || 1 + i % 3`,
    ),
    notes: table(
      'notes (id, conversation, text, author, at)',
      counts.notes,
      `'not_s' || i, 'cnv_s' || i, 'Asks for a discount', 'mem_s' || w, at`,
    ),
    'messages, with their words': {
      rows: most,
      insert: (series) => `
        with made as materialized (
          select i, c, ${of('c')} as w, i % 2 = 0 as ours, at, case when i % 2 = 0 then at end as sent, i % ${texts.length} as n
          from (select i, ${talk} as c, ${ago('i', most, 365)} as at from ${series}) one),
        words as (
          insert into search_words (kind, ref, workspace, conversation, at, words)
          select 'message', 'msg_s' || i, 'wsp_s' || w, 'cnv_s' || c, at, said.words
          from made join said using (w, n))
        insert into messages (id, workspace, conversation, connection, direction, at, sender_name, sender_handle, to_address, subject,
          text, message_id, external_id, state, reason, first_claimed_at, claimed_at, claimed_day, sent_at, filed)
        select 'msg_s' || i, 'wsp_s' || w, 'cnv_s' || c, ${account('c')}, case when ours then 'outbound' else 'inbound' end, at, 'Anna',
          ${email('c')}, case when ours then ${email('c')} else '' end, 'Offer', said.text, '<' || i || '@mail.example>',
          case when not ours then '<' || i || '@mail.example>' end,
          case when not ours then 'received' when i % 100 = 0 then 'failed' else 'sent' end,
          case when ours and i % 100 = 0 then 'bounced' end, sent, sent, sent::date, sent, ours
        from made join said using (w, n)`,
    },
    sleepers: table(
      `messages (id, workspace, conversation, connection, direction, at, to_address, subject, text, state, operation, send_at, due_at)`,
      sleepers,
      `'msg_sleeps' || i, 'wsp_s' || w, 'cnv_s' || i, ${account('i')}, 'outbound', at, ${email('i')}, 'Offer', 'Hello again', 'queued',
        'wsp_s' || w || ':sleeps-' || i, now() + interval '1 year', now() + interval '1 year'`,
    ),
    letters: table(
      `touches (id, workspace, campaign, person, place, state, reason, to_address, subject, due_at, created_at, connection, message_id,
        epoch, first_claimed_at, claimed_at, claimed_day, sent_at)`,
      all,
      `'tch_s' || i, 'wsp_s' || w, 'cmp_s' || w, 'per_s' || i, 1, case when i % 50 = 0 then 'failed' else 'sent' end,
        case when i % 50 = 0 then 'refused' end, ${email('i')}, 'Offer', at, at, ${account('i')}, '<t' || i || '@mail.example>', 1, at, at,
        at::date, case when i % 50 > 0 then at end`,
      { days: 90 },
    ),
    files: table(
      'files (id, workspace, message, name, type, size, content)',
      counts.files,
      `'fil_s' || i, 'wsp_s' || w, 'msg_s' || i, 'offer.pdf', 'application/pdf', 11, '\\x255044462d312e370a2500'`,
      { w: of(`(${talk})`) },
    ),
    operations: ofMonth(
      `operations (id, workspace, key, kind, fingerprint, workflow_type, state, answer_status, answer_body, result, resource, accepted_at,
        started_at, ended_at, last_used_at)`,
      counts.operations,
      `'wsp_s' || w || ':op-' || i, 'wsp_s' || w, 'op-' || i, 'message.queued', 'f', 'sendMessage', 'done', 202, '{}', '{}',
        'msg_s' || i, at, at, at, at`,
    ),
    'operations of sleepers': table(
      `operations (id, workspace, key, kind, fingerprint, workflow_type, owner_run, run_id, state, answer_status, answer_body, resource,
        accepted_at, started_at, last_used_at, waiting_for, waiting_until)`,
      sleepers,
      `'wsp_s' || w || ':sleeps-' || i, 'wsp_s' || w, 'sleeps-' || i, 'message.queued', 'f', 'sendMessage', 'r', 'r', 'waiting', 202,
        '{}', 'msg_sleeps' || i, now(), now(), now(), 'sendAt', now() + interval '1 year'`,
    ),
    starts: ofMonth(
      'outbox (operation, kind, workspace, workflow_type, workflow_id, args, created_at, next_try_at, dispatched_at)',
      counts.operations,
      `'wsp_s' || w || ':op-' || i, 'start', 'wsp_s' || w, 'sendMessage', 'wsp_s' || w || ':op-' || i, '[]', at, at, at`,
    ),
    signals: ofMonth(
      'outbox (kind, workspace, workflow_id, signal, args, created_at, next_try_at, dispatched_at)',
      counts.signals,
      `'signal', 'wsp_s' || w, 'wsp_s' || w || ':op-' || i, 'wake', '[]', at, at, at`,
    ),
    'starts of sleepers': table(
      'outbox (operation, kind, workspace, workflow_type, workflow_id, args, dispatched_at)',
      sleepers,
      `'wsp_s' || w || ':sleeps-' || i, 'start', 'wsp_s' || w, 'sendMessage', 'wsp_s' || w || ':sleeps-' || i, '[]', at`,
    ),
    events: ofMonth(
      'events (id, workspace, kind, at, resource, recorded_at) overriding system value',
      counts.events,
      `i, 'wsp_s' || w, 'message.received', at, 'msg_s' || i, at`,
    ),
    deliveries: {
      rows: counts.deliveries,
      insert: (series) => `
        insert into deliveries (id, webhook, event, state, attempts, created_at, tried_at, next_try_at)
        select 'dlv_s' || i, 'whk_s' || w || '_' || 1 + i % ${webhooks}, event, state, case when state = 'queued' then 0 else 1 end, at,
          case when state <> 'queued' then at end, case when state = 'queued' and i % 200 = 0 then now() end
        from (select i, event, ${ofHalf('event')} as w, ${ago('event', counts.events, 30)} as at,
            case when i % 100 = 0 then 'queued' when i % 100 = 1 then 'failed' else 'delivered' end as state
          from (select i, 1 + (i - 1) / ${webhooks} as event from ${series}) one) one`,
    },
    audit: ofYear(
      'audit (id, workspace, at, member, client_name, action, resource)',
      counts.audit,
      `'aud_s' || i, 'wsp_s' || w, at, 'mem_s' || w, 'bench', 'message.queued', 'msg_s' || i`,
    ),
    notifications: ofYear(
      'notifications (id, workspace, member, at, kind, text, conversation, read_at)',
      counts.notifications,
      `'ntf_s' || i, 'wsp_s' || w, 'mem_s' || w, at, 'message.received', 'A new message', 'cnv_s1', case when i % 50 > 0 then at end`,
    ),
    'evidence of letters': ofYear(
      'sent_evidence (workspace, message_id, at)',
      counts.evidence,
      `'wsp_s' || w, '<' || i * 2 || '@mail.example>', at`,
    ),
    suppressions: table(
      'suppressions (workspace, address, reason, at)',
      counts.suppressions,
      `'wsp_s' || w, 'gone' || i || '@firm.example', ${any(['unsubscribe', 'bounce', 'complaint'], 'i')}, at`,
    ),
  }
}

/** The number of the workspace of a person, and of their conversation. */
const workspaceOf = ({ workspaces, people }: Counts, person: string) =>
  `case when ${person} <= ${people} then 1 else 2 + (${person} - ${people} - 1) % ${workspaces - 1} end`

/** What is said in each workspace, with its words: those of a workspace begin as no others do. */
async function fillTexts({ db, counts }: Filled) {
  await sql`create temporary table said (w int, n int, text text, words tsvector, primary key (w, n))`.execute(
    db,
  )
  for (const [n, text] of texts.entries()) {
    const words = Array.from({ length: counts.workspaces }, (_, i) =>
      messageLexemes({ workspace: `wsp_s${i + 1}`, text, subject: 'Offer' }),
    )
    await sql`insert into said select i, ${n}, ${text}, words::tsvector
      from unnest(${words}::text[]) with ordinality as of (words, i)`.execute(db)
  }
}

async function fillConversationWords({ db, counts }: Filled) {
  const all = counts.people + counts.others
  for (let from = 1; from <= all; from += wordsAtOnce) {
    const ids = Array.from({ length: Math.min(wordsAtOnce, all - from + 1) }, (_, i) => from + i)
    const words = ids.map((id) =>
      conversationLexemes({ workspace: `wsp_s${ofPerson(counts, id)}`, subject: `Offer ${id}` }),
    )
    await sql`insert into search_words (kind, ref, workspace, conversation, at, words)
      select 'conversation', c.id, c.workspace, c.id, c.last_message_at, made.words::tsvector
      from unnest(${ids}::int[], ${words}::text[]) as made (i, words) join conversations c on c.id = 'cnv_s' || made.i`.execute(
      db,
    )
  }
}

const ofPerson = ({ workspaces, people }: Counts, person: number) =>
  person <= people ? 1 : 2 + ((person - people - 1) % (workspaces - 1))

/** As an import brings them. */
async function fillCardWords({ db, counts }: Filled) {
  const all = Array.from({ length: counts.people + counts.others }, (_, i) => i + 1)
  for (const [w, people] of Map.groupBy(all, (person) => ofPerson(counts, person)))
    for (let from = 0; from < people.length; from += wordsAtOnce) {
      const ids = people.slice(from, from + wordsAtOnce).map((i) => `per_s${i}`)
      await db.transaction().execute((trx) => bringCards(trx, `wsp_s${w}`, ids))
    }
}

/** What the database counts by itself where triggers run. */
async function putNumbersRight(db: Db) {
  await sql`select setval(pg_get_serial_sequence('events', 'id'), max(id)) from events`.execute(db)
  await sql`select setval('segment_joins', max(joined)) from segment_people`.execute(db)
  await sql`update campaigns set planned_segment = segment, left_to = null,
    planned_to = (select max(joined) from segment_people where segment = campaigns.segment)
    where state = 'done'`.execute(db)
  await sql`insert into stored_bytes (workspace, bytes)
    select workspace, sum(octet_length(text)) from messages group by workspace`.execute(db)
  await sql`drop table said`.execute(db)
}

const texts = [
  'Thank you for the offer, we would like to see a demo on Tuesday afternoon.',
  'What does it cost for forty people, and is there a discount for a year?',
  'Please send the contract to our legal department, they answer within a week.',
  'The price is higher than we expected. Is there a smaller plan for our team?',
  'Wir haben uns für einen anderen Anbieter entschieden, vielen Dank für Ihre Mühe.',
  'I am out of the office until Monday, please write to my colleague instead.',
  'Nous vous remercions de votre message et revenons vers vous dès que possible.',
  'Could you tell us more about how the data is stored and who has access to it?',
]
const given = ['Anna', 'Boris', 'Chloe', 'Daniel', 'Elena', 'Farid', 'Greta', 'Hugo', 'Irina']
const families = ['Weber', 'Rossi', 'Novak', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Petrov']
const cities = ['Berlin', 'Lyon', 'Turin', 'Malmö', 'Praha']
