import { deepEqual, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { accountsIn } from '../../../activities/conversations/send-at-once.ts'
import { findOutgoing } from '../../../db/conversations/message-sending.ts'
import { claimOperation } from '../../../db/operations/operations.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { openAttempts, run } from '../../support/attempts.ts'

describe('an attempt to send a message', () => {
  const attempts = openAttempts()

  /** One message whose turn it was after `before` had happened. */
  async function sentAfter(
    before: (one: { message: string; operation: string; workspace: string }) => Promise<unknown>,
  ) {
    const { workspace, at, post } = await attempts.room()
    const { path, email } = await at()
    const one = await post(path, { text: 'Hello' })
    await before({ ...one, workspace })
    const step = await attempts.send(one)
    return { step, state: await attempts.stateOf(one), texts: attempts.textsTo(email) }
  }

  it('claims its operation, sends it and ends the operation', async () => {
    const { step, state, texts } = await sentAfter(async () => {})
    deepEqual([step?.do, texts], ['end', ['Hello']])
    deepEqual(state, ['sent', null, 'done', run])
  })

  it('does not send it once it was cancelled', async () => {
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

  it('does not send it if its address was suppressed, and says so', async () => {
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

  it('leaves it to another run that owns its operation', async () => {
    const other = { firstExecutionRunId: 'another run', runId: 'another run' }
    const { step, state, texts } = await sentAfter(({ operation }) =>
      claimOperation(attempts.service.db, operation, other, attempts.service.clock.now()),
    )
    deepEqual([step, texts], [{ do: 'end', isOthers: true }, []])
    deepEqual(state, ['queued', null, 'running', 'another run'])
  })

  it('shows that it waits while its account cannot be opened', async () => {
    const { at, post } = await attempts.room(await freePort())
    const one = await post((await at()).path, { text: 'Hello' })
    await rejects(attempts.send(one), { type: 'smtp_unreachable' })
    deepEqual(await attempts.stateOf(one), ['queued', null, 'waiting', run])
  })

  it('finds the accounts of the messages that commands are to send', async () => {
    const { at, post } = await attempts.room()
    const { message, operation } = await post((await at()).path, { text: 'Hello' })
    const commands = await attempts.service.db
      .selectFrom('outbox')
      .selectAll()
      .where('operation', '=', operation)
      .execute()
    deepEqual([...accountsIn(commands)], [await attempts.connectionOf(message)])
    const signals = commands.map((one) => ({ ...one, kind: 'signal' as const, workflowType: null }))
    deepEqual([...accountsIn(signals)], [])
  })
})
