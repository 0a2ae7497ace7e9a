import { deepEqual, equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// A stop holds for a mailbox, under whatever spelling of its address it is written to. Nothing else does.

describe('a mailbox with several spellings of its address', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const same: [one: string, other: string][] = [
    ['so.fia@googlemail.com', 'sofia@gmail.com'],
    ['s.o.f.i.a+news@gmail.com', 'SoFia@GoogleMail.com'],
    ['sofia+a+b@azahar.example', 'sofia@azahar.example'],
    ['so-fia@yandex.ru', 'so.fia@ya.ru'],
    ['so_fia@protonmail.com', 'sofia@proton.me'],
    ['sofia@me.com', 'sofia@icloud.com'],
  ]
  const others: [one: string, other: string][] = [
    ['so.fia@azahar.example', 'sofia@azahar.example'],
    ['sofia@outlook.com', 'sofia@hotmail.com'],
    ['so.fia@gmx.de', 'sofia@gmx.de'],
    ['so-fia@gmail.com', 'sofia@gmail.com'],
    ['+a@azahar.example', '+b@azahar.example'],
    ['4912345', '4912346'],
  ]
  const isSame = async (one: string, other: string) => {
    const { rows } = await sql<{ same: boolean }>`
      select mailbox_of(${one}) = mailbox_of(${other}) as same`.execute(service.db)
    return rows[0]?.same
  }
  for (const [one, other] of same)
    it(`is one: ${one} and ${other}`, async () => equal(await isSame(one, other), true))
  for (const [one, other] of others)
    it(`is two: ${one} and ${other}`, async () => equal(await isSame(one, other), false))

  /** A card with this address, which letters of a campaign go to. */
  async function given(email: string) {
    const sender = await givenSender(service)
    await service.db
      .updateTable('addresses')
      .set({ value: email, given: email })
      .where('person', '=', sender.person)
      .execute()
    const letters = await lettersTo(service, { ...sender, email })
    const suppressed = async (address: string) =>
      (await sender.call('GET', `/suppressions?address=${encodeURIComponent(address)}`)).body
        .suppressions.length as number
    return { ...sender, ...letters, email, suppressed }
  }
  const gmail = { name: 'Sofia', address: 'so.fia@gmail.com' }

  it('gets no further letter after a wish under another spelling, and makes no one card of two', async () => {
    const { receive, states, suppressed, email, call } = await given('sofia@googlemail.com')
    await receive({ from: gmail, subject: 'Re: x', text: 'Please unsubscribe me.' })
    deepEqual(await states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    deepEqual([await suppressed(email), await suppressed(gmail.address)], [1, 1])
    const { people } = (await call('GET', '/people')).body
    deepEqual(people.map((one: { emails: string[] }) => one.emails).sort(), [
      ['so.fia@gmail.com'],
      ['sofia@googlemail.com'],
    ])
  })

  it('gets no further letter after an answer under another spelling', async () => {
    const { receive, states } = await given('sofia+offers@azahar.example')
    await receive({ from: { name: 'Sofia', address: 'sofia@azahar.example' }, subject: 'Question' })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('is refused where an operator has suppressed another spelling', async () => {
    const { call, connections } = await givenSender(service)
    const address = { address: 'so.fia@gmail.com' }
    equal((await call('POST', '/suppressions', address)).status, 200)
    const opened = await call('POST', '/conversations', {
      ...{ to: 'sofia@googlemail.com', text: 'Hello Sofia.', via: connections[0] },
    })
    deepEqual([opened.status, opened.body.code], [422, 'recipient_suppressed'])
  })

  it('may still be written to under a spelling that has not bounced', async () => {
    const { call, connections, id } = await givenSender(service)
    await service.db
      .insertInto('suppressions')
      .values({
        ...{ id: `sup_${id}`, workspace: id, address: 'sofia+old@azahar.example' },
        ...{ reason: 'bounce', at: service.clock.now(), touch: null, evidence: null },
      })
      .execute()
    const opened = await call('POST', '/conversations', {
      ...{ to: 'sofia@azahar.example', text: 'Hello Sofia.', via: connections[0] },
    })
    equal(opened.status, 200, opened.text)
  })
})
