import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { createActivities } from '../../activities/index.ts'
import { startRelay } from '../../activities/relay.ts'
import { createLog } from '../../log.ts'
import { givenConversation, givenPeople, secretKey } from '../support/given.ts'
import { bundle, eventually, startService, type TestService } from '../support/service.ts'
import { timeSkipping } from '../support/time-skipping.ts'

const day = 24 * 60 * 60 * 1000

describe('snoozeConversation', () => {
  let service: TestService
  let environment: TestWorkflowEnvironment
  let stop: () => Promise<void>

  // The real relay and activities. The business clock is the server's, which jumps: it is read before each activity.
  before(async function () {
    this.timeout(120_000)
    environment = await timeSkipping(this.test?.ctx as Mocha.Context)
    service = await startService()
    const { db, databaseUrl, url } = service
    const log = createLog('test', 'silent')
    let now = await environment.currentTimeMs()
    const clock = { now: () => new Date(now) }
    const deps = {
      db,
      clock,
      log,
      secretKey,
      publicUrl: url,
      crash: () => {},
      workflowState: async () => 'running' as const,
    }
    const activities = Object.fromEntries(
      Object.entries(createActivities(deps)).map(([name, activity]) => [
        name,
        async (input: never) => {
          now = await environment.currentTimeMs()
          return activity(input)
        },
      ]),
    )
    const taskQueue = randomUUID()
    const relay = startRelay({ db, databaseUrl, client: environment.client, taskQueue, log })
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      taskQueue,
      workflowBundle: await bundle(),
      activities,
    })
    const running = worker.run()
    stop = async () => {
      worker.shutdown()
      await running
      await relay.stop()
      await service.close()
    }
  })
  after(() => stop?.())

  async function snoozed(aheadMs: number) {
    service.clock.set(new Date(await environment.currentTimeMs()).toISOString())
    const workspace = await service.workspace()
    const at = service.clock.now()
    const email = `${randomUUID()}@client.example`
    const [person = ''] = await givenPeople(service.db, workspace.id, [{ name: 'Cleo', email }], at)
    const connection = workspace.connections[0]
    const id = await givenConversation(service.db, workspace.id, {
      person,
      connection,
      from: email,
      at,
    })
    const { call, member: owner } = workspace
    const snooze = async (aheadMs: number) => {
      const key = randomUUID()
      const snoozeUntil = new Date(at.getTime() + aheadMs).toISOString()
      const reply = await call(
        'PATCH',
        `/conversations/${id}`,
        { snoozeUntil, why: 'On holiday in Peru', owner },
        { key },
      )
      equal(reply.status, 200, reply.text)
      await operation(key, ({ state }) => state === 'waiting')
      return {
        key,
        workflow: environment.client.workflow.getHandle(`${workspace.id}:${key}`),
        until: snoozeUntil,
      }
    }
    const operation = async (key: string, ready: (body: { state: string }) => boolean) =>
      (
        await eventually(
          () => call('GET', `/operations/${key}`),
          ({ body }) => ready(body),
        )
      ).body
    const read = async () => (await call('GET', `/conversations/${id}`)).body
    const told = () =>
      service.db.selectFrom('notifications').selectAll().where('conversation', '=', id).execute()
    return {
      ...workspace,
      conversation: id,
      snooze,
      operation,
      read,
      told,
      ...(await snooze(aheadMs)),
    }
  }
  const ended = ({ state }: { state: string }) => ['done', 'cancelled', 'failed'].includes(state)

  it('wakes the conversation at its moment and tells its owner', async () => {
    const { key, workflow, until, operation, read, told, member } = await snoozed(40 * day)
    const waiting = await operation(key, ({ state }) => state === 'waiting')
    deepEqual([waiting.waitingFor, waiting.until], ['snooze', until])
    equal((await read()).state, 'snoozed')
    await workflow.result()
    const { state, result } = await operation(key, ended)
    equal(state, 'done')
    deepEqual(
      { ...result, lateBySeconds: 0 },
      { state: 'open', superseded: false, early: false, lateBySeconds: 0 },
    )
    ok(result.lateBySeconds < 60, `late by ${result.lateBySeconds} s`)
    const { state: now, snoozeUntil, why } = await read()
    deepEqual({ now, snoozeUntil, why }, { now: 'open', snoozeUntil: null, why: null })
    const [notification, ...more] = await told()
    deepEqual(more, [])
    deepEqual([notification?.kind, notification?.member], ['conversation.woken', member])
  })

  it('ends as superseded when it is moved, and the later one wakes', async () => {
    const first = await snoozed(2 * day)
    const second = await first.snooze(5 * day)
    await first.workflow.result()
    const { result } = await first.operation(first.key, ended)
    deepEqual(result, { state: 'snoozed', superseded: true, early: true, lateBySeconds: 0 })
    equal((await first.read()).state, 'snoozed')
    deepEqual(await first.told(), [])
    await second.workflow.result()
    equal((await first.operation(second.key, ended)).result.superseded, false)
    equal((await first.read()).state, 'open')
    equal((await first.told()).length, 1)
  })

  for (const [move, body] of [
    ['woken', { snoozeUntil: null }],
    ['closed', { closed: true }],
  ] as const)
    it(`ends early when the conversation is ${move}`, async () => {
      const { call, conversation, workflow, operation, key, told } = await snoozed(3 * day)
      const { state } = (await call('PATCH', `/conversations/${conversation}`, body)).body
      await workflow.result()
      const { result } = await operation(key, ended)
      deepEqual(result, { state, superseded: false, early: true, lateBySeconds: 0 })
      deepEqual(await told(), [])
    })

  it('wakes the conversation when an operator cancels it', async () => {
    const { workflow, operation, key, read } = await snoozed(3 * day)
    await workflow.cancel()
    const { state, result } = await operation(key, ended)
    deepEqual([state, result.early], ['cancelled', true])
    equal((await read()).state, 'open')
  })

  it('keeps what was said out of its history', async () => {
    const { workflow } = await snoozed(day)
    await workflow.result()
    const history = JSON.stringify(await workflow.fetchHistory())
    const payloads = [...history.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64'),
    )
    doesNotMatch(Buffer.concat(payloads).toString(), /Peru|Cleo|client\.example/)
  })
})
