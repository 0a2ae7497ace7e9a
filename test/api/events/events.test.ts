import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { recordEvent } from '../../../db/events/events.ts'
import { forgetOld } from '../../../db/operations/upkeep.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

type Event = { id: string; kind: string; resource: string; data: Record<string, unknown> }

describe('GET /events', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function reader() {
    const workspace = await service.workspace()
    let cursor = ''
    const read = async (limit = 200): Promise<Event[]> => {
      const { status, body, text } = await workspace.call(
        'GET',
        `/events?limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
      )
      equal(status, 200, text)
      cursor = body.cursor
      return body.events
    }
    const event = (resource: string) => ({
      workspace: workspace.id,
      kind: 'senders.checked' as const,
      at: service.clock.now(),
      resource,
    })
    /** So many events, and none after them. A transaction that is open elsewhere on the server holds them back for its time. */
    const told = async (count: number): Promise<Event[]> => {
      const all: Event[] = []
      await eventually(
        async () => all.push(...(await read())),
        () => all.length >= count,
      )
      all.push(...(await read()))
      return all
    }
    return { ...workspace, read, told, event }
  }
  const resources = (events: Event[]) => events.map(({ resource }) => resource)

  it('reports each executed change once, and a repeat not again', async () => {
    const { call, product, told } = await reader()
    const key = randomUUID()
    await call('PATCH', `/products/${product}`, { goal: 'sale', description: 'Words' }, { key })
    await call('PATCH', `/products/${product}`, { goal: 'sale', description: 'Words' }, { key })
    await call('PATCH', `/products/${product}`, { goal: 'sale' })
    await call('PATCH', `/products/${product}`, { goal: 'none of the three' })
    const events = await told(1)
    deepEqual(
      events.map(({ kind, resource, data }) => ({ kind, resource, data })),
      [{ kind: 'product.edited', resource: product, data: { members: ['description', 'goal'] } }],
    )
  })

  it('gives ids and states, and no text', async () => {
    const { call, id, connections, db, told } = { ...(await reader()), db: service.db }
    const now = service.clock.now()
    const email = 'secret-name@client.example'
    const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo Secret', email }], now)
    const conversation = await givenConversation(db, id, {
      person,
      connection: connections[0],
      from: email,
      at: now,
    })
    await call('POST', `/conversations/${conversation}/messages`, { text: 'A secret text' })
    await call('PATCH', `/people/${person}`, { name: 'Secretova' })
    await call('PATCH', `/conversations/${conversation}`, { closed: true, reason: 'spam' })
    const events = await told(3)
    ok(!/secret/i.test(JSON.stringify(events)), JSON.stringify(events))
    deepEqual(
      events.map(({ kind }) => kind),
      ['message.queued', 'person.edited', 'conversation.edited'],
    )
    equal(events[0]?.data['conversation'], conversation)
    deepEqual([events[2]?.data['state'], events[2]?.data['reason']], ['closed', 'spam'])
  })

  it('never skips one that commits late', async () => {
    const { read, told, event } = await reader()
    const { db } = service
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = () => {}
    const early = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = db.transaction().execute(async (trx) => {
      await recordEvent(trx, event('early'))
      begun()
      await held
    })
    await early
    await db.transaction().execute((trx) => recordEvent(trx, event('late')))
    // The later one is there, and the earlier may still commit: neither is given yet.
    deepEqual(resources(await read()), [])
    release()
    await slow
    deepEqual(resources(await told(2)), ['early', 'late'])
  })

  it('gives events that are written and read concurrently once each, in order', async () => {
    const { read, event } = await reader()
    const { db } = service
    const seen: string[] = []
    let writing = true
    const writers = Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        db.transaction().execute(async (trx) => {
          await recordEvent(trx, event(`a${i}`))
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
          await recordEvent(trx, event(`b${i}`))
        }),
      ),
    ).finally(() => {
      writing = false
    })
    while (writing) seen.push(...resources(await read(7)))
    await writers
    await eventually(
      async () => seen.push(...resources(await read(7))),
      () => seen.length >= 120,
    )
    equal(seen.length, 120)
    equal(new Set(seen).size, 120)
  })

  it('answers a cursor at the end, even of an empty list', async () => {
    const { call, event } = await reader()
    const empty = (await call('GET', '/events')).body
    deepEqual([empty.events, empty.next], [[], null])
    await service.db.transaction().execute((trx) => recordEvent(trx, event('first')))
    const { body } = await eventually(
      () => call('GET', `/events?cursor=${empty.cursor}`),
      (reply) => reply.body.events.length > 0,
    )
    deepEqual([resources(body.events), body.next], [['first'], null])
    notEqual(body.cursor, empty.cursor)
    const other = await reader()
    equal((await other.call('GET', `/events?cursor=${body.cursor}`)).status, 200)
    equal((await call('GET', '/events?cursor=nonsense')).status, 400)
  })

  it('keeps the workspaces apart and needs inbox:read', async () => {
    const [ours, theirs] = [await reader(), await reader()]
    await service.db.transaction().execute((trx) => recordEvent(trx, ours.event('ours')))
    deepEqual(await theirs.read(), [])
    const token = await ours.tokenWith(['inbox:write', 'send'])
    equal((await ours.call('GET', '/events', undefined, { token })).status, 403)
  })

  it('is kept for thirty days', async () => {
    const { told, event, id } = await reader()
    const { db } = service
    await db.transaction().execute((trx) => recordEvent(trx, event('old')))
    await db.transaction().execute((trx) => recordEvent(trx, event('new')))
    const days = 24 * 60 * 60 * 1000
    await db
      .updateTable('events')
      .set({ recordedAt: new Date(Date.now() - 31 * days) })
      .where('workspace', '=', id)
      .where('resource', '=', 'old')
      .execute()
    await forgetOld(db, 30 * days)
    deepEqual(resources(await told(1)), ['new'])
  })
})
