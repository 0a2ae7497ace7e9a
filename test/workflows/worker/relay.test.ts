import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { sql } from 'kysely'
import { searchAttributeNames } from '../../../db/operations/outbox.ts'
import { applyCluster } from '../../../dev/operator/cluster.ts'
import { declared } from '../../../dev/operator/temporal-declared.ts'
import { relayOfEachTest } from '../../support/relay.ts'
import { eventually } from '../../support/service.ts'
import { slowLine } from '../../support/slow-line.ts'
import { testClient, testTemporal } from '../../support/temporal.ts'

const command = promisify(execFile)
const minutes = 60_000

describe('the relay', function () {
  this.timeout(90_000)
  const { service, afterwards, work, said, outbox, start } = relayOfEachTest()
  const operator = (file: string, ...args: string[]) =>
    command(process.execPath, [file, ...args], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        DATABASE_URL: service().databaseUrl,
      },
    })

  it('logs in one line what the cluster lacks, and asks now and then until it is there', async function () {
    const { address } = await testTemporal(this)
    const namespace = `half-${randomUUID()}`
    const connection = await Connection.connect({ address })
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    })
    await connection.close()
    const { call } = await service().workspace()
    const key = randomUUID()
    equal((await call('POST', '/senders/health/check', {}, { key })).status, 504)
    const line = await slowLine(address, 0)
    afterwards(line.stop)
    void work({ address: line.address, namespace })
    await eventually(
      async () => said(/npm run cluster/),
      (found) => found.length > 0,
    )
    // It looks again after five seconds, and says nothing more. Its worker looks once a second, which takes some pieces too.
    const before = line.said()
    await new Promise((resolve) => setTimeout(resolve, 5_500))
    const pieces = line.said() - before
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
    ok(pieces < 100, `${pieces} pieces to Temporal`)
  })

  it('requires the declared search attributes of a cluster, except those that workflows can do without', () => {
    deepEqual([...searchAttributeNames, 'WaitingFor'], Object.keys(declared.searchAttributes))
  })

  it('gives up a command after an hour of refusals, which an operator sees and can restart', async function () {
    const { db } = service()
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
    const { id: workspace, call } = await service().workspace()
    const key = randomUUID()
    const ask = () => call('POST', '/senders/health/check', {}, { key })
    equal((await ask()).status, 504)
    const dead = { deadAt: new Date(), refusedAt: new Date(), problem: 'invalid_argument' }
    await service().db.updateTable('outbox').set(dead).execute()
    await work(await testTemporal(this))
    await operator('dev/operator/operation.ts', 'restart', key)
    const operation = () =>
      service()
        .db.selectFrom('operations')
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

  it('runs a forgotten key again although the namespace still holds its workflow', async function () {
    const { call, id } = await service().workspace()
    const client = await testClient(this)
    await work(await testTemporal(this))
    const key = randomUUID()
    const ask = () => call('POST', '/senders/health/check', {}, { key })
    const answered = () => eventually(ask, ({ status }) => status !== 504, 30_000)
    equal((await answered()).status, 200)
    // The call is answered a moment before its workflow has ended.
    await client.workflow.getHandle(`${id}:${key}`).result()
    await sql`delete from operations`.execute(service().db)
    await sql`delete from outbox`.execute(service().db)
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
    afterwards(() => other.terminate())
    await start(workflowId, 'syncMailbox')
    await work(temporal)
    const [row] = await eventually(outbox, ([one]) => one?.problem != null)
    deepEqual([row?.problem, row?.dispatchedAt], ['id_of_another_deployment', null])
    equal(said(/two deployments share a namespace/).length, 1)
  })
})
