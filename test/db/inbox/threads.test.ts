import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

const day = 24 * 60 * 60 * 1000

describe('a message that refers to nothing', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const ago = (days: number) => new Date(service.clock.now().getTime() - days * day)
  /** Whether a second mail of the same person joins the conversation of the first. */
  async function joins(first: string, second: string, days = 3) {
    const { receive } = await givenSender(service)
    const { conversation } = await receive({ subject: first, at: ago(days) })
    return (await receive({ subject: second })).conversation === conversation
  }

  const joining: [first: string, second: string][] = [
    ['Cold room', 'Cold room'],
    ['Cold room', 'R: Cold room'],
    ['Cold room', 'Rif: COLD  ROOM'],
    ['Cold room', 'Antwort: Cold room'],
    ['Cold room', '回复：Cold room'],
    ['AW: Cold room', 'RE: WG: Cold room'],
    ['Invoice 4711', 'Re: Invoice 4711'],
  ]
  for (const [first, second] of joining)
    it(`“${second}” joins “${first}” within some weeks`, async () =>
      equal(await joins(first, second), true))

  const apart: [first: string, second: string, days: number][] = [
    ['Cold room', 'Re: Cold room', 60],
    ['Invoice', 'Invoice', 420],
    ['Invoice', 'Re: Invoice', 1],
    ['', '', 1],
    ['Re:', '(no subject)', 1],
    ['Hello', 'Hello', 1],
  ]
  for (const [first, second, days] of apart)
    it(`“${second}” does not join “${first}” of ${days} days ago`, async () =>
      equal(await joins(first, second, days), false))

  it('joins a conversation that goes on, however long ago it began', async () => {
    const { receive } = await givenSender(service)
    const { conversation } = await receive({ subject: 'Cold room', at: ago(100) })
    for (const days of [70, 40, 10])
      equal((await receive({ subject: 'Re: Cold room', at: ago(days) })).conversation, conversation)
  })

  it('never joins or reopens a conversation that was closed as spam', async () => {
    const { receive, call, read } = await givenSender(service)
    const { conversation } = await receive({ subject: 'Cold room' })
    await call('PATCH', `/conversations/${conversation}`, { closed: true, reason: 'spam' })
    notEqual((await receive({ subject: 'Cold room' })).conversation, conversation)
    const { state, reason } = await read(conversation)
    deepEqual([state, reason], ['closed', 'spam'])
  })

  it('still ends the letters of its writer', async () => {
    const given = await givenSender(service)
    const { states } = await lettersTo(service, given)
    await given.receive({ subject: 'Re: Hello' })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })
})
