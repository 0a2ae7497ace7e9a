import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { sql } from 'kysely'
import { runWorker } from '../../../activities/worker/start.ts'
import { enqueueStoredStart, searchAttributeNames } from '../../../db/operations/outbox.ts'
import { applyCluster } from '../../../dev/operator/cluster.ts'
import { declared } from '../../../dev/operator/temporal-declared.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { createLog } from '../../../telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { bundle, eventually, startService, type TestService } from '../../support/service.ts'
import { testClient, testTemporal } from '../../support/temporal.ts'

const command = promisify(execFile)
const minutes = 60_000

describe('the relay', function () {
  this.timeout(90_000)
  let service: TestService
  let stops: (() => Promise<unknown>)[]
  let lines: { level: number; msg: string; [fact: string]: unknown }[]
  beforeEach(async () => {
    service = await startService()
    stops = []
    lines = []
  })
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop()
    await service.close()
  })

  /** A worker of the service, on a server or a namespace of the test's choice. */
  function work({ address, namespace, taskQueue = `test-${randomUUID()}` }: Where) {
    const { db, clock, url: publicUrl, databaseUrl } = service
    const log = createLog('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) })
    const deps = { db, clock, log, secretKey, publicUrl, crash: () => {} }
    const launch = async () => {
      const made = await bundle()
      return await runWorker({
        schedules: false,
        deps,
        databaseUrl,
        connection: { address },
        namespace,
        taskQueue,
        only: ['steps', 'send', 'remote'],
        bundle: made,
      })
    }
    const running = launch()
    stops.push(() => running.then((worker) => worker.stop()))
    return running
  }
  type Where = { address: string; namespace: string; taskQueue?: string }

  const said = (text: RegExp) => lines.filter(({ msg }) => text.test(msg))
  const outbox = () => service.db.selectFrom('outbox').selectAll().orderBy('id').execute()
  const start = (workflowId: string, type = 'sweep') =>
    enqueueStoredStart(service.db, { type, workflowId, args: [], attributes: {} })
  const operator = (file: string, ...args: string[]) =>
    command(process.execPath, [file, ...args], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        DATABASE_URL: service.databaseUrl,
      },
    })

  it('logs in one line what the cluster lacks, and waits until it is there', async function () {
    const { address } = await testTemporal(this)
    const namespace = `half-${randomUUID()}`
    const connection = await Connection.connect({ address })
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    })
    await connection.close()
    const { call } = await service.workspace()
    const key = randomUUID()
    equal((await call('POST', '/senders/health/check', {}, { key })).status, 504)
    void work({ address, namespace })
    await eventually(
      async () => said(/npm run cluster/),
      (found) => found.length > 0,
    )
    // It looks again after five seconds, and says nothing more.
    await new Promise((resolve) => setTimeout(resolve, 5_500))
    const [lack, ...more] = said(/npm run cluster/)
    deepEqual(more, [])
    match(lack?.msg ?? '', /Workspace, IdempotencyKey/)
    deepEqual(
      (await outbox()).map(({ deadAt, attempts }) => [deadAt, attempts]),
      [[null, 0]],
    )
    await applyCluster({ address }, namespace, () => {})
    const asked = () => call('POST', '/senders/health/check', {}, { key })
    await eventually(asked, ({ status }) => status === 200, 60_000)
  })

  it('requires the declared search attributes of a cluster, except those that workflows can do without', () => {
    deepEqual([...searchAttributeNames, 'WaitingFor'], Object.keys(declared.searchAttributes))
  })

  it('gives up a command after an hour of refusals, which an operator sees and can restart', async function () {
    const { db } = service
    await start('wsp_a:relay', 'x'.repeat(2_000))
    await work(await testTemporal(this))
    const refused = async () => (await outbox()).find(({ refusedAt }) => refusedAt)
    const first = await eventually(refused, (row) => (row?.attempts ?? 0) > 1)
    equal(first?.deadAt, null)
    const age = (ms: number) =>
      db
        .updateTable('outbox')
        .set({ refusedAt: new Date(Date.now() - ms), nextTryAt: new Date() })
        .execute()
    await age(55 * minutes)
    const second = await eventually(refused, (row) => (row?.attempts ?? 0) > (first?.attempts ?? 0))
    equal(second?.deadAt, null)
    await age(61 * minutes)
    const dead = await eventually(refused, (row) => row?.deadAt !== null)
    equal(said(/npm run outbox -- retry/).length, 1)

    const { stdout } = await operator('dev/operator/outbox.ts', 'list')
    match(
      stdout,
      new RegExp(`^${dead?.id}\\twsp_a\\tstart x+\\twsp_a:relay\\tinvalid_argument\\t.*given up`),
    )
    await db.updateTable('outbox').set({ workflowType: 'sweep' }).execute()
    const { stderr } = await operator('dev/operator/outbox.ts', 'retry', dead?.id as string)
    match(stderr, /^1 command is retried/)
    await eventually(outbox, ([row]) => row?.dispatchedAt !== null)
    equal((await operator('dev/operator/outbox.ts', 'list')).stdout, '')
  })

  it('carries out what an operator restarts, even if its start was given up', async function () {
    const { id: workspace, call } = await service.workspace()
    const key = randomUUID()
    const ask = () => call('POST', '/senders/health/check', {}, { key })
    equal((await ask()).status, 504)
    const dead = { deadAt: new Date(), refusedAt: new Date(), problem: 'invalid_argument' }
    await service.db.updateTable('outbox').set(dead).execute()
    await work(await testTemporal(this))
    await operator('dev/operator/operation.ts', 'restart', key)
    const operation = () =>
      service.db
        .selectFrom('operations')
        .select('endedAt')
        .where('id', '=', `${workspace}:${key}`)
        .executeTakeFirstOrThrow()
    await eventually(operation, ({ endedAt }) => endedAt !== null)
    equal((await ask()).status, 200)
    const next = await call('POST', '/senders/health/check', {})
    equal(next.status, 200, 'awaited as ever')
    deepEqual(
      (await outbox()).filter(({ dispatchedAt }) => !dispatchedAt),
      [],
    )
  })

  it('awaits the answers of a server that takes two seconds for each, and asks only once', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slow(temporal.address, 2_000)
    stops.push(gateway.stop)
    const prefix = `wsp_slow:${randomUUID()}`
    for (let n = 0; n < 60; n++) await start(`${prefix}-${n}`)
    void work({ address: gateway.address, namespace: temporal.namespace })
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
    deepEqual([...new Set((await outbox()).map(({ attempts }) => attempts))], [0])
    deepEqual(said(/cannot be reached|slow/), [])
  })

  it('holds no transaction open for long while Temporal does not answer', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slow(temporal.address, 0)
    stops.push(gateway.stop)
    await work({ address: gateway.address, namespace: temporal.namespace })
    gateway.freeze()
    for (let n = 0; n < 60; n++) await start(`wsp_frozen:${randomUUID()}`)
    let longest = 0
    const until = Date.now() + 6_000
    while (Date.now() < until) {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        service.db,
      )
      longest = Math.max(longest, rows[0]?.seconds ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    ok(longest < 4, `${longest} s`)
    gateway.thaw()
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
  })

  it('tries an unavailable Temporal with one command a second, and logs it once', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slow(temporal.address, 0)
    await work({ address: gateway.address, namespace: temporal.namespace })
    await gateway.stop()
    for (let n = 0; n < 60; n++) await start(`wsp_away:${randomUUID()}`)
    // Long enough to tell a try a second for one command from a try a second for each of sixty.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const tries = (await outbox()).reduce((sum, { attempts }) => sum + attempts, 0)
    ok(tries <= 25 + 8, `${tries} tries`)
    equal(said(/Temporal cannot be reached; what is accepted waits/).length, 1)
    const back = await slow(temporal.address, 0, gateway.port)
    stops.unshift(back.stop)
    const began = Date.now()
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
    ok(Date.now() - began < 20_000, 'what waits is not put off')
    equal(said(/Temporal answers again/).length, 1)
  })

  it('runs a forgotten key again although the namespace still holds its workflow', async function () {
    const { call, id } = await service.workspace()
    const client = await testClient(this)
    await work(await testTemporal(this))
    const key = randomUUID()
    const ask = () => call('POST', '/senders/health/check', {}, { key })
    const answered = () => eventually(ask, ({ status }) => status !== 504, 30_000)
    equal((await answered()).status, 200)
    // The call is answered a moment before its workflow has ended.
    await client.workflow.getHandle(`${id}:${key}`).result()
    await sql`delete from operations`.execute(service.db)
    await sql`delete from outbox`.execute(service.db)
    equal((await answered()).status, 200)
  })

  it('reports a workflow of the same id from another deployment, and does not adopt it', async function () {
    const temporal = await testTemporal(this)
    const client = await testClient(this)
    const workflowId = `wsp_shared:mailbox:${randomUUID()}`
    const options = {
      taskQueue: `other-${randomUUID()}`,
      workflowId,
      args: [{ connection: 'con_a' }],
    }
    const other = await client.workflow.start('syncMailbox', options)
    stops.push(() => other.terminate())
    await start(workflowId, 'syncMailbox')
    await work(temporal)
    const [row] = await eventually(outbox, ([one]) => one?.problem != null)
    deepEqual([row?.problem, row?.dispatchedAt], ['id_of_another_deployment', null])
    equal(said(/two deployments share a namespace/).length, 1)
  })
})

/** A proxy that delays each answer by `ms`; while frozen it holds everything back. */
async function slow(address: string, ms: number, at?: number) {
  const [host = '', portOf = ''] = address.split(':')
  const sockets = new Set<Socket>()
  let frozen = false
  let held: (() => void)[] = []
  const pass = (work: () => void) => {
    if (frozen) held.push(work)
    else work()
  }
  const server = createServer((socket) => {
    const there = connect(Number(portOf), host)
    for (const one of [socket, there]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        socket.destroy()
        there.destroy()
      })
    }
    socket.on('data', (bytes) => pass(() => there.write(bytes)))
    there.on('data', (bytes) => pass(() => setTimeout(() => socket.write(bytes), ms)))
  })
  const port = at ?? (await freePort())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    address: `127.0.0.1:${port}`,
    freeze() {
      frozen = true
    },
    thaw() {
      frozen = false
      for (const work of held) work()
      held = []
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
