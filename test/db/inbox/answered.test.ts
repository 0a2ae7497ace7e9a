import { deepEqual, equal, ok } from 'node:assert/strict'
import { headOf } from '../../../activities/conversations/message-letter.ts'
import { claimOutgoing, type DueRow } from '../../../db/conversations/message-sending.ts'
import { referencesTo } from '../../../rules/outgoing.ts'
import { givenSender } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// What an answer takes from the message that it answers: subject, references and recipient.

const run = { firstExecutionRunId: 'a run', runId: 'a run' }

describe('an answer of ours', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given(more: object = {}) {
    const sender = await givenSender(service)
    const first = { subject: 'Cold room', externalId: '<one@client>', ...more }
    const { conversation, message } = await sender.receive(first)
    const path = `/conversations/${conversation}/messages`
    const reply = (body: object = {}) => sender.call('POST', path, { text: 'Yes.', ...body })
    return { ...sender, conversation, message, reply }
  }

  it('has the subject of the message that it answers', async () => {
    const { receive, reply, message } = await given()
    const again = { references: ['<one@client>'] }
    equal((await reply()).body.subject, 'Re: Cold room')
    await receive({ ...again, subject: 'Invoice 4711 is wrong' })
    equal((await reply()).body.subject, 'Re: Invoice 4711 is wrong')
    equal((await reply({ replyTo: message })).body.subject, 'Re: Cold room')
    await receive({ ...again, subject: 'AW: Lieferung' })
    equal((await reply()).body.subject, 'Re: Lieferung')
    await receive({ ...again, subject: '' })
    equal((await reply()).body.subject, 'Re: Cold room')
    equal((await reply({ subject: 'Other' })).body.subject, 'Other')
  })

  it('refers to what the message refers to that it answers, and to that one', async () => {
    const { receive, reply, message } = await given({
      references: ['<zero@client>', '<half@client>'],
    })
    const heads = async (body: object = {}) => {
      const { id } = (await reply(body)).body
      const now = service.clock.now()
      const due = await claimOutgoing(service.db, { operation: 'none', message: id }, run, now)
      const { inReplyTo, references } = headOf(due as DueRow, 'Ana', now)
      return [inReplyTo, ...references]
    }
    const one = ['<one@client>', '<zero@client>', '<half@client>', '<one@client>']
    deepEqual(await heads(), one)
    await receive({ externalId: '<two@client>', references: ['<one@client>'] })
    deepEqual(await heads(), ['<two@client>', '<one@client>', '<two@client>'])
    deepEqual(await heads({ replyTo: message }), one)
  })

  it('refers to the first and the nearest of very many', () => {
    const many = Array.from({ length: 900 }, (_, i) => `<${i}@client>`)
    const references = referencesTo('<last@client>', many)
    deepEqual([references.length, references[0], references[1]], [50, '<0@client>', '<852@client>'])
    equal(references.at(-1), '<last@client>')
  })

  it('goes where the message asks for answers, if that is an address of its person', async () => {
    const { reply, receive, call, person, email } = await given()
    const office = `office-${email}`
    equal((await call('PATCH', `/people/${person}`, { emails: [email, office] })).status, 200)
    const asks = (address: string) => ({
      replyTo: [{ name: '', address }],
      references: ['<one@client>'],
    })
    await receive(asks(office))
    equal((await reply()).body.to, office)
    await receive(asks(email))
    equal((await reply()).body.to, email)
  })

  it('goes to whom the message is from that it answers, or where that one asks for answers', async () => {
    const { reply, receive, call, person, email, message } = await given()
    const office = `office-${email}`
    equal((await call('PATCH', `/people/${person}`, { emails: [email, office] })).status, 200)
    const references = ['<one@client>']
    const second = await receive({ references, from: { name: 'Cleo', address: office } })
    deepEqual(
      [(await reply()).body.to, (await reply({ replyTo: message })).body.to],
      [office, email],
    )
    const asking = async (address: string) =>
      (await receive({ references, replyTo: [{ name: '', address }] })).message
    const [asked, elsewhere] = [await asking(office), await asking('billing@else.example')]
    await receive({ references })
    equal((await reply()).body.to, email)
    equal((await reply({ replyTo: asked })).body.to, office)
    equal((await reply({ replyTo: second.message })).body.to, office)
    deepEqual((await reply({ replyTo: elsewhere })).body.code, 'contact_ambiguous')
    // Nobody but the person is answered unless the call says so.
    const stranger = await receive({
      references,
      from: { name: 'X', address: 'x@else.example' },
    })
    equal((await reply({ replyTo: stranger.message })).body.to, email)
  })

  it('needs a recipient where the message asks for answers at an address of somebody else', async () => {
    const { reply, receive, email, conversation, messages } = await given()
    const elsewhere = 'billing@else.example'
    const replyTo = [{ name: 'Billing', address: elsewhere }]
    await receive({ replyTo, references: ['<one@client>'] })
    deepEqual((await messages(conversation))[0].replyTo, replyTo)
    const { status, body } = await reply()
    deepEqual([status, body.code], [422, 'contact_ambiguous'])
    const [known, unknown] = body.candidates
    ok(known.id.startsWith('per_') && known.name !== '')
    equal(known.account, email)
    deepEqual(unknown, { id: null, account: elsewhere, name: '' })
    for (const to of [email, elsewhere]) equal((await reply({ to })).body.to, to)
  })

  it('goes to the writer whom a group of ours names, wherever the group asks for answers', async () => {
    const { reply, receive, email, conversation, messages } = await given()
    const via = 'team@us.example'
    await receive({ via, replyTo: [{ name: '', address: via }], references: ['<one@client>'] })
    equal((await messages(conversation))[0].via, via)
    equal((await reply()).body.to, email)
  })

  it('is refused if its text shows nothing', async () => {
    const { reply } = await given()
    for (const text of ['\u200b', ' \u2060\u00ad\n', '\u3164'])
      deepEqual((await reply({ text })).body.errors?.[0]?.pointer, '/text')
    equal((await reply({ text: undefined, html: '<p>&#8203;</p>' })).status, 422)
  })
})
