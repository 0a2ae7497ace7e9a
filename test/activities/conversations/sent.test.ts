import { deepEqual, equal } from 'node:assert/strict'
import { openAttempts, run } from '../../support/attempts.ts'

describe('what is written down when a message was sent', () => {
  const attempts = openAttempts()

  const eventsOf = (message: string) =>
    attempts.service.db
      .selectFrom('events')
      .leftJoin('deliveries', 'deliveries.event', 'events.id')
      .select(['events.kind', 'deliveries.webhook'])
      .where('events.resource', '=', message)
      .where('events.kind', '=', 'message.sent')
      .execute()

  /** The signals in the outbox for the workflow of a message. */
  const signalsTo = async ({ operation }: { operation: string }) => {
    const rows = await attempts.service.db
      .selectFrom('outbox')
      .select('signal')
      .where('workflowId', '=', operation)
      .where('kind', '=', 'signal')
      .execute()
    return rows.map(({ signal }) => signal)
  }

  it('is an event, one delivery to each webhook that asks for it, and who waits for an answer', async () => {
    const { call, at, post } = await attempts.room()
    const webhook = async (kinds: string[]) =>
      (await call('POST', '/webhooks', { url: 'https://hooks.example/in', kinds })).body.id
    const asked = [await webhook([]), await webhook(['message.sent'])]
    await webhook(['message.failed'])
    const { path } = await at()
    const one = await post(path, { text: 'Hello' })
    await attempts.send(one)
    deepEqual(await attempts.stateOf(one), ['sent', null, 'done', run])
    const events = await eventsOf(one.message)
    deepEqual(events.map((event) => event.webhook).sort(), asked.sort())
    const { body: conversation } = await call('GET', path.replace('/messages', ''))
    equal(conversation.waitingFor, 'client')
    const { body: operation } = await call('GET', `/operations/${one.operation.split(':')[1]}`)
    deepEqual([operation.result.id, operation.result.state], [one.message, 'sent'])
    equal(operation.result.messageId, `<${one.message}@us.example>`)
  })

  it('is the signal to the message that was behind it, too', async () => {
    const { at, post } = await attempts.room()
    const { path, email } = await at()
    const first = await post(path, { text: 'One' })
    const second = await post(path, { text: 'Two' })
    equal((await attempts.send(second))?.do, 'wait')
    await attempts.send(first)
    deepEqual(await attempts.stateOf(first), ['sent', null, 'done', run])
    deepEqual(await signalsTo(second), ['changed'])
    deepEqual(await eventsOf(first.message), [{ kind: 'message.sent', webhook: null }])
    await attempts.send(second)
    deepEqual(attempts.textsTo(email), ['One', 'Two'])
    deepEqual(await signalsTo(first), [])
  })
})
