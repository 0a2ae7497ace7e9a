import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { unlikeTheirShape } from '../../support/event-data.ts'
import { eventsOf, type Told } from '../../support/events.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// What the data of an event says beside what happened: whose id a caller knows, whose call it was, and what saves a read.

describe('the data of an event', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(async () => {
    const unlike = await unlikeTheirShape(service.db)
    await service.close()
    deepEqual(unlike, [])
  })

  const dataOf = async (call: Parameters<typeof eventsOf>[0], kind: string, count = 1) =>
    (await eventsOf(call, (event) => event.kind === kind, count)).map(
      ({ data }: Told) => data as Record<string, unknown>,
    )

  it('names the call that caused it, and the id of its person in the caller’s own system', async () => {
    const { call } = await service.workspace()
    const { client } = (await call('GET', '')).body
    const key = randomUUID()
    const card = { email: 'cleo@client.example', externalId: 'crm-1' }
    const { id } = (await call('POST', '/people', card, { key })).body
    const [created] = await dataOf(call, 'person.created')
    deepEqual(
      { client: created?.['client'], key: created?.['key'], externalId: created?.['externalId'] },
      { client, key, externalId: 'crm-1' },
    )
    await call('PATCH', `/people/${id}`, { externalId: 'crm-2' })
    const [again] = await dataOf(call, 'person.created')
    equal(again?.['externalId'], 'crm-2')
    await call('POST', '/people', { email: 'nobody@client.example' })
    const [, other] = await dataOf(call, 'person.created', 2)
    equal(Object.hasOwn(other ?? {}, 'externalId'), false)
  })

  it('names the call for each person of many', async () => {
    const { call } = await service.workspace()
    const { client } = (await call('GET', '')).body
    const key = randomUUID()
    const people = [1, 2].map((n) => ({ email: `p${n}@client.example`, externalId: `crm-${n}` }))
    await call('POST', '/people/bulk', { people, mode: 'complete' }, { key })
    const made = await dataOf(call, 'person.created', 2)
    deepEqual(
      made.map((data) => [data['client'], data['key'], data['externalId']]),
      [
        [client, key, 'crm-1'],
        [client, key, 'crm-2'],
      ],
    )
  })

  it('says of a message what it means, whether it is in doubt, and who wrote it', async () => {
    const sender = await givenSender(service)
    await sender.call('PATCH', `/people/${sender.person}`, { externalId: 'crm-3' })
    const { conversation } = await sender.receive({ text: 'What does it cost?' })
    const [received] = await dataOf(sender.call, 'message.received')
    deepEqual(received, {
      ...{ conversation, person: sender.person, connection: sender.connections[0] },
      ...{ automated: false, suspect: false, intent: 'quote', importance: 'high' },
      externalId: 'crm-3',
    })
    const { intent, importance } = await sender.read(conversation)
    deepEqual([intent, importance], ['quote', 'high'])
    await sender.receive({ suspect: true })
    const [, doubtful] = await dataOf(sender.call, 'message.received', 2)
    equal(doubtful?.['suspect'], true)
    await sender.call('POST', `/conversations/${conversation}/notes`, { text: 'Call them.' })
    equal((await dataOf(sender.call, 'conversation.noted'))[0]?.['externalId'], 'crm-3')
  })

  it('names the key of a message that was queued before', async () => {
    const sender = await givenSender(service)
    const { conversation } = await sender.receive()
    const key = randomUUID()
    const sendAt = new Date(service.clock.now().getTime() + 3_600_000).toISOString()
    const body = { text: 'Yes.', sendAt }
    await sender.call('POST', `/conversations/${conversation}/messages`, body, { key })
    equal((await dataOf(sender.call, 'message.queued'))[0]?.['key'], key)
  })

  it('names the message of a letter', async () => {
    const sender = await givenSender(service)
    const { campaign, ids, messageId } = await lettersTo(service, sender, 'sending')
    const path = `/campaigns/${campaign}/touches/${ids[0]}`
    equal((await sender.call('POST', `${path}/resolve`, { outcome: 'sent' })).status, 200)
    const { rows } = await sql<{ id: string }>`
      select id from messages where workspace = ${sender.id} and message_id = ${messageId}`.execute(
      service.db,
    )
    const message = rows[0]?.id
    equal((await dataOf(sender.call, 'touch.sent'))[0]?.['message'], message)
    const [resolved] = await dataOf(sender.call, 'touch.resolved')
    deepEqual(
      [resolved?.['message'], resolved?.['campaign'], resolved?.['person']],
      [message, campaign, sender.person],
    )
    await sender.call('PATCH', `/campaigns/${campaign}/touches/${ids[1]}`, { skip: true })
    const [skipped] = await dataOf(sender.call, 'touch.failed')
    deepEqual([skipped?.['reason'], skipped?.['message']], ['skipped', null])
    deepEqual((await dataOf(sender.call, 'touch.edited'))[0]?.['message'], null)
  })

  it('names the person of a suppressed address, and its entry can be read', async () => {
    const { call, person, email } = await givenSender(service)
    await call('PATCH', `/people/${person}`, { externalId: 'crm-4' })
    const entry = (await call('POST', '/suppressions', { address: email.toUpperCase() })).body
    deepEqual((await call('GET', `/suppressions/${entry.id}`)).body, entry)
    const [added] = await dataOf(call, 'suppression.added')
    deepEqual([added?.['person'], added?.['externalId']], [person, 'crm-4'])
    await call('DELETE', `/suppressions/${entry.id}`)
    const [lifted] = await dataOf(call, 'suppression.lifted')
    equal(lifted?.['person'], person)
    equal((await call('GET', `/suppressions/${entry.id}`)).status, 404)
    await call('POST', '/suppressions', { address: 'stranger@client.example' })
    equal((await dataOf(call, 'suppression.added', 2))[1]?.['person'], null)
  })

  it('is the same in the list, of some kinds too, and in the stream', async () => {
    const { call } = await service.workspace()
    await call('POST', '/people', { email: 'cleo@client.example', externalId: 'crm-5' })
    const read = async (query: string) => (await call('GET', `/events${query}`)).body.events
    const some = await eventually(
      () => read('?kinds=person.*'),
      ({ length }) => length === 1,
    )
    const all: Told[] = await read('')
    deepEqual(
      all.filter(({ kind }) => kind === 'person.created'),
      some,
    )
    equal(some[0].data.externalId, 'crm-5')
  })
})
