import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import type { Inbound } from '../../../db/inbox/inbound.ts'
import { eventsOf } from '../../support/events.ts'
import { givenConversation } from '../../support/given.ts'
import { givenSender } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

const hour = 60 * 60 * 1000

describe('a message that comes in', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('opens a conversation that waits for our answer', async () => {
    const { receive, read, messages, person, email } = await givenSender(service)
    const got = await receive({
      files: [{ name: 'offer.pdf', type: 'application/pdf', content: Buffer.from('%PDF') }],
    })
    equal(got.fresh, true)
    const conversation = await read(got.conversation)
    deepEqual(
      [
        conversation.person,
        conversation.kind,
        conversation.subject,
        conversation.state,
        conversation.waitingFor,
      ],
      [person, 'email', 'A cold room', 'open', 'us'],
    )
    const [message] = await messages(got.conversation)
    equal(message.id, got.message)
    deepEqual(
      [message.direction, message.sender, message.automated, message.files, message.state],
      ['inbound', { name: 'Cleo Marsh', handle: email }, false, 1, 'received'],
    )
  })

  it('names a card without a name when its person first writes, and never again', async () => {
    const { receive, call, email } = await givenSender(service)
    const to = `new-${email}`
    const opened = await call('POST', '/conversations', {
      ...{ to, text: 'Hello.', via: (await call('GET', '/channels')).body.channels[0].id },
    })
    equal(opened.status, 200, opened.text)
    const { person } = opened.body.conversation
    const nameOf = async () => (await call('GET', `/people/${person}`)).body.name
    const nameAfter = async (name: string, more: Partial<Inbound> = {}) => {
      await receive({ from: { name, address: to.toUpperCase() }, ...more })
      return nameOf()
    }
    equal(await nameAfter('Forged', { suspect: true }), '')
    equal(await nameAfter(''), '')
    equal(await nameAfter(to), '')
    equal(await nameAfter('Dana Reyes'), 'Dana Reyes')
    equal(await nameAfter('D. Reyes'), 'Dana Reyes')
    await call('PATCH', `/people/${person}`, { name: '' })
    equal(await nameAfter('Dana Reyes'), '')
  })

  it('keeps its HTML, all its recipients, and the names of inline images', async () => {
    const { receive, call } = await givenSender(service)
    const { message } = await receive({
      html: '<p>\0Hello \ud800<img src="cid:logo@client"></p>',
      toAddresses: ['ana@us.example', 'ben@\0us.example'],
      cc: ['cleo@other.example'],
      files: [
        { name: 'logo.png', type: 'image/png', content: Buffer.from('x'), cid: 'logo@client' },
        { name: 'offer.pdf', type: 'application/pdf', content: Buffer.from('%PDF') },
      ],
    })
    const row = await service.db
      .selectFrom('messages')
      .select(['html', 'toAddresses', 'cc', 'bcc'])
      .where('id', '=', message)
      .executeTakeFirstOrThrow()
    deepEqual(row, {
      html: '<p>Hello \ufffd<img src="cid:logo@client"></p>',
      toAddresses: ['ana@us.example', 'ben@ us.example'],
      cc: ['cleo@other.example'],
      bcc: [],
    })
    const { files } = (await call('GET', `/messages/${message}/files`)).body
    deepEqual(
      files.map(({ name, cid }: { name: string; cid: string | null }) => [name, cid]),
      [
        ['logo.png', 'logo@client'],
        ['offer.pdf', null],
      ],
    )
  })

  it('keeps only the text where the HTML is too long', async () => {
    const { receive } = await givenSender(service)
    const { message } = await receive({ html: 'ä'.repeat(600_000) })
    const { text, html } = await service.db
      .selectFrom('messages')
      .select(['text', 'html'])
      .where('id', '=', message)
      .executeTakeFirstOrThrow()
    deepEqual([text, html], ['Hello.', null])
  })

  it('is stored once, however often and from however many sides it arrives', async () => {
    const { receive, messages } = await givenSender(service)
    const externalId = '<same@client>'
    const first = await receive({ externalId })
    const again = await receive({ externalId })
    deepEqual(again, { ...first, fresh: false })
    const many = await givenSender(service)
    const all = await Promise.all(Array.from({ length: 10 }, () => many.receive({ externalId })))
    equal(new Set(all.map(({ message }) => message)).size, 1)
    equal(all.filter(({ fresh }) => fresh).length, 1)
    equal((await messages(first.conversation)).length, 1)
  })

  it('creates a card for an unknown sender, once', async () => {
    const { receive, read, call } = await givenSender(service)
    const from = { name: 'Nina New', address: 'Nina@New.example' }
    const all = await Promise.all([receive({ from }), receive({ from, subject: 'Other' })])
    const [one, other] = await Promise.all(all.map(({ conversation }) => read(conversation)))
    equal(one.person, other.person)
    notEqual(one.id, other.id)
    const { body } = await call('GET', `/people/${one.person}`)
    deepEqual([body.name, body.email], ['Nina New', 'nina@new.example'])
  })

  it('joins the conversation it refers to, or else the one of the same person, account and subject', async () => {
    const { receive, connections } = await givenSender(service)
    const first = await receive({ externalId: '<first@client>', subject: 'Price' })
    const reply = await receive({
      subject: 'Something else',
      references: ['<gone>', '<first@client>'],
    })
    const same = await receive({ subject: 'AW: Re:  price ' })
    for (const one of [reply, same]) equal(one.conversation, first.conversation)
    const fresh = await receive({ subject: 'Delivery' })
    const elsewhere = await receive({ subject: 'Re: Price', connection: connections[1] })
    equal(new Set([first, fresh, elsewhere].map(({ conversation }) => conversation)).size, 3)
  })

  it('joins the conversation it answers even from an unknown address, and creates no card', async () => {
    const { receive, call } = await givenSender(service)
    const first = await receive({ externalId: '<q@client>' })
    const before = (await call('GET', '/people')).body.people.length
    const from = { name: 'A colleague', address: 'colleague@client.example' }
    const reply = await receive({ from, references: ['<q@client>'] })
    equal(reply.conversation, first.conversation)
    equal((await call('GET', '/people')).body.people.length, before)
  })

  it('counts the wait from the first unanswered message', async () => {
    const { receive, read, mail } = await givenSender(service)
    const at = new Date(service.clock.now().getTime() - 5 * hour)
    const first = await receive({ at })
    await receive({ subject: mail().subject })
    const { waitingSince, lastMessageAt } = await read(first.conversation)
    equal(waitingSince, at.toISOString())
    ok(Date.parse(lastMessageAt) > at.getTime())
  })

  it('notifies the member whose account it came to when nobody owns the conversation', async () => {
    const { receive, call, id } = await givenSender(service)
    const other = newId('mem')
    await service.db
      .insertInto('members')
      .values({
        id: other,
        workspace: id,
        name: 'Kim',
        email: `${other}@us.example`,
        jobTitle: '',
        zone: '',
        signature: '',
      })
      .execute()
    await receive({ automated: true, text: 'I am away.' })
    const { conversation } = await receive()
    const notified = async () => (await call('GET', '/notifications')).body.notifications.length
    equal(await notified(), 1)
    await call('PATCH', `/conversations/${conversation}`, { owner: other })
    await receive()
    equal(await notified(), 1)
  })

  it('reopens a closed conversation and notifies the owner; an automatic message does neither', async () => {
    const { receive, read, call, member } = await givenSender(service)
    const { conversation } = await receive()
    const told = async () =>
      (await call('GET', '/notifications')).body.notifications
        .filter(({ read }: { read: boolean }) => !read)
        .map(({ kind, conversation }: Record<string, string>) => [kind, conversation])
    await call('POST', '/notifications/read', {})
    await call('PATCH', `/conversations/${conversation}`, { closed: true, owner: member })
    await receive({ automated: true, text: 'I am away.' })
    equal((await read(conversation)).state, 'closed')
    deepEqual(await told(), [])
    await receive()
    const { state, reason } = await read(conversation)
    deepEqual([state, reason], ['open', null])
    deepEqual(await told(), [['message.received', conversation]])
    equal((await eventsOf(call, ({ kind }) => kind === 'message.received', 3)).length, 3)
    equal((await eventsOf(call, ({ kind }) => kind === 'conversation.reopened', 1)).length, 1)
  })

  it('ends a snooze and signals its workflow', async () => {
    const { receive, read, call, id } = await givenSender(service)
    const { conversation } = await receive()
    const snoozeUntil = new Date(service.clock.now().getTime() + 48 * hour).toISOString()
    await call(
      'PATCH',
      `/conversations/${conversation}`,
      { snoozeUntil, why: 'Later' },
      { key: 'nap' },
    )
    await receive({ automated: true })
    equal((await read(conversation)).state, 'snoozed')
    await receive()
    const { state, snoozeUntil: until, why } = await read(conversation)
    deepEqual([state, until, why], ['open', null, null])
    const signals = await service.db
      .selectFrom('outbox')
      .select('signal')
      .where('workflowId', '=', `${id}:nap`)
      .where('kind', '=', 'signal')
      .execute()
    equal(signals.length, 1)
  })

  it('marks an unmarked conversation as out of office, until somebody writes', async () => {
    const { receive, read } = await givenSender(service)
    const away = {
      automated: true,
      subject: 'Automatic reply: Hello',
      text: 'I am away.',
      outOfOfficeUntil: new Date(service.clock.now().getTime() + 24 * hour),
    }
    const externalId = `<${randomUUID()}@client>`
    const { conversation } = await receive({ externalId })
    const answered = async (more: Partial<Inbound>) => {
      const given = await receive({ references: [externalId], ...more })
      equal(given.conversation, conversation)
      const { intent, importance } = await read(conversation)
      return [intent, importance]
    }
    deepEqual(await answered({ automated: true, text: 'What does it cost?' }), ['other', 'normal'])
    deepEqual(await answered(away), ['out_of_office', 'low'])
    deepEqual(await answered({ text: 'I am back.' }), ['other', 'normal'])
    deepEqual(await answered({ text: 'What does it cost?' }), ['quote', 'high'])
    deepEqual(await answered(away), ['quote', 'high'])
  })

  it('is announced under the known name of the person, whatever name the mail gives', async () => {
    const { receive, call, email } = await givenSender(service)
    const texts = async (): Promise<string[]> =>
      (await call('GET', '/notifications')).body.notifications.map(
        ({ text }: { text: string }) => text,
      )
    await receive({ from: { name: '', address: email } })
    deepEqual(await texts(), ['Cleo has written.'])
    await receive({ from: { name: 'The Boss', address: email } })
    deepEqual(await texts(), ['Cleo has written.', 'Cleo has written.'])
  })

  it('accepts any text and address, and recognizes a message that is already stored', async () => {
    const { receive, messages, connections, id, person, email } = await givenSender(service)
    const odd = await receive({
      text: 'a\0b\ud800',
      subject: `Re: ${'x'.repeat(5000)}`,
      from: { name: '\0', address: 'no address' },
      externalId: 'odd\0id',
    })
    const [message] = await messages(odd.conversation)
    equal(message.text, 'ab\ufffd')
    equal(
      (await receive({ externalId: 'odd\0id', from: { name: '', address: 'no address' } })).fresh,
      false,
    )
    const again = await receive({ from: { name: '', address: 'NO address' }, subject: 'More' })
    ok(again.fresh)
    const at = service.clock.now()
    const known = await givenConversation(service.db, id, {
      person,
      connection: connections[0],
      from: email,
      at,
    })
    const { messageId } = await service.db
      .selectFrom('messages')
      .select('messageId')
      .where('conversation', '=', known)
      .executeTakeFirstOrThrow()
    deepEqual((await receive({ externalId: messageId as string })).conversation, known)
  })
})
