import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { composeAhead } from '../../../activities/conversations/message-letter.ts'
import { type Known, messagesIn, takeKnown } from '../../../activities/conversations/read-ahead.ts'
import { wholeMail } from '../../../activities/ports/mail/compose.ts'
import { findOutgoing } from '../../../db/conversations/message-sending.ts'
import { claimOperation } from '../../../db/operations/operations.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { openAttempts, run } from '../../support/attempts.ts'

describe('a message that is read ahead of its turn', () => {
  const attempts = openAttempts()

  /** One message that was read ahead, after which `meanwhile` has happened and it was its turn. */
  async function sentAfter(
    meanwhile: (one: { message: string; operation: string; workspace: string }) => Promise<unknown>,
  ) {
    const { workspace, at, post } = await attempts.room()
    const { path, email } = await at()
    const one = await post(path, { text: 'As it was read.' })
    await attempts.read(one.message)
    await meanwhile({ ...one, workspace })
    const step = await attempts.send(one)
    return { step, state: await attempts.stateOf(one), texts: attempts.textsTo(email) }
  }

  it('is sent as it was read, and its operation is claimed with it', async () => {
    const { step, state, texts } = await sentAfter(async ({ message }) => {
      // No call can do this; it shows that the row is not read again.
      await attempts.service.db
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
      attempts.service.db
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
      const { toAddress } = (await findOutgoing(attempts.service.db, message)) ?? {}
      await attempts.service.db
        .insertInto('suppressions')
        .values({
          ...{ id: `sup_${randomUUID()}`, workspace, address: toAddress as string },
          ...{ reason: 'complaint', at: attempts.service.clock.now() },
        })
        .execute()
    })
    deepEqual([texts, state], [[], ['failed', 'suppressed', 'failed', run]])
  })

  it('is left to another run that owns its operation', async () => {
    const other = { firstExecutionRunId: 'another run', runId: 'another run' }
    const { step, state, texts } = await sentAfter(({ operation }) =>
      claimOperation(attempts.service.db, operation, other, attempts.service.clock.now()),
    )
    deepEqual([step, texts], [{ do: 'end', isOthers: true }, []])
    deepEqual(state, ['queued', null, 'running', 'another run'])
  })

  it('belongs to its run also while its account cannot be opened', async () => {
    const { at, post } = await attempts.room(await freePort())
    const one = await post((await at()).path, { text: 'Hello' })
    await attempts.read(one.message)
    await rejects(attempts.send(one), { type: 'smtp_unreachable' })
    deepEqual(await attempts.stateOf(one), ['queued', null, 'waiting', run])
  })

  it('is given to one attempt alone', async () => {
    const { at, post } = await attempts.room()
    const { message } = await post((await at()).path, { text: 'Once' })
    await attempts.read(message)
    const known = await Promise.all([takeKnown(message), takeKnown(message)])
    equal(known.filter(Boolean).length, 1)
  })

  it('is one of many that are read together, and those that may not go at once are not among them', async () => {
    const { at, post } = await attempts.room()
    const [first, second, third] = [await at(), await at(), await at()]
    const free = await post(first.path, { text: 'One' })
    const behind = await post(first.path, { text: 'Two' })
    const later = await post(second.path, { text: 'Three', sendAt: '2027-06-01T09:00:00Z' })
    const long = await post(third.path, { text: 'x'.repeat(70_000) })
    const owned = await post((await at()).path, { text: 'Five' })
    const { db, clock } = attempts.service
    await claimOperation(db, owned.operation, { firstExecutionRunId: 'r', runId: 'r' }, clock.now())
    const also = await post((await at()).path, { text: 'Six' })
    const all = [free, behind, later, long, owned, also].map(({ message }) => message)
    await attempts.read(...all)
    const known = await Promise.all(all.map(takeKnown))
    deepEqual(
      known.map((one) => one?.message.text),
      ['One', undefined, undefined, undefined, undefined, 'Six'],
    )
  })

  it('has its letter composed, unless the claim may leave recipients out of it', async () => {
    const { at, post } = await attempts.room()
    const plain = await post((await at()).path, { text: 'To one' })
    const copied = await post((await at()).path, { text: 'To two', cc: ['lee@copied.example'] })
    await attempts.read(plain.message, copied.message)
    const now = attempts.service.clock.now()
    const compose = async ({ message }: { message: string }) => {
      const known = (await takeKnown(message)) as Known
      return composeAhead(known.message, known.account, now)
    }
    const composed = await compose(plain)
    match(String(composed && (await wholeMail(composed.mail))), /\r\n\r\nTo one/)
    equal(composed?.head.date, now.toISOString())
    equal(await compose(copied), undefined)
  })

  it('is named by the start of its workflow, and by no other command', async () => {
    const { at, post } = await attempts.room()
    const { message, operation } = await post((await at()).path, { text: 'Hello' })
    const commands = await attempts.service.db
      .selectFrom('outbox')
      .selectAll()
      .where('operation', '=', operation)
      .execute()
    const connection = await attempts.connectionOf(message)
    deepEqual(messagesIn(commands), [{ message, connection }])
    const signals = commands.map((one) => ({ ...one, kind: 'signal' as const, workflowType: null }))
    deepEqual(messagesIn(signals), [])
  })
})
