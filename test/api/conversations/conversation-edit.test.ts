import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import { givenClient } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('PATCH /conversations/{id}', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const client = await givenClient(service.db, workspace, service.clock.now())
    const id = client.conversation
    const path = `/conversations/${id}`
    const patch = (body: unknown, key?: string) =>
      workspace.call('PATCH', path, body, key ? { key } : {})
    const commands = () =>
      service.db
        .selectFrom('outbox')
        .select(['kind', 'workflowType', 'workflowId', 'signal', 'args'])
        .where('workflowId', 'like', `${workspace.id}:%`)
        .orderBy('id')
        .execute()
    const audit = async () => (await workspace.call('GET', '/audit')).body.entries
    return { ...workspace, workspace: workspace.id, id, path, patch, commands, audit }
  }
  const hoursAhead = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000)
  const shown = ({ body }: { body: Record<string, unknown> }) => ({
    state: body['state'],
    snoozeUntil: body['snoozeUntil'],
    why: body['why'],
    closed: body['closed'],
    reason: body['reason'],
  })
  const open = { state: 'open', snoozeUntil: null, why: null, closed: false, reason: null }

  it('snoozes until an instant of any offset, starts the workflow and answers what the read shows', async () => {
    const { patch, call, path, commands, workspace, id } = await given()
    const until = hoursAhead(3)
    const local = `${new Date(until.getTime() + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`
    const key = randomUUID()
    const snoozed = await patch({ snoozeUntil: local, why: 'Back on Monday' }, key)
    equal(snoozed.status, 200, snoozed.text)
    const snoozeUntil = until.toISOString()
    deepEqual(shown(snoozed), { ...open, state: 'snoozed', snoozeUntil, why: 'Back on Monday' })
    deepEqual((await call('GET', path)).body, snoozed.body)
    const operation = `${workspace}:${key}`
    const args = [{ operation, conversation: id, version: 1 }]
    deepEqual(await commands(), [
      {
        kind: 'start',
        workflowType: 'snoozeConversation',
        workflowId: operation,
        signal: null,
        args,
      },
    ])
    const again = await patch({ snoozeUntil: local, why: 'Back on Monday' }, key)
    equal(again.text, snoozed.text)
    equal((await commands()).length, 1)
  })

  it('moves a snooze, keeps its why and signals the earlier workflow', async () => {
    const { patch, commands, workspace } = await given()
    const first = randomUUID()
    await patch({ snoozeUntil: hoursAhead(1), why: 'Later' }, first)
    const until = hoursAhead(2)
    const moved = await patch({ snoozeUntil: until })
    deepEqual(shown(moved), {
      ...open,
      state: 'snoozed',
      snoozeUntil: until.toISOString(),
      why: 'Later',
    })
    const [, signal, start] = await commands()
    deepEqual([signal?.signal, signal?.workflowId], ['changed', `${workspace}:${first}`])
    deepEqual(
      (start?.args as { version: number }[] | undefined)?.map(({ version }) => version),
      [2],
    )
  })

  it('wakes by snoozeUntil null with a signal and no workflow of its own', async () => {
    const { patch, commands } = await given()
    const key = randomUUID()
    await patch({ snoozeUntil: hoursAhead(1), why: 'Later' }, key)
    deepEqual(shown(await patch({ snoozeUntil: null })), open)
    deepEqual(
      (await commands()).map(({ kind }) => kind),
      ['start', 'signal'],
    )
    deepEqual(shown(await patch({ snoozeUntil: null })), open)
    equal((await commands()).length, 2)
  })

  it('closes for a reason or as other, which cancels the snooze, and reopens', async () => {
    const { patch, commands } = await given()
    await patch({ snoozeUntil: hoursAhead(1), why: 'Later' })
    const closed = { ...open, state: 'closed', closed: true }
    deepEqual(shown(await patch({ closed: true })), { ...closed, reason: 'other' })
    equal((await commands()).at(-1)?.signal, 'changed')
    deepEqual(shown(await patch({ reason: 'no_response' })), { ...closed, reason: 'no_response' })
    deepEqual(shown(await patch({ closed: true })), { ...closed, reason: 'no_response' })
    deepEqual(shown(await patch({ closed: false })), open)
    deepEqual(shown(await patch({ closed: true, reason: 'wrong_person' })), {
      ...closed,
      reason: 'wrong_person',
    })
    const snoozeUntil = hoursAhead(5).toISOString()
    deepEqual(shown(await patch({ snoozeUntil })), { ...open, state: 'snoozed', snoozeUntil })
  })

  it('updates why only while snoozed, and reason only while closed', async () => {
    const { patch, audit } = await given()
    deepEqual(shown(await patch({ why: 'Nothing to explain', reason: 'spam' })), open)
    equal((await audit()).length, 0)
    const snoozeUntil = hoursAhead(1).toISOString()
    await patch({ snoozeUntil, why: 'Later' })
    deepEqual(shown(await patch({ why: 'Much later', reason: 'spam' })), {
      ...open,
      state: 'snoozed',
      snoozeUntil,
      why: 'Much later',
    })
    const [entry] = await audit()
    deepEqual([entry.before, entry.after], [{ why: 'Later' }, { why: 'Much later' }])
  })

  it('sets and removes an owner, and records a meeting', async () => {
    const { patch, member } = await given()
    const { owner, met } = (await patch({ owner: member, met: true })).body
    deepEqual({ owner, met }, { owner: member, met: true })
    const cleared = (await patch({ owner: null })).body
    deepEqual([cleared.owner, cleared.met, cleared.state], [null, true, 'open'])
  })

  it('does all of it in one call and one audit line', async () => {
    const { patch, member, audit, id } = await given()
    const snoozeUntil = hoursAhead(1).toISOString()
    await patch({ snoozeUntil, why: 'Later', owner: member, met: true, closed: false })
    const entries = await audit()
    equal(entries.length, 1)
    equal(entries[0].action, 'conversation.edited')
    equal(entries[0].resource, id)
    deepEqual(entries[0].after, {
      state: 'snoozed',
      snoozeUntil,
      why: 'Later',
      owner: member,
      met: true,
    })
  })

  it('leaves no trace when there is nothing to change', async () => {
    const { patch, call, path, audit, commands } = await given()
    const before = (await call('GET', path)).body
    for (const body of [
      undefined,
      {},
      { closed: false },
      { owner: null, met: false },
      { why: null, closed: null },
    ])
      deepEqual((await patch(body)).body, before)
    equal((await audit()).length, 0)
    const snoozeUntil = hoursAhead(1)
    await patch({ snoozeUntil })
    await patch({ snoozeUntil })
    equal((await audit()).length, 1)
    equal((await commands()).length, 1)
  })

  it('cancels what is queued when it is closed as spam, and only then', async () => {
    const { patch, id, workspace, connections, commands } = await given()
    const operation = `${workspace}:a-letter`
    const message = newId('msg')
    const at = hoursAhead(1)
    await service.db
      .insertInto('messages')
      .values({
        id: message,
        workspace,
        conversation: id,
        direction: 'outbound',
        state: 'queued',
        senderName: '',
        senderHandle: '',
        toAddress: 'x@client.example',
        subject: '',
        text: 'Hi',
        at,
        dueAt: at,
        sendAt: at,
        connection: connections[0],
        operation,
      })
      .execute()
    const state = async () =>
      (
        await service.db
          .selectFrom('messages')
          .select('state')
          .where('id', '=', message)
          .executeTakeFirstOrThrow()
      ).state
    await patch({ closed: true })
    equal(await state(), 'queued')
    await patch({ reason: 'spam' })
    equal(await state(), 'cancelled')
    deepEqual(
      (await commands()).map(({ workflowId, signal }) => [workflowId, signal]),
      [[operation, 'changed']],
    )
    // Closing it as spam again cancels what was queued since.
    await service.db
      .updateTable('messages')
      .set({ state: 'queued' })
      .where('id', '=', message)
      .execute()
    await patch({ met: true })
    equal(await state(), 'queued')
    await patch({ closed: true, reason: 'spam' })
    equal(await state(), 'cancelled')
    equal((await commands()).length, 2)
  })

  it('refuses invalid members, with their pointers', async () => {
    const { patch, commands, call, path } = await given()
    const before = (await call('GET', path)).body
    const { member: stranger } = await service.workspace()
    const past = service.clock.now().toISOString()
    for (const [body, code, pointer] of [
      [{ snoozeUntil: past }, 'time_in_past', '/snoozeUntil'],
      [{ snoozeUntil: '2027-01-01T09:00:00' }, 'validation_failed', '/snoozeUntil'],
      [{ snoozeUntil: 'tomorrow' }, 'validation_failed', '/snoozeUntil'],
      [{ snoozeUntil: hoursAhead(1), closed: true }, 'validation_failed', '/snoozeUntil'],
      [{ closed: true, reason: 'bored' }, 'validation_failed', '/reason'],
      [{ closed: 'yes' }, 'validation_failed', '/closed'],
      [{ owner: 'mem_none' }, 'validation_failed', '/owner'],
      [{ owner: stranger, met: true }, 'validation_failed', '/owner'],
      [{ snoozeUntill: hoursAhead(1) }, 'validation_failed', '/snoozeUntill'],
    ] as const) {
      const reply = await patch(body)
      equal(reply.status, 422, reply.text)
      deepEqual([reply.body.code, reply.body.errors[0].pointer], [code, pointer])
    }
    deepEqual((await call('GET', path)).body, before)
    deepEqual(await commands(), [])
    const { call: other } = await service.workspace()
    equal((await other('PATCH', path, { met: true })).status, 404)
  })

  it('is part of the reduced deployment', async () => {
    const reduced = await startService({ variant: 'reduced' })
    try {
      const { call } = await reduced.workspace()
      equal((await call('PATCH', '/conversations/cnv_none', {})).body.code, 'not_found')
    } finally {
      await reduced.close()
    }
  })
})
