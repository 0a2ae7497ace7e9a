import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

type Sender = Awaited<ReturnType<typeof givenSender>>

describe('POST /messages/{id}/again', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** An answer of ours with a file and a copy, which the server refused. */
  async function failed(sender: Sender, more: object = {}) {
    const { conversation } = await sender.receive()
    const { body } = await sender.call('POST', `/conversations/${conversation}/messages`, {
      ...{ text: 'Hello.', html: '<p>Hello.</p><img src="cid:a.png">', cc: ['kim@client.example'] },
      files: [{ name: 'a.png', type: 'image/png', content: 'iVBORw0KGgo=' }],
    })
    const failure = { state: 'failed' as const, reason: 'refused', code: '5.7.1', ...more }
    await service.db.updateTable('messages').set(failure).where('id', '=', body.id).execute()
    return body as { id: string; conversation: string; messageId: string; subject: string }
  }
  const again = (sender: Sender, id: string, options?: { key: string }) =>
    sender.call('POST', `/messages/${id}/again`, undefined, options)

  it('queues a new message with its words, files and recipients, once', async () => {
    const sender = await givenSender(service)
    const before = await failed(sender)
    const key = randomUUID()
    const { status, body, text } = await again(sender, before.id, { key })
    equal(status, 200, text)
    notEqual(body.id, before.id)
    notEqual(body.messageId, before.messageId)
    deepEqual(
      [body.state, body.to, body.cc, body.text, body.html, body.files, body.subject],
      ['queued', sender.email, ['kim@client.example'], 'Hello.', true, 1, before.subject],
    )
    deepEqual((await again(sender, before.id, { key })).body, body)
    const filesOf = async (id: string) =>
      (await sender.call('GET', `/messages/${id}/files`)).body.files.map(
        ({ name, cid, size }: { name: string; cid: string; size: number }) => [name, cid, size],
      )
    deepEqual(await filesOf(body.id), await filesOf(before.id))
    const read = (await sender.call('GET', `/messages/${before.id}`)).body
    deepEqual([read.state, read.reason, read.again], ['failed', 'refused', body.id])
    const operation = await sender.call('GET', `/operations/${key}`)
    equal(operation.status, 200)
    const second = await again(sender, before.id)
    deepEqual([second.status, second.body.code], [409, 'invalid_state'])
    match(second.body.detail, new RegExp(body.id))
    const [entry] = (await sender.call('GET', '/audit')).body.entries
    deepEqual(
      [entry.action, entry.resource, entry.after.again],
      ['message.queued', body.id, before.id],
    )
  })

  it('says why it does not send what has not failed, or is none of its messages', async () => {
    const sender = await givenSender(service)
    const { conversation, message } = await sender.receive()
    const path = `/conversations/${conversation}/messages`
    const { body } = await sender.call('POST', path, { text: 'Hello.' })
    for (const [id, state] of [
      [body.id, 'queued'],
      [message, 'received'],
    ]) {
      const answer = await again(sender, id)
      deepEqual([answer.status, answer.body.code, answer.body.state], [409, 'invalid_state', state])
    }
    const stranger = await givenSender(service)
    const { id } = await failed(sender)
    equal((await again(stranger, id)).status, 404)
    equal((await again(sender, 'msg_unknown')).status, 404)
    const token = await sender.tokenWith(['inbox:read', 'inbox:write', 'campaigns:write'])
    equal((await sender.call('POST', `/messages/${id}/again`, undefined, { token })).status, 403)
  })

  it('sends nothing to addresses that must not be written to', async () => {
    const sender = await givenSender(service)
    for (const address of ['kim@client.example', sender.email]) {
      const { id } = await failed(sender)
      const { body } = await sender.call('POST', '/suppressions', { address })
      const refused = await again(sender, id)
      deepEqual([refused.status, refused.body.code], [422, 'recipient_suppressed'], address)
      await sender.call('DELETE', `/suppressions/${body.id}`)
    }
  })

  it('leaves letters of campaigns to their own address', async () => {
    const sender = await givenSender(service)
    const { ids } = await lettersTo(service, sender)
    const { id } = await failed(sender, { touch: ids[0] })
    const answer = await again(sender, id)
    equal(answer.status, 409)
    match(answer.body.detail, new RegExp(`/touches/${ids[0]}/again`))
  })
})
