import { deepEqual, equal } from 'node:assert/strict'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a message with signs of a program', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const kinds = async ({ call }: Awaited<ReturnType<typeof givenSender>>) =>
    (await call('GET', '/notifications')).body.notifications.map(
      ({ kind }: { kind: string }) => kind,
    )

  it('is automatic when it answers nothing', async () => {
    const given = await givenSender(service)
    const { states } = await lettersTo(service, given)
    await given.receive({ weak: true, references: ['<theirs@client.example>'] })
    deepEqual(await states(), ['sent', 'queued', 'review'])
    deepEqual(await kinds(given), [])
  })

  it("is a person's when it refers to a letter of ours", async () => {
    const given = await givenSender(service)
    const { states, messageId } = await lettersTo(service, given, 'sending')
    await given.receive({ weak: true, references: [messageId] })
    deepEqual((await states()).slice(1), ['failed replied', 'failed replied'])
    deepEqual(await kinds(given), ['message.received'])
  })

  it("is a person's in doubt when it has the subject of our letter, and no reference to it", async () => {
    const given = await givenSender(service)
    const { states } = await lettersTo(service, given)
    const { conversation } = await given.receive({ automated: true, subject: 'A cold room' })
    await given.call('POST', `/conversations/${conversation}/messages`, { text: 'Hello.' })
    await given.receive({ weak: true, subject: 'Something else' })
    deepEqual(await states(), ['sent', 'queued', 'review'])
    await given.receive({ weak: true, subject: '[#71] AW: a cold room' })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    deepEqual(await kinds(given), ['reply.unclear'])
  })

  it('asks the owner that the rules have just found', async () => {
    const given = await givenSender(service)
    const { call, receive } = given
    const rule = { do: 'add', field: 'sender', value: '@client.example', member: given.member }
    equal((await call('POST', '/routing', rule)).status, 200)
    equal((await call('POST', '/routing', { do: 'switch', enabled: true })).status, 200)
    await receive({ unclear: true })
    deepEqual((await kinds(given)).sort(), ['conversation.assigned', 'reply.unclear'])
  })
})
