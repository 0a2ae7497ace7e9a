import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { operationId } from '../../db/operations/operations.ts'
import { eventually } from '../support/service.ts'
import { faultClient } from './client.ts'
import { withoutTemporal } from './pending.ts'
import { workspaceFile } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

// A backlog of old correspondence that is parsed and assigned while the worker is killed.

const workspace = 'wsp_pile'
const conversations = 1_000

describe('a backlog of conversations, while the worker dies', function () {
  this.timeout(300_000)
  let stack: Stack
  let client: ReturnType<typeof faultClient>

  before(async function () {
    stack = await startStack('pile').catch(withoutTemporal(this.test?.ctx))
    const token = await stack.workspace(workspaceFile(workspace, 'pile', stack.mail.smtpPort, 100))
    client = faultClient(stack.url, token)
    await fill()
  })
  after(() => stack?.stop())

  /** A thousand people who wrote five times each, from five addresses. */
  async function fill() {
    const now = stack.clock.now()
    await sql`
      with p as (
        insert into people (id, workspace, created_at, updated_at)
        select 'per_old' || n, ${workspace}, ${now}, ${now} from generate_series(1, ${conversations}::int) n returning id),
      c as (
        insert into conversations (id, workspace, person, connection, kind, last_message_at, waiting_since)
        select 'cnv_' || id, ${workspace}, id, 'con_ana', 'email', ${now}, ${now} from p returning id, person)
      insert into messages (id, workspace, conversation, direction, sender_handle, text, at, connection, state)
      select 'msg_' || c.id || '_' || n, ${workspace}, c.id, 'inbound', c.person || '-' || n || '@old.example',
        'How much is it?', ${now}::timestamptz - n * interval '1 day', 'con_ana', 'received'
      from c, generate_series(1, 5) n`.execute(stack.db)
  }
  const notices = async () =>
    (
      await stack.db
        .selectFrom('notifications')
        .select('kind')
        .where('workspace', '=', workspace)
        .execute()
    ).map(({ kind }) => kind)

  it('is parsed completely, each message once, and nobody is notified', async () => {
    const before = { deaths: stack.deaths['worker'] ?? 0, notices: await notices() }
    stack.crashWorkerAt('after-page', 'before-page')
    const key = randomUUID()
    await client.change('POST', '/archive', { do: 'start' }, { key })
    const { state, progress } = await eventually(
      () => client.read('/archive'),
      (archive) => archive.state !== 'running',
      180_000,
    )
    deepEqual([state, progress], ['done', { done: 5_010, total: 5_010 }])
    ok((stack.deaths['worker'] ?? 0) >= before.deaths + 3, 'it died by hand and at both points')
    const { result } = await eventually(
      () => client.read(`/operations/${key}`),
      (operation) => operation.endedAt !== null,
    )
    deepEqual([result.done, result.addresses], [5_010, 5_000])
    const { rows } = await sql<{ addresses: number; places: number }>`
      select count(*)::int as addresses, count(distinct (person, position))::int as places
      from addresses where workspace = ${workspace} and person like 'per_old%'`.execute(stack.db)
    deepEqual(rows, [{ addresses: 5_000, places: 5_000 }])
    deepEqual(await notices(), before.notices)
    equal(stack.mail.messages().length, 0)
  })

  it('is assigned, each conversation once', async () => {
    const [member] = (await client.read('/members')).members
    await client.change('POST', '/routing', {
      do: 'add',
      field: 'sender',
      value: '@old.example',
      member: member.id,
    })
    stack.crashWorkerAt('after-page', 'before-page')
    const keys: string[] = []
    const answers: { handed: number; cursor: string | null; floor: string | null }[] = []
    do {
      const last = answers.at(-1)
      const key = randomUUID()
      keys.push(operationId(workspace, key))
      const more = last && { cursor: last.cursor, floor: last.floor }
      answers.push(await client.change('POST', '/routing/apply', { ...more }, { key }))
    } while (answers.at(-1)?.cursor)
    equal(
      answers.reduce((sum, { handed }) => sum + handed, 0),
      conversations,
    )
    const lines = await stack.db
      .selectFrom('audit')
      .select('resource')
      .where('workspace', '=', workspace)
      .where('action', '=', 'conversation.routed')
      .execute()
    equal(lines.length, conversations)
    equal(new Set(lines.map(({ resource }) => resource)).size, conversations)
    const told = (await notices()).filter((kind) => kind === 'conversation.assigned')
    ok(told.length <= answers.length, 'one word a call at most')
    equal((await client.change('POST', '/routing/apply', {})).handed, 0)
  })
})
