import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

const monday = new Date('2026-11-23T08:00:00Z')
const later = new Date('2026-11-23T08:00:07Z')

describe('two mails with one Message-ID', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('are two if they have different dates or senders, whoever comes first, also at once', async () => {
    const { receive, mail, messages } = await givenSender(service)
    const { externalId, from } = mail()
    const kim = { name: 'Kim', address: `kim-${randomUUID()}@client.example` }
    const [first, second] = await Promise.all([
      receive({ externalId, dated: monday, text: 'First.' }),
      receive({ externalId, dated: later, text: 'Second.' }).catch(() =>
        receive({ externalId, dated: later, text: 'Second.' }),
      ),
    ])
    const third = await receive({ externalId, dated: monday, from: kim, text: 'Third.' })
    deepEqual([first.fresh, second.fresh, third.fresh], [true, true, true])
    const shown = await messages(first.conversation)
    deepEqual(shown.map(({ text }: { text: string }) => text).toSorted(), ['First.', 'Second.'])
    for (const [one, dated, sender] of [
      [first, monday, from],
      [second, later, from],
      [third, monday, kim],
    ] as const) {
      const again = await receive({ externalId, dated, from: sender })
      deepEqual([again.fresh, again.message], [false, one.message])
    }
  })

  it('are one if the other is a copy of a list, or says no date', async () => {
    const { receive, mail, email } = await givenSender(service)
    const { externalId } = mail()
    const from = { name: 'Cleo', address: email.toUpperCase() }
    const first = await receive({ externalId, dated: monday })
    for (const more of [{ dated: monday, subject: '[list] Hello', from }, { dated: null }])
      equal((await receive({ externalId, ...more })).message, first.message)
  })

  it('are two if one is our letter, which the other answers', async () => {
    const sender = await givenSender(service)
    const { states } = await lettersTo(service, sender)
    const { conversation } = await sender.receive()
    const path = `/conversations/${conversation}/messages`
    const { body } = await sender.call('POST', path, { text: 'Our answer.' })
    await service.db
      .updateTable('messages')
      .set({ state: 'sent', sentAt: service.clock.now() })
      .where('id', '=', body.id)
      .execute()
    const answer = await sender.receive({
      ...{ externalId: body.messageId, dated: monday, subject: 'Another subject' },
    })
    equal(answer.fresh, true)
    notEqual(answer.message, body.id)
    equal(answer.conversation, conversation)
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('are one if the other is our letter that came back to its account', async () => {
    const sender = await givenSender(service)
    const { conversation } = await sender.receive()
    const path = `/conversations/${conversation}/messages`
    const { body } = await sender.call('POST', path, { text: 'Our answer.' })
    const { senderHandle } = await service.db
      .updateTable('messages')
      .set({ state: 'sent', dated: monday, sentAt: service.clock.now() })
      .where('id', '=', body.id)
      .returning('senderHandle')
      .executeTakeFirstOrThrow()
    const from = { name: 'Ana', address: senderHandle }
    const back = await sender.receive({ externalId: body.messageId, dated: monday, from })
    deepEqual([back.fresh, back.message], [false, body.id])
  })
})
