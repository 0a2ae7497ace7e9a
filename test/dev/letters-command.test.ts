import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { root } from '../support/documents.ts'
import { givenSender } from '../support/inbound.ts'
import { startService, type TestService } from '../support/service.ts'

const run = promisify(execFile)

// What an operator decides at night: many letters of one minute, and all operations whose workflow is gone.

describe('npm run letters, and npm run operation', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const command =
    (file: string) =>
    async (...args: string[]) => {
      const env = { ...process.env, DATABASE_URL: service.databaseUrl, SECRET_KEY: 'x'.repeat(16) }
      const { stdout } = await run(process.execPath, [`dev/operator/${file}.ts`, ...args], {
        cwd: root,
        env,
      })
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t'))
    }
  const letters = command('letters')
  const operation = command('operation')

  /** A client with messages that were handed over at these times, without an answer. */
  async function unconfirmed(...times: string[]) {
    const client = await givenSender(service)
    const { conversation } = await client.receive({ externalId: `<${randomUUID()}@c.example>` })
    const ids: string[] = []
    for (const at of times) {
      const path = `/conversations/${conversation}/messages`
      const { id } = (await client.call('POST', path, { text: 'Hello' })).body
      await sql`update messages set state = 'sending', reason = 'unconfirmed', claimed_at = ${at}, attempt = 'gone'
        where id = ${id} and workspace = ${client.id}`.execute(service.db)
      ids.push(id)
    }
    const stateOf = async (id?: string) => (await client.call('GET', `/messages/${id}`)).body.state
    return { ...client, ids, stateOf }
  }

  it('unconfirmed letters are listed by account and minute, and decided by group or by their ids', async () => {
    const one = await unconfirmed(
      '2026-11-23T03:00:10Z',
      '2026-11-23T03:00:50Z',
      '2026-11-23T03:07:00Z',
    )
    const [connection = ''] = one.connections
    const of = ['--workspace', one.id]
    const listed = await letters('list', ...of)
    deepEqual(
      listed.map(([minute, workspace, account, , count]) => [minute, workspace, account, count]),
      [
        ['2026-11-23T03:00Z', one.id, connection, '2'],
        ['2026-11-23T03:07Z', one.id, connection, '1'],
      ],
    )
    const each = await letters('list', '--each', '--connection', connection)
    deepEqual(
      each.map(([, , , , id]) => id),
      [...one.ids].sort(),
    )
    ok(each.every(([, , , , , messageId]) => messageId))
    await letters('resolve', 'sent', '--connection', connection, '--until', '2026-11-23T03:05:00Z')
    deepEqual(await Promise.all(one.ids.map(one.stateOf)), ['sent', 'sent', 'sending'])
    await letters('resolve', 'again', one.ids[2] as string)
    equal(await one.stateOf(one.ids[2]), 'queued')
    deepEqual(await letters('list', ...of), [])
    const { rows } = await sql<{
      client: string
      outcome: string
    }>`select client_id as client, after ->> 'outcome' as outcome
      from audit where workspace = ${one.id} and action = 'message.resolved' order by after ->> 'outcome'`.execute(
      service.db,
    )
    deepEqual(
      rows.map(({ client, outcome }) => `${client} ${outcome}`),
      ['operator again', 'operator sent', 'operator sent'],
    )
  })

  it('nothing is decided without saying which, or by a time without an offset', async () => {
    for (const args of [
      ['resolve', 'sent'],
      ['resolve', 'sent', '--workspace', 'wsp_x'],
      ['resolve', 'maybe', 'msg_x'],
      ['list', '--from', '2026-11-23T03:00:00'],
    ])
      await rejects(letters(...args))
    for (const args of [
      ['restart'],
      ['restart', 'key', '--all'],
      ['list', 'key'],
      ['show', '--all'],
    ])
      await rejects(operation(...args))
  })

  it('operations whose workflow is gone are listed, and all are started again', async () => {
    const { id, call, connections } = await unconfirmed()
    const [via] = connections
    const key = randomUUID()
    const email = `${randomUUID()}@client.example`
    const person = (await call('POST', '/people', { name: 'Cleo', email })).body.id
    const opened = await call(
      'POST',
      '/conversations',
      { person, via, subject: 'A', text: 'Hello' },
      { key },
    )
    equal(opened.status, 200, opened.text)
    await sql`update operations set state = 'waiting', waiting_for = 'restart' where id = ${`${id}:${key}`}`.execute(
      service.db,
    )
    const [row = []] = await operation('list', '--workspace', id)
    deepEqual(row.slice(0, 4), [`${id}:${key}`, id, key, 'sendMessage'])
    match(row[4] as string, /^\d{4}-/)
    await operation('restart', '--all', '--workspace', id)
    deepEqual(await operation('list', '--workspace', id), [])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from outbox
      where operation = ${`${id}:${key}`} and kind = 'start' and dispatched_at is null`.execute(
      service.db,
    )
    ok((rows[0]?.count ?? 0) > 0)
  })
})
