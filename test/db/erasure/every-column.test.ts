import { deepEqual } from 'node:assert/strict'
import { sql } from 'kysely'
import { startService, type TestService } from '../../support/service.ts'

// Every column that can hold a text, in every table: what an erasure does with it, or why nothing of a person stands there.

/** What an erasure takes away or goes through (db/erasure). */
const erased: Record<string, string> = {
  addresses: 'kind value given',
  audit: 'before after',
  campaign_letters: 'subject text',
  campaign_templates: 'subject text html',
  campaigns: 'name goal add_rules materials',
  connections: 'refused_to',
  conversations: 'subject why',
  deals: 'stage',
  erasures: 'sought',
  events: 'data',
  files: 'name content cid',
  find_runs: 'filters',
  finds: 'words filters',
  import_rows: 'errors',
  imports: 'name content columns errors',
  invitations: 'address message_id',
  labels: 'name',
  letter_ids: 'id message_id',
  meeting_checks: 'draft',
  meetings: 'title agenda guests replies proposals',
  messages:
    'sender_name sender_handle to_address to_addresses cc bcc reply_to via subject text html folder message_id external_id in_reply_to refers_to report invitation calendar head refused said',
  notes: 'text',
  notifications: 'text',
  operations: 'answer_body result',
  people: 'external_id name city job_title company fields held_why',
  person_fields: 'field value sort_name',
  person_tags: 'side',
  prepared_messages: 'to_address subject text',
  prospects: 'name email phone linkedin company city job_title',
  rests: 'words',
  routing_rules: 'value',
  sandbox_letters: 'message_id recipient answer',
  search_words: 'words',
  segment_people: 'reason',
  segments: 'name query rules found_filters',
  sent_evidence: 'message_id',
  suppressions: 'address touch evidence',
  tasks: 'text told did',
  touches: 'to_address subject text html missing message_id head said',
}

/** Ids, states, kinds, codes and instants, in whichever table. */
const plain = new Set(
  `id author kind state reason code key token problem workflow runner client_id client_name member operation message touch again
  conversation connection campaign segment person workspace agent label calendar meeting account server holder channel channels
  cursor variant language signed_by intent importance waiting_for snooze_operation voice replies_to archive type uid instance zone
  method proposal remote action resource outcome mode region timezone fingerprint workflow_type owner_run run_id workflow_id
  signal ref version process event webhook seller buyer product company owner folder import migration found_channel cause
  labels scopes senders field rule handed_to counts claimed_by settings attempt uid_validity mailbox_set authserv
  planned_segment left_to refilled_to
  attributes args hash secret secrets kinds side markets run`.split(/\s+/),
)

/** Where nothing of a client stands, each with the reason. */
const others: Record<string, [columns: string, reason: string]> = {
  agents: ['name goal rules knowledge hours', 'what a workspace tells its agents about itself'],
  backfills: ['after', 'the place of a migration'],
  calendars: ['name caldav', 'settings of members'],
  companies: ['name pitch policy facts', 'what a workspace says about itself'],
  connect_tickets: [
    'state browser return_to made',
    'hashes, where an application has its users led back to, and an id',
  ],
  connections: [
    'name smtp imap bridge oauth health signals retry refused_code',
    'settings of accounts, and what their servers say of the accounts',
  ],
  erasures: ['after', 'ids'],
  folders: ['name', 'groups of a messenger account'],
  holds: ['what host set_by why', 'what an operator or an application says of a hold'],
  imports: ['rows sheet', 'counts, and the name of a sheet'],
  letter_tests: ['to_address', 'an address of a member'],
  logins: ['access_token refresh_token', 'sealed'],
  mailbox_readers: ['authserv_seen retry', 'domains of senders, until a name is learnt'],
  members: ['name email job_title signature default_connection successor', 'members'],
  messages: ['direction', 'two words'],
  operations: ['waiting_why', 'the reason of a hold'],
  prepared_messages: ['ticket confirmed_by', 'a hash, and one of two words'],
  products: ['name description goal conditions', 'what a workspace says about itself'],
  settings: ['name value', 'the clock'],
  verifications: ['asker request', 'settings of an account of a member that is added'],
  webhooks: ['url', 'addresses of receivers'],
  workspaces: ['name house_rules billing retention quotas', 'what a workspace says about itself'],
}

describe('every column', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('that can hold what a person has said is known to the erasure', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns
      join pg_tables on schemaname = 'public' and tablename = table_name
      where table_schema = 'public' and (data_type in ('text', 'jsonb', 'json', 'bytea', 'tsvector', 'USER-DEFINED') or udt_name = '_text')
        and table_name !~ '^(?:kysely|migrat|schema_)'
      order by 1, 2`.execute(service.db)
    const known = (table: string, column: string) =>
      plain.has(column) ||
      (erased[table] ?? '').split(' ').includes(column) ||
      (others[table]?.[0] ?? '').split(' ').includes(column)
    deepEqual(
      rows
        .filter(({ table, column }) => !known(table, column))
        .map(({ table, column }) => `${table}.${column}`),
      [],
      'a new column: have db/erasure go through it, or say here why nothing of a person stands in it',
    )
    const all = new Set(rows.map(({ table, column }) => `${table}.${column}`))
    const named = Object.entries({ ...erased }).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    )
    deepEqual(
      named.filter((one) => !all.has(one)),
      [],
    )
  })
})
