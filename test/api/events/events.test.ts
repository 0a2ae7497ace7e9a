import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { recordEvent } from '../../../db/events/events.ts'
import { forgetOld } from '../../../db/operations/upkeep.ts'
import type { EventKind } from '../../../rules/event-kinds.ts'
import { withoutCall } from '../../support/events.ts'
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
      events.map(({ kind, resource, data }) => ({ kind, resource, data: withoutCall(data) })),
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

describe('GET /events of some kinds, from a time, and waiting', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function recorder() {
    const workspace = await service.workspace()
    const record = (kind: EventKind, resource: string) =>
      recordEvent(service.db, {
        workspace: workspace.id,
        kind,
        at: service.clock.now(),
        resource,
      })
    /** Once everything that was recorded can be read. */
    const all = (count: number) =>
      eventually(
        () => workspace.call('GET', '/events'),
        ({ body }) => body.events.length >= count,
      )
    return { ...workspace, record, all }
  }
  const resources = (body: { events: Event[] }) => body.events.map(({ resource }) => resource)

  it('gives those of the kinds and groups, page by page', async () => {
    const { call, record, all } = await recorder()
    for (let i = 0; i < 4; i++) {
      await record('touch.sent', `t${i}`)
      await record('message.sent', `s${i}`)
      await record('message.received', `r${i}`)
    }
    await all(12)
    const kinds = '/events?limit=3&kinds=touch.*,message.received'
    const first = (await call('GET', kinds)).body
    deepEqual(resources(first), ['t0', 'r0', 't1'])
    const second = (await call('GET', `${kinds}&cursor=${first.next}`)).body
    deepEqual(resources(second), ['r1', 't2', 'r2'])
    const third = (await call('GET', `${kinds}&cursor=${second.next}`)).body
    deepEqual([resources(third), third.next], [['t3', 'r3'], null])
    const none = (await call('GET', '/events?kinds=deal.*')).body
    deepEqual([none.events, none.next], [[], null])
    // What was passed over is not looked at again.
    await record('deal.edited', 'deal')
    const later = await eventually(
      () => call('GET', `/events?kinds=deal.*&cursor=${none.cursor}`),
      ({ body }) => body.events.length > 0,
    )
    deepEqual(resources(later.body), ['deal'])
  })

  it('passes over a bounded number for a page, and goes on', async () => {
    const { id, call, record } = await recorder()
    await sql`insert into events (workspace, kind, at, resource)
      select ${id}, 'senders.checked', now(), n::text from generate_series(1, 4500) n`.execute(
      service.db,
    )
    await record('touch.sent', 'letter')
    let [pages, cursor] = [0, '']
    const seen: string[] = []
    do {
      const { body } = await call('GET', `/events?kinds=touch.sent&cursor=${cursor}`)
      seen.push(...resources(body))
      cursor = body.cursor
      if (body.next === null && seen.length > 0) break
    } while (pages++ < 200)
    deepEqual(seen, ['letter'])
  })

  it('refuses an unknown kind with the nearest', async () => {
    const { call } = await recorder()
    for (const [kind, nearest] of [
      ['message.recieved', '; did you mean message.received?'],
      ['touch', '; did you mean touch.*?'],
      ['*', ''],
    ]) {
      const { status, body } = await call('GET', `/events?kinds=message.sent,${kind}`)
      const [{ parameter, message }] = body.errors
      deepEqual([status, body.code, parameter], [400, 'invalid_query', 'kinds'])
      equal(message, `${kind} is not a kind of event${nearest}`)
    }
    for (const wrong of ['from=yesterday', 'from=2026-13-01', 'wait=26', 'wait=-1', 'wait=x'])
      equal((await call('GET', `/events?${wrong}`)).status, 400, wrong)
  })

  it('begins now, or with what was recorded at a time or later', async () => {
    const { id, call, record, all } = await recorder()
    for (let i = 0; i < 60; i++) await record('senders.checked', `e${i}`)
    await all(50)
    const hour = 3_600_000
    const now = Date.now()
    for (let i = 0; i < 60; i++)
      await service.db
        .updateTable('events')
        .set({ recordedAt: new Date(now - (60 - i) * hour) })
        .where('workspace', '=', id)
        .where('resource', '=', `e${i}`)
        .execute()
    const from = async (ms: number) =>
      resources(
        (await call('GET', `/events?limit=2&from=${new Date(now - ms).toISOString()}`)).body,
      )
    deepEqual(await from(1000 * hour), ['e0', 'e1'])
    deepEqual(await from(60 * hour), ['e0', 'e1'])
    deepEqual(await from(59.5 * hour), ['e1', 'e2'])
    deepEqual(await from(31.2 * hour), ['e29', 'e30'])
    // An event is shown once all transactions that began before it have ended, those of other databases too.
    await eventually(
      () => from(1.5 * hour),
      ([last]) => last === 'e59',
    )
    deepEqual(await from(-hour), [])
    const { body } = await call('GET', '/events?from=now')
    deepEqual(body.events, [])
    await record('senders.checked', 'later')
    const later = await eventually(
      () => call('GET', `/events?from=now&cursor=${body.cursor}`),
      (reply) => reply.body.events.length > 0,
    )
    deepEqual(resources(later.body), ['later'])
    const empty = await recorder()
    deepEqual((await empty.call('GET', '/events?from=2026-01-01T00:00:00Z')).body.events, [])
  })

  it('waits until there is one, and holds no connection meanwhile', async () => {
    const { call, record } = await recorder()
    const { cursor } = (await call('GET', '/events?from=now')).body
    const started = Date.now()
    const waiting = [1, 2, 3].map(() =>
      call('GET', `/events?wait=20&kinds=deal.*&cursor=${cursor}`),
    )
    await record('senders.checked', 'another kind')
    await eventually(
      () =>
        sql<{ count: string }>`select count(*) from event_readers where until > now()`.execute(
          service.db,
        ),
      ({ rows }) => Number(rows[0]?.count) > 0,
    )
    await record('deal.edited', 'deal')
    for (const { body } of await Promise.all(waiting)) deepEqual(resources(body), ['deal'])
    ok(Date.now() - started < 10_000)
    const quiet = Date.now()
    deepEqual((await call('GET', '/events?wait=1&from=now')).body.events, [])
    ok(Date.now() - quiet >= 900)
  })

  it('lets five calls of a token wait at a time', async () => {
    const { call, tokenWith, record } = await recorder()
    const calls = Array.from({ length: 6 }, () => call('GET', '/events?wait=20&from=now'))
    const refusal = await Promise.race(calls)
    equal(`${refusal.status} ${refusal.body.code}`, '429 rate_limited')
    const token = await tokenWith(['inbox:read'])
    equal((await call('GET', '/events?wait=1&from=now', undefined, { token })).status, 200)
    equal((await call('GET', '/events')).status, 200)
    await record('deal.edited', 'deal')
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    deepEqual(statuses.sort(), [200, 200, 200, 200, 200, 429])
    equal((await call('GET', '/events?wait=1')).status, 200)
  })
})
