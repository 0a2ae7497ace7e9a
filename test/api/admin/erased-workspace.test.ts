import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import { givenTraces, searchAll } from '../../support/erased-person.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'
import { changesOf, wholeDatabase } from '../../support/whole-database.ts'

// Two workspaces side by side, of which one is erased: nothing of it is left but its id, and nothing else changes.

// The tokens of this test note when they were used.
const moving = ['workers', 'outbox_looks', 'process_starts', 'mailbox_sets', 'admin_tokens']

describe('DELETE /admin/v1/workspaces/{id}', function () {
  this.timeout(240_000)
  let service: TestService
  let mail: MailSink
  let admin: Awaited<ReturnType<TestService['administration']>>['call']
  let taskQueue: string
  let worker: { stop(): Promise<void> }
  let between: (point: string) => void = () => {}
  const work = async (context: Context | undefined) => {
    const deps = { crash: (point: string) => between(point) }
    worker = await service.work(context, deps, { taskQueue, only: ['rows', 'send', 'remote'] })
  }
  before(async function () {
    mail = await testMail()
    service = await startService()
    taskQueue = `test-${randomUUID()}`
    await work(this.test?.ctx)
    admin = (await service.administration()).call
  })
  afterEach(() => {
    between = () => {}
  })
  after(() => service.close())

  const operation = async (id: string, key: string) =>
    (await admin('GET', `/operations/${key}?workspace=${id}`)).body
  async function erase(id: string, key: string = randomUUID()) {
    const reply = await admin('DELETE', `/workspaces/${id}`, { confirm: id }, { key })
    equal(reply.status, 200, reply.text)
    deepEqual(reply.body, { id, operation: `${id}:${key}`, state: 'accepted' })
    const done = () =>
      eventually(
        () => operation(id, key),
        ({ state }) => state === 'done',
        120_000,
      )
    return { key, done }
  }
  type Row = { table: string; is: string }
  const told = (changes: Row[]) => changes.map(({ table, is }) => `${is} ${table}`).sort()

  it('leaves nothing of it but its id, and nothing of another one is touched', async () => {
    await givenTraces(service)
    const before = await wholeDatabase(service.db, moving)
    const given = await givenTraces(service)
    await admin('GET', `/workspaces/${given.id}`)
    const { done, key } = await erase(given.id)
    const { result, progress, workflow } = await done()
    deepEqual(Object.keys(result), ['id', 'erased', 'deleted', 'unconfirmed'])
    ok(result.deleted.people >= 2 && result.deleted.messages >= 5, JSON.stringify(result))
    equal(result.unconfirmed, 0)
    ok(workflow.id === `${given.id}:${key}` && progress.total > 40)

    const after = await wholeDatabase(service.db, moving)
    deepEqual(told(changesOf(before, after)), [
      'new operations',
      'new workspace_erasures',
      'new workspaces',
    ])
    const [left] = (after.get('workspaces') ?? []).filter((row) => row['id'] === given.id)
    deepEqual([left?.['name'], left?.['house_rules'], left?.['billing']], ['', '', null])
    deepEqual(
      await searchAll(service.db, [given.id.toLowerCase()]),
      [
        `operations.answer_body: ${given.id}`,
        `operations.id: ${given.id}`,
        `operations.resource: ${given.id}`,
        `operations.result: ${given.id}`,
        `operations.workspace: ${given.id}`,
        `workspace_erasures.operation: ${given.id}`,
        `workspace_erasures.workspace: ${given.id}`,
        `workspaces.id: ${given.id}`,
      ].map((line) => line.toLowerCase()),
    )
  })

  it('is answered as a workspace that does not exist from the call on, and its id is not given again', async () => {
    const given = await givenTraces(service)
    const { id } = given
    const own = await service.administration({ workspace: id })
    const other = await service.workspace()
    const others = await service.administration({ workspace: other.id })
    const confirm = { confirm: id }
    const document = (await admin('GET', `/workspaces/${id}`)).body
    for (const [reply, status, code] of [
      [await own.call('DELETE', `/workspaces/${id}`, confirm), 403, 'insufficient_scope'],
      [await others.call('DELETE', `/workspaces/${id}`, confirm), 404, 'not_found'],
      [await admin('DELETE', `/workspaces/${id}`, { confirm: other.id }), 422, 'validation_failed'],
      [await admin('DELETE', `/workspaces/${id}`, {}), 422, 'validation_failed'],
      [
        await admin('DELETE', '/workspaces/wsp_nobody', { confirm: 'wsp_nobody' }),
        404,
        'not_found',
      ],
    ] as const)
      deepEqual([reply.status, reply.body.code], [status, code], reply.text)
    equal((await given.call('GET', '/workspace')).status, 200)

    // The rest is put off, so that all of this is of the call.
    between = () => {
      throw new Error('put off')
    }
    const { key, done } = await erase(id)
    for (const [method, path, body] of [
      ['GET', '/people'],
      ['GET', '/events?wait=1'],
      ['POST', '/people', { name: 'X' }],
    ] as const) {
      const reply = await given.call(method, path, body)
      deepEqual([reply.status, reply.body.code], [401, 'invalid_token'], path)
    }
    equal((await own.call('GET', '')).status, 401)
    const paths = ['', '/connections', '/tokens', `/connections/${given.connections[0]}`]
    for (const path of paths) {
      equal((await admin('GET', `/workspaces/${id}${path}`)).status, 404, path)
      equal((await admin('GET', `/workspaces/wsp_none${path}`)).status, 404, path)
    }
    const { workspaces } = (await admin('GET', '/workspaces?limit=100')).body
    ok(!workspaces.some((one: { id: string }) => one.id === id))
    const again = await admin('PUT', `/workspaces/${id}`, document)
    deepEqual([again.status, again.body.code], [409, 'conflict'], again.text)
    const plan = await admin('PUT', `/workspaces/${id}?plan=true`, document)
    equal(plan.status, 409)
    const repeat = await admin('DELETE', `/workspaces/${id}`, confirm, { key })
    deepEqual([repeat.status, repeat.body.operation], [200, `${id}:${key}`])
    const twice = await admin('DELETE', `/workspaces/${id}`, confirm)
    deepEqual([twice.status, twice.body.code], [404, 'not_found'])
    equal((await others.call('GET', `/operations/${key}?workspace=${id}`)).status, 404)
    const whole = `${id}:${key}`
    for (const path of [whole, `${whole}?workspace=${id}`])
      equal((await admin('GET', `/operations/${path}`)).body.id, whole)
    equal((await others.call('GET', `/operations/${whole}`)).status, 404)
    between = () => {}
    await done()
    equal((await admin('PUT', `/workspaces/${id}`, document)).status, 409)
    equal((await admin('DELETE', `/workspaces/${id}`, confirm, { key })).status, 200)
    equal((await others.call('GET', '')).status, 200)
  })

  it('goes on where it was, wherever it is broken off, also by another worker', async function () {
    const given = await givenTraces(service)
    let points = 0
    const cut = new Set([1, 8, 31])
    const stopAt = 45
    let stopped: Promise<void> | undefined
    let isBack = false
    between = (point) => {
      if (++points === stopAt) stopped = worker.stop()
      if ((stopped && !isBack) || cut.has(points)) throw new Error(`broken off ${point}`)
    }
    const { done } = await erase(given.id)
    await comesTo(() => stopped !== undefined, true, 120_000)
    await stopped
    isBack = true
    await work(this.test?.ctx)
    const { result } = await done()
    ok(points > 60, String(points))
    ok(result.deleted.people >= 2)
    deepEqual(await rowsLeft(given.id), ['operations', 'workspace_erasures'])
  })

  it('ends its workflows, waits for letters that are with a server, and says of how many nobody knows', async function () {
    const given = await givenTraces(service)
    const { db } = service
    const client = await testClient(this.test?.ctx as Context)
    const { rows } = await sql<{
      id: string
    }>`select id from operations where workspace = ${given.id}
      and workflow_type is not null and ended_at is null`.execute(db)
    const running = rows.map(({ id }) => id)
    ok(running.length > 1, 'a message and a snooze wait')
    const isOpen = async (id: string) =>
      (
        await client.workflow
          .getHandle(id)
          .describe()
          .catch(() => undefined)
      )?.status.name === 'RUNNING'
    for (const id of running)
      await eventually(
        () => isOpen(id),
        (open) => open,
        60_000,
      )

    const [unconfirmed] = given.touches
    await db
      .updateTable('touches')
      .set({ state: 'sending', reason: 'unconfirmed', sentAt: null })
      .where('id', '=', unconfirmed as string)
      .execute()
    const lease = (ms: number) =>
      db
        .updateTable('messages')
        .set({ state: 'sending', leasedUntil: new Date(Date.now() + ms) })
        .where('id', '=', given.message)
        .execute()
    await lease(600_000)
    const { key, done } = await erase(given.id)
    await eventually(
      () => operation(given.id, key),
      ({ waitingFor }) => waitingFor === 'sending',
      60_000,
    )
    ok((await rowsLeft(given.id)).includes('messages'))
    // Whoever handed it over is gone.
    await lease(-600_000)
    equal((await done()).result.unconfirmed, 2)
    for (const id of running) equal(await isOpen(id), false, id)
    deepEqual(await rowsLeft(given.id), ['operations', 'workspace_erasures'])
  })

  it('sends nothing more of a campaign that runs', async () => {
    const campaign = await givenCampaign(service, mail, { people: 60, places: [1, 2, 3] })
    await campaign.move('running')
    await eventually(
      async () => campaign.letters().length,
      (n) => n >= 2,
      60_000,
    )
    const { done } = await erase(campaign.id)
    // One that was claimed before may be with the server.
    await sleep(1_500)
    const sent = campaign.letters().length
    await done()
    // A letter that went after the end would have arrived by now.
    await sleep(1_000)
    equal(campaign.letters().length, sent)
    ok(sent < 60, String(sent))
  })

  /** Tables with rows of a workspace, by their column. */
  async function rowsLeft(workspace: string): Promise<string[]> {
    const { rows } = await sql<{ table: string }>`
      select table_name as "table" from information_schema.columns join pg_tables on tablename = table_name
      where table_schema = 'public' and column_name = 'workspace' order by 1`.execute(service.db)
    const left: string[] = []
    for (const { table } of rows) {
      const found =
        await sql`select from ${sql.table(table)} where workspace = ${workspace} limit 1`.execute(
          service.db,
        )
      if (found.rows.length > 0) left.push(table)
    }
    return left
  }
})
