import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { sections } from '../../../db/people/export.ts'
import { insertImport } from '../../../db/people/imports.ts'
import { givenRoom } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

/** Tables without anything of the export's own, each with the reason. */
const others: Record<string, string> = {
  ...of('the card itself, and its fields in the order of lists', 'people', 'person_fields'),
  ...of('names and settings of the workspace', [
    ...['workspaces', 'members', 'tokens', 'agents', 'products', 'companies', 'labels', 'routing'],
    ...['routing_rules', 'segments', 'campaigns', 'campaign_letters', 'campaign_templates'],
    ...['calendars', 'webhooks', 'folders', 'connections', 'logins', 'connect_tickets'],
    ...['admin_tokens', 'verifications', 'holds'],
  ]),
  ...of('ids, counts and states of what is in the export', [
    ...['events', 'deliveries', 'outbox', 'routing_batches', 'account_turns', 'connection_usage'],
    ...['sent_evidence', 'letter_ids', 'find_runs', 'finds', 'archives', 'archive_channels'],
  ]),
  ...of(
    'answers of calls, kept for a while for their repeats; the same is in the tables',
    'operations',
  ),
  ...of('the words of what is in the export, by which it is searched', 'search_words'),
  ...of('a file while it is imported, with the rows of everybody', 'imports'),
  ...of('what a sandbox has played, and read as mail since', 'sandbox_letters'),
  ...of('a draft while its time is checked', 'meeting_checks'),
  ...of('how many bytes a workspace stores', 'stored_bytes'),
  ...of('what nobody has sent yet, for a quarter of an hour', 'prepared_messages'),
  ...of('keyed hashes of the addresses of people who are gone, and what is left to erase of them', [
    ...['erasure_keys', 'erased_addresses', 'erasures', 'workspace_erasures'],
  ]),
  ...of('sentences for members about what is in the conversations', 'notifications'),
}

function of(reason: string, tables: string | string[], ...more: string[]) {
  return Object.fromEntries([...[tables].flat(), ...more].map((table) => [table, reason]))
}

describe('GET /people/{id}/export', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const tablesOf = async () =>
    (
      await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
        service.db,
      )
    ).rows.map(({ name }) => name)
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const exported = new Set(sections.flatMap(({ tables }) => tables.map(snake)))

  it('has something of every table that can hold something of a person', async () => {
    const pulse =
      /^(?:backfills|settings|process_starts|workers|mailbox|rests|session_places|outbox_looks|event_readers|kysely|migrat)/
    const unknown = (await tablesOf()).filter(
      (table) => !exported.has(table) && !(table in others) && !pulse.test(table),
    )
    deepEqual(unknown, [], 'a new table: export it, or say why it has nothing of a person')
  })

  it('answers all rows of a person, and none of others', async () => {
    const room = await givenRoom(service)
    const { person } = room
    const at = service.clock.now()
    const [conversation = ''] = (
      await service.db
        .selectFrom('conversations')
        .select('id')
        .where('person', '=', person)
        .execute()
    ).map(({ id }) => id)
    await room.call('POST', `/conversations/${conversation}/notes`, { text: 'A note about Kim' })
    await service.db
      .insertInto('prospects')
      .values({
        ...{ id: 'pro_kim', workspace: room.id, name: 'Kim', email: 'Kim-0@client.example' },
        ...{ phone: '', linkedin: '', company: '', city: '', jobTitle: '' },
      })
      .execute()
    await service.db.transaction().execute((trx) =>
      insertImport(trx, {
        ...{ workspace: room.id, operation: `${room.id}:${room.imported}`, name: 'kim.csv' },
        ...{ content: Buffer.from(''), columns: [], mode: 'complete' as const, region: null },
        ...{ headings: null, sheet: null },
      }),
    )
    await room.call('POST', '/suppressions', { address: 'kim-0@client.example' })
    await room.call('PATCH', `/people/${person}`, { city: 'Porto' })
    const { status, body, headers } = await room.call('GET', `/people/${person}/export`)
    equal(status, 200)
    ok(headers.get('content-type')?.startsWith('application/json'))
    deepEqual(body.person, (await room.call('GET', `/people/${person}`)).body)
    ok(body.exportedAt >= at.toISOString())
    deepEqual(
      Object.keys(body).slice(2),
      sections.map(({ name }) => name),
    )

    // Of each table that names the person in a column, the export has as many rows.
    const count = async (table: string, column = 'person') =>
      (
        await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
          where ${sql.ref(column)} = ${person}`.execute(service.db)
      ).rows[0]?.n
    for (const [member, table] of [
      ['addresses', 'addresses'],
      ['tags', 'person_tags'],
      ['segments', 'segment_people'],
      ['letters', 'touches'],
      ['letterTests', 'letter_tests'],
      ['conversations', 'conversations'],
      ['imports', 'import_rows'],
    ] as const)
      equal(body[member].length, await count(table), member)
    const { rows } = await sql<{ id: string }>`
      select messages.id from messages join conversations on conversations.id = conversation
      where person = ${person} order by 1`.execute(service.db)
    deepEqual(
      body.messages.map(({ id }: { id: string }) => id).sort(),
      rows.map(({ id }) => id),
    )
    for (const member of [
      'messages',
      'conversations',
      'letters',
      'notes',
      'prospects',
      'suppressions',
    ])
      ok(body[member].length > 0, member)
    equal(body.notes[0].text, 'A note about Kim')
    ok(body.audit.some(({ after }: { after: { city?: string } }) => after?.city === 'Porto'))
    for (const file of body.files)
      equal(Buffer.from(file.content, 'base64').length, file.size, file.name)
    ok(!JSON.stringify(body).includes('kim-1@client.example'))
    ok(!/"(?:token|attempt)":/.test(JSON.stringify(body)))

    const { call: other } = await service.workspace()
    equal((await other('GET', `/people/${person}/export`)).status, 404)
  })

  it('answers a file of many pieces as it is', async () => {
    const room = await givenRoom(service)
    const { messages } = room.ids
    const content = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251))
    await service.db
      .insertInto('files')
      .values({
        ...{ id: 'fil_large', workspace: room.id, message: messages ?? '', name: 'large.bin' },
        ...{ type: 'application/octet-stream', size: content.length, content },
      })
      .execute()
    const [person = ''] = (
      await sql<{ person: string }>`select person from conversations
        join messages on conversation = conversations.id where messages.id = ${messages}`.execute(
        service.db,
      )
    ).rows.map((row) => row.person)
    const { body } = await room.call('GET', `/people/${person}/export`)
    const file = body.files.find(({ name }: { name: string }) => name === 'large.bin')
    ok(Buffer.from(file.content, 'base64').equals(content))
  })
})
