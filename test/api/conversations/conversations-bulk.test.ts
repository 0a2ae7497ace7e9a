import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { shownEvents } from '../../support/events.ts'
import { givenClient } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

type Result = { conversation: string; outcome: string; errors?: { code: string }[] }

describe('POST /conversations/bulk', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given(count = 3) {
    const workspace = await service.workspace()
    const ids: string[] = []
    for (let i = 0; i < count; i++)
      ids.push((await givenClient(service.db, workspace, service.clock.now())).conversation)
    const bulk = (conversations: string[], change: unknown, key?: string) =>
      workspace.call('POST', '/conversations/bulk', { conversations, change }, key ? { key } : {})
    const read = async (id = '') => (await workspace.call('GET', `/conversations/${id}`)).body
    const audit = async () => (await workspace.call('GET', '/audit')).body.entries
    const commands = () =>
      service.db
        .selectFrom('outbox')
        .select(['kind', 'workflowType', 'workflowId', 'signal', 'args'])
        .where('workspace', '=', workspace.id)
        .orderBy('id')
        .execute()
    return { ...workspace, ids, bulk, read, audit, commands }
  }
  const outcomes = ({ body }: { body: { results: Result[] } }) =>
    body.results.map(({ outcome }) => outcome)
  const hoursAhead = (hours: number) =>
    new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString()

  it('closes and labels conversations, with the events of single calls, and repeats its answer', async () => {
    const { id, call, ids, bulk, read, audit } = await given()
    const [first = '', second = ''] = ids
    await call('PATCH', `/conversations/${first}`, { closed: true, reason: 'no_response' })
    await call('POST', `/conversations/${first}/labels`, { name: 'Spring' })
    const change = { closed: true, reason: 'no_response', labels: { add: ['spring'] } }
    const key = randomUUID()
    const done = await bulk([...ids, 'cnv_none', second], change, key)
    equal(done.status, 200, done.text)
    deepEqual(outcomes(done), ['same', 'changed', 'changed', 'refused', 'same'])
    equal(done.body.results[3].errors[0].code, 'not_found')
    equal((await bulk([...ids, 'cnv_none', second], change, key)).text, done.text)
    const { state, reason, labels } = await read(second)
    deepEqual([state, reason, labels[0].name], ['closed', 'no_response', 'Spring'])
    const lines = (await audit()).filter((line: { resource: string }) => line.resource === second)
    deepEqual(
      lines.map(({ action, key: of }: { action: string; key: string }) => [action, of]).sort(),
      [
        ['conversation.edited', key],
        ['conversation.labelled', key],
      ],
    )
    const told = (await shownEvents(service, { id, call })).filter(
      ({ resource }) => resource === second,
    )
    deepEqual(told.map(({ kind }) => kind).sort(), ['conversation.edited', 'conversation.labelled'])
    deepEqual(outcomes(await bulk(ids, change)), ['same', 'same', 'same'])
    const taken = await bulk(ids, { labels: { remove: ['SPRING', 'unknown'] } })
    deepEqual(outcomes(taken), ['changed', 'changed', 'changed'])
    deepEqual((await read(first)).labels, [])
  })

  it('snoozes each with a workflow of its own, and wakes them', async () => {
    const { ids, bulk, read, commands } = await given()
    const snoozeUntil = hoursAhead(3)
    deepEqual(outcomes(await bulk(ids, { snoozeUntil })), ['changed', 'changed', 'changed'])
    const started = await commands()
    deepEqual(
      started.map(({ workflowType, workflowId, args }) => [workflowType, args, workflowId]),
      ids.map((conversation, i) => {
        const operation = started[i]?.workflowId
        return ['snoozeConversation', [{ operation, conversation, version: 1 }], operation]
      }),
    )
    equal(new Set(started.map(({ workflowId }) => workflowId)).size, 3)
    equal((await read(ids[1])).snoozeUntil, snoozeUntil)
    deepEqual(outcomes(await bulk(ids, { snoozeUntil })), ['same', 'same', 'same'])
    deepEqual(outcomes(await bulk(ids, { snoozeUntil: null })), ['changed', 'changed', 'changed'])
    deepEqual(
      (await commands()).slice(3).map(({ signal, workflowId }) => [signal, workflowId]),
      started.map(({ workflowId }) => ['changed', workflowId]),
    )
    equal((await read(ids[2])).state, 'open')
  })

  it('gives an owner, and takes them away', async () => {
    const { ids, bulk, read, member } = await given(2)
    deepEqual(outcomes(await bulk(ids, { owner: member })), ['changed', 'changed'])
    equal((await read(ids[0])).owner, member)
    deepEqual(outcomes(await bulk(ids, { owner: null })), ['changed', 'changed'])
    equal((await read(ids[0])).owner, null)
  })

  it('cancels what is queued where it closes as spam', async () => {
    const { ids, bulk, call, commands } = await given(2)
    const queued = await call('POST', `/conversations/${ids[0]}/messages`, {
      text: 'Later',
      sendAt: hoursAhead(2),
    })
    equal(queued.status, 200, queued.text)
    const before = (await commands()).length
    deepEqual(outcomes(await bulk(ids, { closed: true, reason: 'spam' })), ['changed', 'changed'])
    equal((await call('GET', `/messages/${queued.body.id}`)).body.state, 'cancelled')
    deepEqual(
      (await commands()).slice(before).map(({ signal }) => signal),
      ['changed'],
    )
  })

  it('refuses a change that is wrong as a whole, with its place in the body', async () => {
    const { ids, bulk, commands } = await given(1)
    const { member: stranger } = await service.workspace()
    for (const [change, code, pointer] of [
      [{ snoozeUntil: hoursAhead(0) }, 'time_in_past', '/change/snoozeUntil'],
      [{ snoozeUntil: hoursAhead(1), closed: true }, 'validation_failed', '/change/snoozeUntil'],
      [{ owner: stranger }, 'validation_failed', '/change/owner'],
      [{ why: 'Later' }, 'validation_failed', '/change/why'],
      [{}, 'validation_failed', '/change'],
    ] as const) {
      const reply = await bulk(ids, change)
      equal(reply.status, 422, reply.text)
      deepEqual([reply.body.code, reply.body.errors[0].pointer], [code, pointer])
    }
    const many = await bulk(
      Array.from({ length: 501 }, (_, i) => `cnv_${i}`),
      { closed: true },
    )
    deepEqual([many.status, many.body.errors[0].pointer], [422, '/conversations'])
    deepEqual(await commands(), [])
  })

  it('leaves the conversations of other workspaces alone', async () => {
    const [mine, theirs] = [await given(1), await given(1)]
    const done = await mine.bulk([...mine.ids, ...theirs.ids], { closed: true })
    deepEqual(outcomes(done), ['changed', 'refused'])
    equal((await theirs.read(theirs.ids[0])).state, 'open')
  })

  it('ends without a deadlock where calls at once name the same conversations in other orders', async () => {
    const { ids, bulk } = await given(20)
    const all = await Promise.all([
      bulk(ids, { closed: true, labels: { add: ['a', 'b'] } }),
      bulk([...ids].reverse(), { closed: false, labels: { remove: ['b', 'a'] } }),
      bulk(ids.slice(5), { snoozeUntil: hoursAhead(2) }),
    ])
    deepEqual(
      all.map(({ status }) => status),
      [200, 200, 200],
    )
  })
})
