import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenClient } from '../../support/given.ts'
import { eventually } from '../../support/service.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

const day = 24 * 60 * 60 * 1000

describe('snoozeConversation', function () {
  this.retries(retries)
  let time: SkippedTime
  before(async function () {
    this.timeout(120_000)
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())

  async function snoozed(aheadMs: number) {
    const { service } = time
    const at = await time.now()
    const workspace = await service.workspace()
    const { conversation: id } = await givenClient(service.db, workspace, at)
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
        workflow: time.handle(`${workspace.id}:${key}`),
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

  it('wakes the conversation at its time and notifies its owner', async () => {
    const { key, until, operation, read, told, member } = await snoozed(40 * day)
    const waiting = await operation(key, ({ state }) => state === 'waiting')
    deepEqual([waiting.waitingFor, waiting.until], ['snooze', until])
    equal((await read()).state, 'snoozed')
    await time.skipTo(until)
    const { state, result } = await operation(key, ended)
    equal(state, 'done')
    deepEqual(
      { ...result, lateBy: 0 },
      { state: 'open', superseded: false, early: false, lateBy: 0 },
    )
    ok(result.lateBy < 60, `late by ${result.lateBy} s`)
    const { state: now, snoozeUntil, why } = await read()
    deepEqual({ now, snoozeUntil, why }, { now: 'open', snoozeUntil: null, why: null })
    const [notification, ...more] = await told()
    deepEqual(more, [])
    deepEqual([notification?.kind, notification?.member], ['conversation.woken', member])
  })

  it('ends as superseded when it is moved, and the later one wakes', async () => {
    const first = await snoozed(2 * day)
    const second = await first.snooze(5 * day)
    const { result } = await first.operation(first.key, ended)
    deepEqual(result, { state: 'snoozed', superseded: true, early: true, lateBy: 0 })
    equal((await first.read()).state, 'snoozed')
    deepEqual(await first.told(), [])
    await time.skipTo(second.until)
    equal((await first.operation(second.key, ended)).result.superseded, false)
    equal((await first.read()).state, 'open')
    equal((await first.told()).length, 1)
  })

  for (const [move, body] of [
    ['woken', { snoozeUntil: null }],
    ['closed', { closed: true }],
  ] as const)
    it(`ends early when the conversation is ${move}`, async () => {
      const { call, conversation, operation, key, told } = await snoozed(3 * day)
      const { state } = (await call('PATCH', `/conversations/${conversation}`, body)).body
      const { result } = await operation(key, ended)
      deepEqual(result, { state, superseded: false, early: true, lateBy: 0 })
      deepEqual(await told(), [])
    })

  it('wakes conversations that one call has snoozed', async () => {
    const { service } = time
    const at = await time.now()
    const workspace = await service.workspace()
    const { call } = workspace
    const conversations = [
      (await givenClient(service.db, workspace, at)).conversation,
      (await givenClient(service.db, workspace, at)).conversation,
    ]
    const until = new Date(at.getTime() + 2 * day).toISOString()
    const change = { snoozeUntil: until }
    equal((await call('POST', '/conversations/bulk', { conversations, change })).status, 200)
    const operations = () =>
      service.db
        .selectFrom('operations')
        .select('state')
        .where('workspace', '=', workspace.id)
        .where('workflowType', '=', 'snoozeConversation')
        .execute()
    const all = (wanted: string) => (rows: { state: string }[]) =>
      rows.length === 2 && rows.every(({ state }) => state === wanted)
    await eventually(operations, all('waiting'))
    await time.skipTo(until)
    await eventually(operations, all('done'))
    for (const id of conversations)
      equal((await call('GET', `/conversations/${id}`)).body.state, 'open')
  })

  it('wakes the conversation when an operator cancels it', async () => {
    const { workflow, operation, key, read } = await snoozed(3 * day)
    await workflow.cancel()
    const { state, result } = await operation(key, ended)
    deepEqual([state, result.early], ['cancelled', true])
    equal((await read()).state, 'open')
  })

  it('keeps the reason and the names out of its history', async () => {
    const { workflow, key, until, operation } = await snoozed(day)
    await time.skipTo(until)
    await operation(key, ended)
    const history = JSON.stringify(await workflow.fetchHistory())
    const payloads = [...history.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64'),
    )
    doesNotMatch(Buffer.concat(payloads).toString(), /Peru|Cleo|client\.example/)
  })
})
