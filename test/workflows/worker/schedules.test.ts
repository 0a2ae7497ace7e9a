import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { MockActivityEnvironment } from '@temporalio/testing'
import type { Context } from 'mocha'
import { readMailboxesActivities } from '../../../activities/inbox/reader/read-mailboxes.ts'
import { ensureSchedules, schedulePatiently } from '../../../activities/worker/schedules.ts'
import { readerWorkflowId, startReaders } from '../../../db/accounts/mailboxes.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { scheduleId } from '../../../workflows/ids.ts'
import { startGateway } from '../../support/gateway.ts'
import { secretKey } from '../../support/given.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

const names = ['sweep', 'health', 'refill', 'calendars', 'clean-up']

describe('the schedules', function () {
  this.timeout(90_000)

  it('of two deployments coexist in one namespace', async function () {
    const client = await testClient(this)
    const queues = [`one-${randomUUID()}`, `two-${randomUUID()}`]
    try {
      for (const queue of [...queues, queues[0] as string]) await ensureSchedules(client, queue)
      for (const queue of queues)
        for (const name of names) {
          const { action } = await client.schedule.getHandle(scheduleId(name, queue)).describe()
          equal(action.taskQueue, queue)
        }
    } finally {
      for (const queue of queues)
        for (const name of names)
          await client.schedule
            .getHandle(scheduleId(name, queue))
            .delete()
            .catch(() => {})
    }
  })

  it('keep their original ids on the default task queue', () => {
    equal(scheduleId('sweep', 'postroom'), 'postroom-sweep')
  })

  it('are retried for as long as it takes, without a log line for each attempt', async () => {
    const lines: string[] = []
    const log = createLog('test', 'info', { write: (line: string) => lines.push(line) })
    let tries = 0
    const make = async () => {
      if (++tries <= 200) throw new Error('Temporal is away')
    }
    await schedulePatiently(make, { log, signal: new AbortController().signal, firstMs: 0 })
    equal(tries, 201)
    ok(lines.length <= 2, lines.join(''))
    const leaving = new AbortController()
    leaving.abort()
    await schedulePatiently(() => Promise.reject(new Error('never')), {
      log,
      signal: leaving.signal,
    })
  })
})

describe('readers of mailboxes', function () {
  this.timeout(90_000)
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(async () => {
    // A worker that stops waits for logins that have begun.
    await hangUp()
    await service.close()
  })
  let hangUp = async () => {}

  /** An account whose IMAP server accepts every connection and says nothing. */
  async function silent() {
    const gateway = await startGateway()
    hangUp = gateway.close
    const { port } = gateway
    const { id: workspace, connections } = await service.workspace({ smtpPort: port })
    const [connection] = connections
    const imap = JSON.stringify({ host: '127.0.0.1', port, secure: false, user: 'ana' })
    await service.db.updateTable('connections').set({ imap }).where('id', '=', connection).execute()
    return { workspace, connection, workflowId: readerWorkflowId(workspace, connection) }
  }
  const startReader = (workspace: string, id: string) =>
    service.db.transaction().execute((trx) => startReaders(trx, [{ id, workspace }]))
  let state: 'running' | 'closed' = 'running'
  const revive = () => {
    const { db, clock } = service
    const { reviveReaders } = readMailboxesActivities({
      db,
      clock,
      secretKey,
      publicUrl: '',
      crash: () => {},
      log: createLog('test', 'silent'),
      workflowState: async () => state,
    })
    return new MockActivityEnvironment().run(reviveReaders)
  }
  const carriedOut = () =>
    eventually(
      () => service.db.selectFrom('outbox').select('dispatchedAt').execute(),
      (rows) => rows.length > 0 && rows.every(({ dispatchedAt }) => dispatchedAt),
    )
  const signalsOf = async (context: Context, workflowId: string) => {
    const client = await testClient(context)
    const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory()
    return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length
  }

  it('are signalled of a change only once they run: neither at their start nor by the sweep', async function () {
    const { workspace, connection, workflowId } = await silent()
    await startReader(workspace, connection)
    await service.work(this, {}, { only: ['rows', 'mail'] })
    await carriedOut()
    const client = await testClient(this)
    await comesTo(
      async () => (await client.workflow.getHandle(workflowId).describe()).status.name,
      'RUNNING',
    )
    equal(await signalsOf(this as never, workflowId), 0)
    for (let n = 0; n < 3; n++) await revive()
    await carriedOut()
    equal(await signalsOf(this as never, workflowId), 0)
    await startReader(workspace, connection)
    await carriedOut()
    // What arrives while a task of the workflow is under way is in its history once that has ended.
    const signals = await eventually(
      () => signalsOf(this as never, workflowId),
      (n) => n > 0,
    )
    equal(signals, 1)
    await client.workflow.getHandle(workflowId).terminate()
    state = 'closed'
    await revive()
    state = 'running'
    await carriedOut()
    const { status } = await client.workflow.getHandle(workflowId).describe()
    equal(status.name, 'RUNNING')
    await client.workflow.getHandle(workflowId).terminate()
  })

  it('that are lost are started again, however long a server of another account stalls', async function () {
    const stalled = new Set<Socket>()
    const stalling = createServer((socket) => {
      stalled.add(socket)
      socket.on('error', () => {})
      socket.write('220 mx.example\r\n')
    })
    await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve))
    const { port } = stalling.address() as AddressInfo
    const { db } = service
    const { workspace, workflowId } = await silent()
    const smtp = JSON.stringify({ host: '127.0.0.1', port, secure: false, user: 'ana' })
    await db
      .updateTable('connections')
      .set({ alive: false, smtp })
      .where('workspace', '=', workspace)
      .execute()
    const taskQueue = `test-${randomUUID()}`
    await service.work(this, {}, { taskQueue, only: ['rows', 'remote'] })
    const client = await testClient(this)
    const sweep = await client.workflow.start('sweep', { taskQueue, workflowId: taskQueue })
    const started = () =>
      db.selectFrom('outbox').select('workflowType').where('workflowId', '=', workflowId).execute()
    try {
      await eventually(started, (rows) => rows.length > 0, 15_000)
      // The login that stalls does not keep its activity from saying that it is alive.
      const pending = async () => (await sweep.describe()).raw.pendingActivities ?? []
      const [reviving, ...more] = await eventually(pending, ([one]) =>
        Boolean(one?.activityType?.name === 'reviveSenders' && one.lastHeartbeatTime),
      )
      deepEqual([reviving?.attempt, more], [1, []])
    } finally {
      await sweep.terminate().catch(() => {})
      await client.workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => {})
      stalling.close()
      for (const socket of stalled) socket.destroy()
    }
  })
})
