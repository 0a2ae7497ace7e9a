import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { deliverTouchActivities } from '../../../activities/campaigns/deliver-touch.ts'
import { lockForClaim } from '../../../db/accounts/connections.ts'
import { findRefusal } from '../../../db/campaigns/touch-sending.ts'
import { findTouch, type TouchRow } from '../../../db/campaigns/touches.ts'
import type { Trx } from '../../../db/database.ts'
import { newId } from '../../../db/ids.ts'
import type { Inbound } from '../../../db/inbox/inbound.ts'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import { normalSubject } from '../../../db/inbox/thread.ts'
import { createLog } from '../../../telemetry/log.ts'
import { givenConversation, givenPeople, secretKey } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

const hour = 60 * 60 * 1000

describe('a message that comes in', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function room() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const { id, connections, call } = workspace
    const email = `cleo-${randomUUID()}@client.example`
    const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], clock.now())
    const mail = (more: Partial<Inbound> = {}): Inbound => ({
      workspace: id,
      connection: connections[0],
      externalId: `<${randomUUID()}@client>`,
      from: { name: 'Cleo Marsh', address: email },
      to: 'ana@us.example',
      subject: 'Hello',
      text: 'Hello.',
      at: clock.now(),
      references: [],
      files: [],
      automated: false,
      ...more,
    })
    const receive = (more: Partial<Inbound> = {}) =>
      db.transaction().execute((trx) => receiveMessage(trx, mail(more), clock.now()))
    const read = async (conversation: string) =>
      (await call('GET', `/conversations/${conversation}`)).body
    const messages = async (conversation: string) =>
      (await call('GET', `/conversations/${conversation}/messages`)).body.messages
    return { ...workspace, person, email, mail, receive, read, messages }
  }

  /** A letter of a running campaign that was sent an hour ago, and the two that are to follow. */
  async function written(
    given: Awaited<ReturnType<typeof room>>,
    state: 'sent' | 'sending' = 'sent',
  ) {
    const { db, clock } = service
    const now = clock.now()
    const hourAgo = new Date(now.getTime() - hour)
    const campaign = newId('cmp')
    const made = { createdAt: now, updatedAt: now, startedAt: hourAgo }
    await db
      .insertInto('campaigns')
      .values({
        id: campaign,
        workspace: given.id,
        name: 'C',
        goal: '',
        state: 'running',
        agent: given.agent,
        ...made,
        runEpoch: 1,
        runner: `${given.id}:runner-${campaign}`,
      })
      .execute()
    const messageId = `<${newId('tch')}@us.example>`
    const touches = ([state, 'queued', 'review'] as const).map((state, i) => ({
      id: newId('tch'),
      workspace: given.id,
      campaign,
      person: given.person,
      place: i + 1,
      state,
      dueAt: i === 0 ? hourAgo : new Date(now.getTime() + i * hour),
      createdAt: hourAgo,
      connection: given.connections[0],
      toAddress: given.email,
      subject: 'A cold room',
      ...(i === 0 && { messageId, claimedAt: hourAgo, claimedDay: '2026-11-23', attempt: 'a' }),
      ...(i === 0 && (state === 'sent' ? { sentAt: hourAgo } : { reason: 'unconfirmed' })),
    }))
    await db.insertInto('touches').values(touches).execute()
    const states = async () =>
      (
        await db
          .selectFrom('touches')
          .selectAll()
          .where('campaign', '=', campaign)
          .orderBy('place')
          .execute()
      ).map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
    const ids = touches.map(({ id }) => id)
    return { campaign, messageId, states, ids, runner: `${given.id}:runner-${campaign}` }
  }

  it('opens a conversation that waits for our answer', async () => {
    const { receive, read, messages, person, email } = await room()
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
      [person, 'email', 'Hello', 'open', 'us'],
    )
    const [message] = await messages(got.conversation)
    equal(message.id, got.message)
    deepEqual(
      [message.direction, message.sender, message.automated, message.files, message.state],
      ['inbound', { name: 'Cleo Marsh', handle: email }, false, 1, 'received'],
    )
  })

  it('is stored once, however often and from however many sides it arrives', async () => {
    const { receive, messages } = await room()
    const externalId = '<same@client>'
    const first = await receive({ externalId })
    const again = await receive({ externalId })
    deepEqual(again, { ...first, fresh: false })
    const many = await room()
    const all = await Promise.all(Array.from({ length: 10 }, () => many.receive({ externalId })))
    equal(new Set(all.map(({ message }) => message)).size, 1)
    equal(all.filter(({ fresh }) => fresh).length, 1)
    equal((await messages(first.conversation)).length, 1)
  })

  it('creates a card for an unknown sender, once', async () => {
    const { receive, read, call } = await room()
    const from = { name: 'Nina New', address: 'Nina@New.example' }
    const all = await Promise.all([receive({ from }), receive({ from, subject: 'Other' })])
    const [one, other] = await Promise.all(all.map(({ conversation }) => read(conversation)))
    equal(one.person, other.person)
    notEqual(one.id, other.id)
    const { body } = await call('GET', `/people/${one.person}`)
    deepEqual([body.name, body.email], ['Nina New', 'nina@new.example'])
  })

  it('joins the conversation it refers to, or else the one of the same person, account and subject', async () => {
    const { receive, connections } = await room()
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
    equal(normalSubject('Re[2]: FW: Antw:  A  b'), 'a b')
    equal(normalSubject('Reading list'), 'reading list')
  })

  it('joins the conversation it answers even from an unknown address, and creates no card', async () => {
    const { receive, call } = await room()
    const first = await receive({ externalId: '<q@client>' })
    const before = (await call('GET', '/people')).body.people.length
    const from = { name: 'A colleague', address: 'colleague@client.example' }
    const reply = await receive({ from, references: ['<q@client>'] })
    equal(reply.conversation, first.conversation)
    equal((await call('GET', '/people')).body.people.length, before)
  })

  it('counts the wait from the first unanswered message', async () => {
    const { receive, read, mail } = await room()
    const at = new Date(service.clock.now().getTime() - 5 * hour)
    const first = await receive({ at })
    await receive({ subject: mail().subject })
    const { waitingSince, lastMessageAt } = await read(first.conversation)
    equal(waitingSince, at.toISOString())
    ok(Date.parse(lastMessageAt) > at.getTime())
  })

  it('notifies the member whose account it came to when nobody owns the conversation', async () => {
    const { receive, call, id } = await room()
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
    const { receive, read, call, member } = await room()
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
    const { events } = (await call('GET', '/events')).body
    const kinds = events.map(({ kind }: { kind: string }) => kind)
    equal(kinds.filter((kind: string) => kind === 'message.received').length, 3)
    equal(kinds.filter((kind: string) => kind === 'conversation.reopened').length, 1)
  })

  it('ends a snooze and signals its workflow', async () => {
    const { receive, read, call, id } = await room()
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

  it('stops the remaining letters of a campaign that has written to the sender, and wakes its runner', async () => {
    const given = await room()
    const { states, messageId, runner } = await written(given)
    await given.receive({ references: [messageId] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    const signals = await service.db
      .selectFrom('outbox')
      .select('id')
      .where('workflowId', '=', runner)
      .execute()
    equal(signals.length, 1)
  })

  it('stops them from any conversation and from any address of the person', async () => {
    const given = await room()
    const { states } = await written(given)
    await given.receive({ subject: 'Nothing to do with it', connection: given.connections[1] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('does not stop letters when it is automatic, or when it is older than they are', async () => {
    const given = await room()
    const { states, messageId } = await written(given)
    await given.receive({ references: [messageId], automated: true })
    await given.receive({ at: new Date(service.clock.now().getTime() - 3 * hour) })
    deepEqual(await states(), ['sent', 'queued', 'review'])
  })

  it('prevails over a simultaneous claim, and waits for one that was first', async () => {
    const { db, clock } = service
    const given = await room()
    const { states, ids } = await written(given)
    // In an existing conversation and on another account: otherwise the reference alone would lock the person or the account.
    const elsewhere = { connection: given.connections[1] }
    await given.receive({ ...elsewhere, automated: true })
    const touch = (await findTouch(db, ids[1] ?? '')) as TouchRow
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let received = () => {}
    const inHand = new Promise<void>((resolve) => {
      received = resolve
    })
    const reply = db.transaction().execute(async (trx: Trx) => {
      await receiveMessage(trx, given.mail(elsewhere), clock.now())
      received()
      await held
    })
    await inHand
    let claimed: string | undefined = 'not yet'
    const claim = db.transaction().execute(async (trx) => {
      await lockForClaim(trx, touch.person, touch.connection as string)
      claimed = await findRefusal(trx, touch, given.email)
    })
    const blocked = () =>
      sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    await eventually(blocked, ({ rows }) => rows.length > 0 || claimed !== 'not yet')
    release()
    await Promise.all([reply, claim])
    equal(claimed, 'replied')
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('confirms an unconfirmed letter, and joins its conversation', async () => {
    const given = await room()
    const { states, messageId, campaign } = await written(given, 'sending')
    const { conversation } = await given.receive({ references: [messageId] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    const messages = await given.messages(conversation)
    deepEqual(
      messages.map(({ direction }: { direction: string }) => direction),
      ['inbound', 'outbound'],
    )
    const { body } = await given.call('GET', `/campaigns/${campaign}`)
    deepEqual([body.funnel.sent, body.funnel.replied], [1, 1])
  })

  it('does not stop the letter that an automatic answer confirms', async () => {
    const { db, clock } = service
    const given = await room()
    const { states, messageId, ids } = await written(given, 'sending')
    const [first = '', ...later] = ids
    await db.updateTable('touches').set({ workflow: 'wf' }).where('id', '=', first).execute()
    await db.deleteFrom('touches').where('id', 'in', later).execute()
    await given.receive({ references: [messageId], automated: true })
    deepEqual(await states(), ['sending unconfirmed'])
    const { deliverTouch } = deliverTouchActivities({
      db,
      clock,
      secretKey,
      publicUrl: service.url,
      log: createLog('test', 'silent'),
      crash: () => {},
      workflowState: async () => 'running' as const,
    })
    const { campaign } = await db
      .selectFrom('touches')
      .select('campaign')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    equal(await deliverTouch({ campaign, touch: first, epoch: 1 }), 'settled')
    deepEqual(await states(), ['sent', 'queued'])
  })

  it('confirms an unconfirmed message', async () => {
    const { call, receive, id } = await room()
    const { conversation } = await receive()
    const { body } = await call('POST', `/conversations/${conversation}/messages`, { text: 'Yes.' })
    const { db, clock } = service
    await db
      .updateTable('messages')
      .set({
        state: 'sending',
        reason: 'unconfirmed',
        attempt: 'a',
        claimedAt: clock.now(),
        claimedDay: '2026-11-23',
      })
      .where('workspace', '=', id)
      .where('id', '=', body.id)
      .execute()
    await receive({ references: [body.messageId] })
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    deepEqual([row.state, row.reason], ['sent', null])
  })

  it('marks an unmarked conversation as out of office, until somebody writes', async () => {
    const { receive, read } = await room()
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

  it('holds letters while somebody is away', async () => {
    const given = await room()
    const { ids } = await written(given)
    const until = new Date(service.clock.now().getTime() + 5 * 24 * hour)
    await given.receive({ automated: true, outOfOfficeUntil: until })
    const rows = await service.db
      .selectFrom('touches')
      .select(['state', 'dueAt'])
      .where('id', 'in', ids.slice(1))
      .execute()
    deepEqual(new Set(rows.map(({ dueAt }) => dueAt.toISOString())), new Set([until.toISOString()]))
    ok(rows.every(({ state }) => state !== 'failed'))
  })

  it('ends the follow-ups as unsubscribed when an answer asks for that', async () => {
    const given = await room()
    const { states, messageId, runner } = await written(given)
    await given.receive({ references: [messageId], text: 'Please unsubscribe me.' })
    deepEqual(await states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    const signals = await service.db
      .selectFrom('outbox')
      .select('workflowId')
      .where('workflowId', '=', runner)
      .execute()
    equal(signals.length, 1)
  })

  it('is announced under the known name of the person, whatever name the mail gives', async () => {
    const { receive, call, email } = await room()
    const texts = async (): Promise<string[]> =>
      (await call('GET', '/notifications')).body.notifications.map(
        ({ text }: { text: string }) => text,
      )
    await receive({ from: { name: '', address: email } })
    deepEqual(await texts(), ['Cleo has written.'])
    await receive({ from: { name: 'The Boss', address: email } })
    deepEqual(await texts(), ['Cleo has written.', 'Cleo has written.'])
  })

  it('unsubscribes its sender on request, and refuses replies after a complaint', async () => {
    const one = await room()
    const first = await written(one)
    await one.receive({ text: 'Unsubscribe me, please.' })
    deepEqual(await first.states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    const other = await room()
    const { conversation } = await other.receive()
    const second = await written(other, 'sending')
    const from = { name: '', address: 'fbl@provider.example' }
    const about = { kind: 'complaint' as const, permanent: true, code: null }
    const complain = (id: string) =>
      other.receive({
        automated: true,
        from,
        report: { ...about, recipients: [other.email], ids: [id] },
      })
    const reply = () => other.call('POST', `/conversations/${conversation}/messages`, { text: 'x' })
    await complain('<guessed@us.example>')
    equal((await reply()).status, 200)
    await complain(second.messageId)
    equal((await reply()).body.code, 'recipient_suppressed')
    deepEqual(await second.states(), ['sent', 'failed suppressed', 'failed suppressed'])
  })

  it('accepts any text and address, and recognizes a message that is already stored', async () => {
    const { receive, messages, connections, id, person, email } = await room()
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
