import { deepEqual, equal } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

type Sender = Awaited<ReturnType<typeof givenSender>>

describe('resolving what may or may not have arrived', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** An answer to a conversation, which an attempt that has ended had handed over. */
  async function unconfirmed(sender: Sender) {
    const { conversation } = await sender.receive()
    const path = `/conversations/${conversation}/messages`
    const { id } = (await sender.call('POST', path, { text: 'Hello.' })).body
    await service.db
      .updateTable('messages')
      .set({ state: 'sending', reason: 'unconfirmed', attempt: 'a', tries: 1 })
      .set({ claimedAt: service.clock.now(), claimedDay: '2026-11-23' })
      .where('id', '=', id)
      .execute()
    return id as string
  }

  const signalled = async (workflow: string) =>
    (
      await service.db
        .selectFrom('outbox')
        .select('signal')
        .where('workflowId', '=', workflow)
        .where('kind', '=', 'signal')
        .execute()
    ).map(({ signal }) => signal)

  const audited = async (sender: Sender, resource: string) =>
    (await sender.call('GET', '/audit')).body.entries
      .filter((entry: { resource: string }) => entry.resource === resource)
      .map(({ action, after }: { action: string; after: unknown }) => [action, after])

  const operationOf = (id: string) =>
    service.db
      .selectFrom('messages')
      .innerJoin('operations', 'operations.id', 'messages.operation')
      .select(['operations.id', 'operations.state'])
      .where('messages.id', '=', id)
      .executeTakeFirstOrThrow()

  it('counts a message as sent, and ends its operation', async () => {
    const sender = await givenSender(service)
    const id = await unconfirmed(sender)
    const answer = await sender.call('POST', `/messages/${id}/resolve`, { outcome: 'sent' })
    equal(answer.status, 200, answer.text)
    deepEqual([answer.body.id, answer.body.state, answer.body.reason], [id, 'sent', null])
    deepEqual(answer.body, (await sender.call('GET', `/messages/${id}`)).body)
    const operation = await operationOf(id)
    equal(operation.state, 'done')
    equal((await signalled(operation.id)).includes('changed'), true)
    deepEqual((await audited(sender, id))[0], ['message.resolved', { outcome: 'sent' }])
  })

  it('queues a message again under its Message-ID, and tells its workflow', async () => {
    const sender = await givenSender(service)
    const id = await unconfirmed(sender)
    const before = (await sender.call('GET', `/messages/${id}`)).body
    const { body } = await sender.call('POST', `/messages/${id}/resolve`, { outcome: 'again' })
    deepEqual([before.state, body.state, body.reason], ['sending', 'queued', null])
    const row = await service.db
      .selectFrom('messages')
      .select(['messageId', 'attempt', 'firstClaimedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    deepEqual([row.messageId?.includes(id), row.attempt, row.firstClaimedAt], [true, null, null])
    deepEqual(await signalled((await operationOf(id)).id), ['changed'])
  })

  it('starts a lost workflow again', async () => {
    const sender = await givenSender(service)
    const id = await unconfirmed(sender)
    const { id: operation } = await operationOf(id)
    const starts = async () =>
      (
        await service.db
          .selectFrom('outbox')
          .select('id')
          .where('workflowId', '=', operation)
          .where('kind', '=', 'start')
          .execute()
      ).length
    await service.db
      .updateTable('operations')
      .set({ state: 'waiting', waitingFor: 'restart' })
      .where('id', '=', operation)
      .execute()
    const before = await starts()
    await sender.call('POST', `/messages/${id}/resolve`, { outcome: 'again' })
    deepEqual([before, await starts(), (await operationOf(id)).state], [1, 2, 'accepted'])
  })

  it('lets the first of two decisions count, and repeats the answer of each', async () => {
    const sender = await givenSender(service)
    const id = await unconfirmed(sender)
    const decide = (outcome: string, key: string) =>
      sender.call('POST', `/messages/${id}/resolve`, { outcome }, { key })
    const [sent, again] = await Promise.all([decide('sent', 'one'), decide('again', 'two')])
    deepEqual([sent.status, again.status].sort(), [200, 409])
    const refused = sent.status === 409 ? sent : again
    equal(refused.body.code, 'invalid_state')
    deepEqual(
      [(await decide('sent', 'one')).text, (await decide('again', 'two')).text],
      [sent.text, again.text],
    )
    equal(
      (await audited(sender, id)).filter(([action]: [string]) => action === 'message.resolved')
        .length,
      1,
    )
  })

  it('refuses messages that are not unconfirmed', async () => {
    const sender = await givenSender(service)
    const { message, conversation } = await sender.receive()
    const path = `/conversations/${conversation}/messages`
    const { id } = (await sender.call('POST', path, { text: 'Hello.' })).body
    for (const [one, state] of [
      [message, 'received'],
      [id, 'queued'],
    ]) {
      const { status, body } = await sender.call('POST', `/messages/${one}/resolve`, {
        outcome: 'sent',
      })
      deepEqual([status, body.code, body.state], [409, 'invalid_state', state])
    }
    const { status } = await sender.call('POST', `/messages/${id}/resolve`, { outcome: 'perhaps' })
    equal(status, 422)
  })

  it('counts a letter of a campaign as sent: it joins a conversation, and the next one is planned', async () => {
    const sender = await givenSender(service)
    const { campaign, ids, runner } = await lettersTo(service, sender, 'sending')
    // Its workflow has not been started yet.
    const path = `/campaigns/${campaign}/touches/${ids[0]}`
    const { status, body } = await sender.call('POST', `${path}/resolve`, { outcome: 'sent' })
    deepEqual([status, body.state, body.reason], [200, 'sent', null])
    deepEqual(body, (await sender.call('GET', path)).body)
    equal((await signalled(runner)).includes('changed'), true)
    deepEqual((await audited(sender, ids[0] as string))[0], ['touch.resolved', { outcome: 'sent' }])
    const second = await sender.call('POST', `${path}/resolve`, { outcome: 'again' })
    deepEqual([second.status, second.body.code, second.body.state], [409, 'invalid_state', 'sent'])
  })

  it('queues a letter of a campaign again, for its runner to send', async () => {
    const sender = await givenSender(service)
    const { campaign, ids, runner, messageId } = await lettersTo(service, sender, 'sending')
    const path = `/campaigns/${campaign}/touches/${ids[0]}/resolve`
    const { body } = await sender.call('POST', path, { outcome: 'again' })
    deepEqual([body.state, body.reason, body.messageId], ['queued', null, messageId])
    equal((await signalled(runner)).includes('changed'), true)
  })

  it('knows no letters of other campaigns and workspaces', async () => {
    const [one, other] = [await givenSender(service), await givenSender(service)]
    const { campaign, ids } = await lettersTo(service, one, 'sending')
    const theirs = await lettersTo(service, other, 'sending')
    const body = { outcome: 'sent' }
    for (const path of [
      `/campaigns/${theirs.campaign}/touches/${theirs.ids[0]}`,
      `/campaigns/${campaign}/touches/${theirs.ids[0]}`,
      `/campaigns/${campaign}/touches/${newId('tch')}`,
      `/messages/${await unconfirmed(other)}`,
      `/messages/${ids[0]}`,
    ])
      equal((await one.call('POST', `${path}/resolve`, body)).status, 404, path)
  })
})
