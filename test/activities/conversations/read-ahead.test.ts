import { deepEqual, equal, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { messagesIn, readAhead, takeKnown } from '../../../activities/conversations/read-ahead.ts'
import { sendMessageActivities } from '../../../activities/conversations/send-message.ts'
import { findOutgoing } from '../../../db/conversations/message-sending.ts'
import { claimOperation, findOperation } from '../../../db/operations/operations.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { createLog } from '../../../telemetry/log.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a message that is read ahead of its turn', () => {
  let service: TestService
  let mail: MailSink
  // No worker runs: the tests are the relay and the activity.
  before(async () => {
    service = await startService()
    mail = await testMail()
  })
  after(() => service.close())

  async function givenRoom(smtpPort = mail.smtpPort) {
    const { db, clock } = service
    const room = await service.workspace({ smtpPort })
    const { call, id: workspace } = room
    const at = async () => {
      const { conversation, email } = await givenClient(db, room, clock.now())
      return { path: `/conversations/${conversation}/messages`, email }
    }
    const post = async (path: string, body: object) => {
      const key = randomUUID()
      const { status, body: message } = await call('POST', path, body, { key })
      equal(status, 200)
      return { message: message.id as string, operation: `${workspace}:${key}` }
    }
    return { workspace, at, post }
  }

  const deps = () => ({
    ...{ db: service.db, clock: service.clock, secretKey, publicUrl: '', crash: () => {} },
    log: createLog('test', 'silent'),
    workflowState: async () => 'running' as const,
  })
  const run = 'the first run'
  const send = (input: { operation: string; message: string }) => {
    const { sendDueMessage } = sendMessageActivities(deps())
    const given = { ...input, firstExecutionRunId: run }
    return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(
      sendDueMessage,
      given,
    ) as ReturnType<typeof sendDueMessage>
  }
  const connectionOf = async (message: string) =>
    (await findOutgoing(service.db, message))?.connection as string
  async function read(...messages: string[]) {
    const connection = await connectionOf(messages[0] as string)
    const starts = messages.map((message) => ({ message, connection }))
    await readAhead(deps(), starts)
  }
  const stateOf = async ({ message, operation }: { message: string; operation: string }) => {
    const { state, reason } = (await findOutgoing(service.db, message)) ?? {}
    const { state: ofOperation, ownerRun } = (await findOperation(service.db, operation)) ?? {}
    return [state, reason, ofOperation, ownerRun]
  }
  const textsTo = (email: string) =>
    mail.messages().flatMap(({ to, text }) => (to.includes(email) ? [text?.trim()] : []))

  /** One message that was read ahead, after which `meanwhile` has happened and it was its turn. */
  async function sentAfter(
    meanwhile: (one: { message: string; operation: string; workspace: string }) => Promise<unknown>,
  ) {
    const { workspace, at, post } = await givenRoom()
    const { path, email } = await at()
    const one = await post(path, { text: 'As it was read.' })
    await read(one.message)
    await meanwhile({ ...one, workspace })
    const step = await send(one)
    return { step, state: await stateOf(one), texts: textsTo(email) }
  }

  it('is sent as it was read, and its operation is claimed with it', async () => {
    const { step, state, texts } = await sentAfter(async ({ message }) => {
      // No call can do this; it shows that the row is not read again.
      await service.db
        .updateTable('messages')
        .set({ text: 'As it was not.' })
        .where('id', '=', message)
        .execute()
    })
    deepEqual([step?.do, texts], ['end', ['As it was read.']])
    deepEqual(state, ['sent', null, 'done', run])
  })

  it('is not sent once it was cancelled', async () => {
    const { step, state, texts } = await sentAfter(({ message }) =>
      service.db
        .updateTable('messages')
        .set({ state: 'cancelled' })
        .where('id', '=', message)
        .execute(),
    )
    deepEqual([step?.do, texts], ['end', []])
    deepEqual(state, ['cancelled', null, 'cancelled', run])
  })

  it('is not sent if its address was suppressed, and says so', async () => {
    const { texts, state } = await sentAfter(async ({ message, workspace }) => {
      const { toAddress } = (await findOutgoing(service.db, message)) ?? {}
      await service.db
        .insertInto('suppressions')
        .values({
          ...{ id: `sup_${randomUUID()}`, workspace, address: toAddress as string },
          ...{ reason: 'complaint', at: service.clock.now() },
        })
        .execute()
    })
    deepEqual([texts, state], [[], ['failed', 'suppressed', 'failed', run]])
  })

  it('is left to another run that owns its operation', async () => {
    const other = { firstExecutionRunId: 'another run', runId: 'another run' }
    const { step, state, texts } = await sentAfter(({ operation }) =>
      claimOperation(service.db, operation, other, service.clock.now()),
    )
    deepEqual([step, texts], [{ do: 'end', isOthers: true }, []])
    deepEqual(state, ['queued', null, 'running', 'another run'])
  })

  it('belongs to its run also while its account cannot be opened', async () => {
    const { at, post } = await givenRoom(await freePort())
    const one = await post((await at()).path, { text: 'Hello' })
    await read(one.message)
    await rejects(send(one), { type: 'smtp_unreachable' })
    deepEqual(await stateOf(one), ['queued', null, 'waiting', run])
  })

  it('is given to one attempt alone', async () => {
    const { at, post } = await givenRoom()
    const { message } = await post((await at()).path, { text: 'Once' })
    await read(message)
    const known = await Promise.all([takeKnown(message), takeKnown(message)])
    equal(known.filter(Boolean).length, 1)
  })

  it('is one of many that are read together, and those that may not go at once are not among them', async () => {
    const { at, post } = await givenRoom()
    const [first, second, third] = [await at(), await at(), await at()]
    const free = await post(first.path, { text: 'One' })
    const behind = await post(first.path, { text: 'Two' })
    const later = await post(second.path, { text: 'Three', sendAt: '2027-06-01T09:00:00Z' })
    const long = await post(third.path, { text: 'x'.repeat(70_000) })
    const owned = await post((await at()).path, { text: 'Five' })
    const { db, clock } = service
    await claimOperation(db, owned.operation, { firstExecutionRunId: 'r', runId: 'r' }, clock.now())
    const also = await post((await at()).path, { text: 'Six' })
    const all = [free, behind, later, long, owned, also].map(({ message }) => message)
    await read(...all)
    const known = await Promise.all(all.map(takeKnown))
    deepEqual(
      known.map((one) => one?.message.text),
      ['One', undefined, undefined, undefined, undefined, 'Six'],
    )
  })

  it('is named by the start of its workflow, and by no other command', async () => {
    const { at, post } = await givenRoom()
    const { message, operation } = await post((await at()).path, { text: 'Hello' })
    const commands = await service.db
      .selectFrom('outbox')
      .selectAll()
      .where('operation', '=', operation)
      .execute()
    const connection = await connectionOf(message)
    deepEqual(messagesIn(commands), [{ message, connection }])
    const signals = commands.map((one) => ({ ...one, kind: 'signal' as const, workflowType: null }))
    deepEqual(messagesIn(signals), [])
  })
})
