import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

// What the call itself decides; nothing is sent here.

describe('queueing a message', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A conversation with a client of one address, and what is asked of it. */
  async function talk(given: { emails?: string[]; from?: string } = {}) {
    const { db, clock } = service
    const workspace = await service.workspace()
    const emails = given.emails ?? [`cleo-${randomUUID().slice(0, 8)}@client.example`]
    const [first = ''] = emails
    const [person = ''] = await givenPeople(
      db,
      workspace.id,
      [{ name: 'Cleo', email: first }],
      clock.now(),
    )
    for (const [i, email] of emails.slice(1).entries())
      await db
        .insertInto('addresses')
        .values({
          workspace: workspace.id,
          kind: 'email',
          value: email.toLowerCase(),
          given: email,
          person,
          position: i + 1,
        })
        .execute()
    const conversation = await givenConversation(db, workspace.id, {
      person,
      connection: workspace.connections[0],
      at: clock.now(),
      from: given.from ?? first,
    })
    const path = `/conversations/${conversation}/messages`
    return {
      ...workspace,
      conversation,
      person,
      path,
      email: first,
      send: (body: object, options = {}) =>
        workspace.call('POST', path, { text: 'Hello.', ...body }, options),
      list: async () => (await workspace.call('GET', path)).body.messages,
    }
  }
  const at = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString()
  const pointers = (body: { errors: { pointer: string; code: string }[] }) =>
    body.errors.map(({ pointer, code }) => `${pointer} ${code}`)

  it('answers every member, and can be read at once under the same id', async () => {
    const { send, list, email, conversation, connections } = await talk()
    const { status, body } = await send({})
    equal(status, 200)
    const { id, messageId, ...rest } = body
    match(id, /^msg_/)
    match(messageId, new RegExp(`^<${id}@`))
    deepEqual(rest, {
      state: 'queued',
      sendAt: null,
      to: email,
      conversation,
      text: 'Hello.',
      via: connections[0],
      reason: null,
      sentAt: null,
      subject: 'Re: A question',
      cc: [],
      bcc: [],
      html: false,
      files: 0,
    })
    const [newest, inbound] = await list()
    const { at: asked, ...shown } = newest
    ok(Math.abs(Date.parse(asked) - service.clock.now().getTime()) < 5000)
    deepEqual(shown, {
      id,
      conversation,
      direction: 'outbound',
      subject: 'Re: A question',
      text: 'Hello.',
      automated: false,
      agent: null,
      voice: null,
      files: 0,
      filesRemoved: 0,
      removedAt: null,
      state: 'queued',
      reason: null,
      code: null,
      folder: null,
      suspect: false,
      report: null,
      invitation: null,
      replyTo: [],
      via: null,
      to: [email],
      cc: [],
      bcc: [],
      html: false,
      inReplyTo: inbound.id,
      refused: [],
      sender: { name: 'Ana Ruiz', handle: newest.sender.handle },
    })
    match(newest.sender.handle, /^ana-.*@us\.example$/)
  })

  describe('sendAt', () => {
    it('is any future moment with an offset, read back in UTC', async () => {
      const { send, list } = await talk()
      for (const given of [
        '2030-06-01T12:00:00+02:00',
        '2030-06-01T10:00:00Z',
        '9999-12-31T23:59:59Z',
      ]) {
        const { status, body } = await send({ sendAt: given })
        equal(status, 200)
        equal(body.sendAt, new Date(given).toISOString())
        const shown = (await list()).find(({ id }: { id: string }) => id === body.id)
        equal(shown.at, body.sendAt)
      }
    })

    it('means now up to a minute in the past, behind what is queued', async () => {
      const { send, list } = await talk()
      const first = await send({ text: 'first' })
      const second = await send({ text: 'second', sendAt: at(-50_000) })
      equal(second.status, 200)
      deepEqual(
        (await list()).slice(0, 2).map(({ id }: { id: string }) => id),
        [second.body.id, first.body.id],
      )
    })

    it('is refused further back, without an offset, and when it is not a time', async () => {
      const { send } = await talk()
      const late = await send({ sendAt: at(-70_000) })
      equal(`${late.status} ${late.body.code}`, '422 time_in_past')
      deepEqual(pointers(late.body), ['/sendAt time_in_past'])
      for (const sendAt of [
        '9999-12-31T23:59:59-01:00',
        '2030-06-01T12:00:00',
        '2030-06-01',
        'tomorrow',
        1_900_000_000,
        '',
      ]) {
        const { status, body } = await send({ sendAt })
        equal(`${status} ${body.code}`, '422 validation_failed')
        equal(body.errors[0].pointer, '/sendAt')
      }
    })

    it('is absent when it is null, like to and via', async () => {
      const { send } = await talk()
      const { status, body } = await send({ sendAt: null, to: null, via: null })
      equal(status, 200)
      equal(body.sendAt, null)
    })
  })

  describe('to', () => {
    it("is any address of the person or the conversation, but somebody else's only when asked for", async () => {
      const { send } = await talk({
        emails: ['one@client.example', 'Two@client.example'],
        from: 'third@elsewhere.example',
      })
      const unasked = await send({})
      equal(`${unasked.status} ${unasked.body.code}`, '422 contact_ambiguous')
      equal((await send({ to: ' TWO@client.example ' })).body.to, 'Two@client.example')
      equal((await send({ to: 'third@elsewhere.example' })).body.to, 'third@elsewhere.example')
      const { status, body } = await send({ to: 'nobody@client.example' })
      equal(`${status} ${body.code}`, '422 validation_failed')
      deepEqual(pointers(body), ['/to unknown_address'])
    })

    it('is also an address that took part as one of several recipients, but no account of ours', async () => {
      const { send, conversation, call, id } = await talk()
      const [ours] = (await call('GET', '/channels')).body.channels
      await service.db
        .updateTable('messages')
        .set({
          cc: ['Boss@client.example', ours.account],
          toAddresses: [ours.account, 'office@client.example'],
        })
        .where('conversation', '=', conversation)
        .execute()
      equal((await send({ to: ' boss@CLIENT.example ' })).body.to, 'Boss@client.example')
      equal((await send({ to: 'office@client.example' })).body.to, 'office@client.example')
      await send({ bcc: ['unseen@client.example'] })
      for (const to of [ours.account, 'unseen@client.example', 'nobody@client.example'])
        deepEqual(pointers((await send({ to })).body), ['/to unknown_address'])
      await service.db
        .insertInto('suppressions')
        .values({
          ...{ workspace: id, address: 'boss@client.example', reason: 'bounce' },
          at: service.clock.now(),
        })
        .execute()
      equal((await send({ to: 'boss@client.example' })).body.code, 'recipient_suppressed')
    })

    it('is never a mail server that reported back, but may be the sender of an automatic reply', async () => {
      const { send, conversation, email, connections, id } = await talk()
      const report = (senderHandle: string, seconds: number) =>
        service.db
          .insertInto('messages')
          .values({
            id: newId('msg'),
            workspace: id,
            conversation,
            connection: connections[0],
            direction: 'inbound',
            state: 'received',
            automated: true,
            senderHandle,
            senderName: '',
            toAddress: 'ana@us.example',
            subject: 'Re',
            text: 'Away.',
            at: new Date(service.clock.now().getTime() + seconds * 1000),
          })
          .execute()
      await report('mailer-daemon@mx.example', 1)
      equal((await send({})).body.to, email)
      await report(email, 2)
      equal((await send({})).body.to, email)
      await service.db
        .insertInto('suppressions')
        .values({ workspace: id, address: email, reason: 'bounce', at: service.clock.now() })
        .execute()
      const { status, body } = await send({})
      equal(`${status} ${body.code}`, '422 recipient_suppressed')
    })

    it('is ambiguous only when nothing decides, and names the candidates', async () => {
      const emails = ['one@client.example', 'two@client.example']
      const { send, conversation, person, call } = await talk({ emails })
      const { name } = (await call('GET', `/people/${person}`)).body
      await service.db.deleteFrom('messages').where('conversation', '=', conversation).execute()
      const { status, body } = await send({})
      equal(`${status} ${body.code}`, '422 contact_ambiguous')
      deepEqual(
        body.candidates,
        emails.map((account) => ({ id: person, account, name })),
      )
      deepEqual(pointers(body), ['/to contact_ambiguous'])
      equal((await send({ to: 'two@client.example' })).body.to, 'two@client.example')
      // Now there is an address we last wrote to.
      equal((await send({})).body.to, 'two@client.example')
    })

    it('is refused when there is no address at all', async () => {
      const { send, conversation, person } = await talk()
      await service.db.deleteFrom('messages').where('conversation', '=', conversation).execute()
      await service.db.deleteFrom('addresses').where('person', '=', person).execute()
      const { status, body } = await send({})
      equal(`${status} ${body.code}`, '422 no_contact')
      deepEqual(pointers(body), ['/to no_contact'])
    })
  })

  describe('via', () => {
    it('is the mailbox of the conversation, or another by its id or account', async () => {
      const { send, connections, call } = await talk()
      const { channels } = (await call('GET', '/channels')).body
      const other = channels.find(({ id }: { id: string }) => id === connections[1])
      equal((await send({})).body.via, connections[0])
      equal((await send({ via: connections[1] })).body.via, connections[1])
      equal((await send({ via: other.account.toUpperCase() })).body.via, connections[1])
      const theirs = await service.workspace()
      for (const via of ['con_none', theirs.connections[0], 'x@us.example']) {
        const { status, body } = await send({ via })
        equal(`${status} ${body.code}`, '422 validation_failed')
        equal(body.errors[0].pointer, '/via')
      }
    })

    it('is ambiguous when the conversation has none and several fit', async () => {
      const { send, conversation, connections, call } = await talk()
      await service.db
        .updateTable('conversations')
        .set({ connection: null })
        .where('id', '=', conversation)
        .execute()
      const { status, body } = await send({})
      equal(`${status} ${body.code}`, '422 sender_ambiguous')
      const { channels } = (await call('GET', '/channels')).body
      equal(body.candidates.length, connections.length)
      for (const { id, account, name } of body.candidates) {
        ok(connections.includes(id) && name)
        equal(channels.find((one: { id: string }) => one.id === id).account, account)
      }
      equal((await send({ via: connections[1] })).status, 200)
    })
  })

  it('is refused for an address that complained, bounced or was suppressed by an operator, but not for one that unsubscribed', async () => {
    for (const [reason, wanted] of [
      ['complaint', '422 recipient_suppressed'],
      ['bounce', '422 recipient_suppressed'],
      ['operator', '422 recipient_suppressed'],
      ['unsubscribe', '200 undefined'],
    ] as const) {
      const { send, id, email } = await talk()
      await service.db
        .insertInto('suppressions')
        .values({ workspace: id, address: email.toLowerCase(), reason, at: service.clock.now() })
        .execute()
      const key = randomUUID()
      const reply = await send({}, { key })
      equal(`${reply.status} ${reply.body.code}`, wanted, reason)
      // The outcome of carrying it out stays its answer.
      const again = await send({}, { key })
      equal(again.text, reply.text)
      equal(again.headers.get('idempotent-replayed'), 'true')
    }
  })

  it('leaves one audit line and one start, and nothing for a repeat or a refusal', async () => {
    const { send, call, conversation, id } = await talk()
    const key = randomUUID()
    const { body } = await send({}, { key })
    await send({}, { key })
    await send({ to: 'nobody@client.example' })
    const { entries } = (await call('GET', '/audit')).body
    equal(entries.length, 1)
    const [{ action, resource, before, after, key: named }] = entries
    equal(`${action} ${resource} ${named}`, `message.queued ${body.id} ${key}`)
    equal(before, null)
    equal(after.conversation, conversation)
    const starts = await service.db
      .selectFrom('outbox')
      .select(['workflowType', 'workflowId', 'args'])
      .where('workflowId', 'like', `${id}:%`)
      .execute()
    deepEqual(starts, [
      {
        workflowType: 'sendMessage',
        workflowId: `${id}:${key}`,
        args: [{ operation: `${id}:${key}`, message: body.id, atOnce: true }],
      },
    ])
  })

  describe('DELETE /messages/{id}', () => {
    it('cancels a queued message once, and answers the message', async () => {
      const { send, call, list } = await talk()
      const { body: queued } = await send({ sendAt: at(3_600_000) })
      const first = await call('DELETE', `/messages/${queued.id}`)
      equal(first.status, 200)
      deepEqual(first.body, { ...queued, state: 'cancelled' })
      const again = await call('DELETE', `/messages/${queued.id}`)
      deepEqual(again.body, first.body)
      equal((await list())[0].state, 'cancelled')
      const { entries } = (await call('GET', '/audit')).body
      deepEqual(
        entries.map(({ action }: { action: string }) => action),
        ['message.cancelled', 'message.queued'],
      )
    })

    it('answers simultaneous cancellations alike, with one audit line', async () => {
      const { send, call } = await talk()
      const { body: queued } = await send({ sendAt: at(3_600_000) })
      const cancel = () => call('DELETE', `/messages/${queued.id}`)
      for (const { status, body } of await Promise.all(Array.from({ length: 12 }, cancel)))
        deepEqual([status, body], [200, { ...queued, state: 'cancelled' }])
      const { entries } = (await call('GET', '/audit')).body
      equal(entries.length, 2)
    })

    it('is refused for a message that came in or has been sent', async () => {
      const { send, call, list } = await talk()
      const [inbound] = await list()
      const { body: queued } = await send({})
      await service.db
        .updateTable('messages')
        .set({ state: 'sent' })
        .where('id', '=', queued.id)
        .execute()
      for (const [id, state] of [
        [inbound.id, 'received'],
        [queued.id, 'sent'],
      ]) {
        const { status, body } = await call('DELETE', `/messages/${id}`)
        equal(`${status} ${body.code} ${body.state}`, `409 invalid_state ${state}`)
        deepEqual(body.allowed, [])
      }
      equal((await call('DELETE', `/messages/${newId('msg')}`)).status, 404)
    })
  })
})
