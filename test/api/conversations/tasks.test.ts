import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenClient } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

// What the call itself decides; no agent runs here.

describe('POST /conversations/{id}/tasks', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function talk() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const { person, conversation } = await givenClient(db, workspace, clock.now())
    const path = `/conversations/${conversation}`
    return {
      ...workspace,
      conversation,
      person,
      path,
      ask: (body: object, options = {}) => workspace.call('POST', `${path}/tasks`, body, options),
      tasks: async () => (await workspace.call('GET', path)).body.tasks,
      workflows: () =>
        db
          .selectFrom('outbox')
          .select(['kind', 'workflowType', 'workflowId', 'signal', 'args'])
          .where('workflowId', 'like', `${workspace.id}:%`)
          .orderBy('id')
          .execute(),
    }
  }
  const at = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString()
  const hour = 3_600_000

  it('answers the task, shows it in the conversation and starts its workflow', async () => {
    const { ask, tasks, workflows, conversation, member, id: workspace, call } = await talk()
    const key = randomUUID()
    const reply = await ask({ text: 'Ask for a date.', due: '2026-11-24T10:00:00+01:00' }, { key })
    equal(reply.status, 200, reply.text)
    const { id, at: asked, ...rest } = reply.body
    match(id, /^tsk_/)
    match(asked, /^2026-11-23T09:00/)
    deepEqual(rest, {
      conversation,
      text: 'Ask for a date.',
      due: '2026-11-24T09:00:00.000Z',
      state: 'queued',
      operation: key,
      reason: null,
      agent: null,
      message: null,
      told: null,
      did: null,
      author: member,
    })
    deepEqual(await tasks(), [reply.body])
    const operation = `${workspace}:${key}`
    deepEqual(await workflows(), [
      {
        kind: 'start',
        workflowType: 'runTask',
        workflowId: operation,
        signal: null,
        args: [{ operation, task: id }],
      },
    ])
    equal((await call('GET', `/operations/${key}`)).body.kind, 'runTask')
    const [{ action, resource }] = (await call('GET', '/audit')).body.entries
    deepEqual([action, resource], ['task.created', id])
  })

  it('carries out a repeated call once, with the same answer', async () => {
    const { ask, tasks } = await talk()
    const key = randomUUID()
    const first = await ask({ text: 'Ask.' }, { key })
    const again = await ask({ text: 'Ask.' }, { key })
    equal(again.text, first.text)
    equal((await tasks()).length, 1)
  })

  it('needs the scope to send only for a due time', async () => {
    const { ask, call, path, tokenWith } = await talk()
    const token = await tokenWith(['inbox:read', 'inbox:write'])
    for (const due of [at(hour), '', 0, false, 'never']) {
      const { status, body } = await ask({ text: 'Write: Hello.', due }, { token })
      equal(`${status} ${body.code}`, '403 insufficient_scope')
      deepEqual(body.scopes, ['send', 'inbox:write'])
    }
    // A body that cannot be parsed may hold a due time, so it needs the scope as well.
    equal((await call('POST', `${path}/tasks`, '{"text":"Hello."', { token })).status, 403)
    for (const body of [{}, { due: null }])
      equal((await ask({ text: 'Write: Hello.', ...body }, { token })).status, 200)
    const sender = await tokenWith(['inbox:read', 'send'])
    equal((await ask({ text: 'Hello.', due: at(hour) }, { token: sender })).status, 403)
    equal((await ask({ text: 'Hello.' }, { token: sender })).status, 403)
  })

  it('takes a due time with an offset, at most a minute in the past', async () => {
    const { ask } = await talk()
    for (const due of [at(-59_000), at(0), '9999-12-31T23:59:59Z'])
      equal((await ask({ text: 'Ask.', due })).body.due, new Date(due).toISOString())
    const late = await ask({ text: 'Ask.', due: at(-90_000) })
    equal(`${late.status} ${late.body.code}`, '422 time_in_past')
    equal(late.body.errors[0].pointer, '/due')
    for (const due of ['2027-01-01T10:00:00', '2027-01-01', 'soon', 5]) {
      const { status, body } = await ask({ text: 'Ask.', due })
      equal(`${status} ${body.errors[0].pointer} ${body.errors.length}`, '422 /due 1')
    }
  })

  it('refuses a task without words or with too many', async () => {
    const { ask, tasks } = await talk()
    for (const body of [{}, { text: ' ' }, { text: null }, { text: 'x'.repeat(10_001) }])
      equal((await ask(body)).body.errors[0].pointer, '/text')
    deepEqual(await tasks(), [])
  })

  it('is cancelled with everything else queued when the conversation is closed as spam', async () => {
    const { ask, call, path, tasks, workflows, id } = await talk()
    const key = randomUUID()
    await ask({ text: 'Ask.', due: at(hour) }, { key })
    await call('PATCH', path, { closed: true, reason: 'other' })
    equal((await tasks())[0].state, 'queued')
    await call('PATCH', path, { reason: 'spam' })
    const [{ state, reason }] = await tasks()
    deepEqual([state, reason], ['cancelled', 'spam'])
    const signals = (await workflows()).filter(({ kind }) => kind === 'signal')
    deepEqual(
      signals.map(({ workflowId, signal }) => [workflowId, signal]),
      [[`${id}:${key}`, 'changed']],
    )
  })
})
