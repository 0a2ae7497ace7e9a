import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('updatedSince', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    // The database writes the times, by the machine's clock unless another was set.
    service = await startService()
    await service.clock.set(new Date().toISOString())
  })
  after(() => service.close())

  const long = '2020-01-01T00:00:00Z'

  async function given(people: number) {
    const workspace = await service.workspace()
    const cards = Array.from({ length: people }, (_, i) => ({
      name: `P${i}`,
      email: `p${i}@x.test`,
    }))
    const ids = await givenPeople(service.db, workspace.id, cards, service.clock.now())
    await sleep(5)
    type Row = { id: string; name: string; updatedAt: string }
    /** Everything that has changed since, page by page. */
    const since = async (from: string, list = 'people', limit = 200, between = async () => {}) => {
      const rows: Row[] = []
      for (let cursor = ''; cursor !== null; ) {
        const path = `/${list}?updatedSince=${from}&limit=${limit}&cursor=${cursor}`
        const { body, status, text } = await workspace.call('GET', path)
        equal(status, 200, text)
        rows.push(...body[list])
        cursor = body.next
        await between()
      }
      return rows
    }
    return { ...workspace, ids, since }
  }

  it('orders people by their last change and begins at the given instant', async () => {
    const { call, ids, since } = await given(4)
    for (const i of [2, 0, 3])
      equal((await call('PATCH', `/people/${ids[i]}`, { city: 'Ulm' })).status, 200)
    await sleep(5)
    const all = await since(long, 'people', 1)
    deepEqual(
      all.map(({ id }) => id),
      [1, 2, 0, 3].map((i) => ids[i]),
    )
    deepEqual(
      all.map(({ updatedAt }) => updatedAt),
      all.map(({ updatedAt }) => updatedAt).toSorted(),
    )
    const from = all[2]?.updatedAt ?? ''
    deepEqual(
      (await since(from)).map(({ id }) => id),
      [0, 3].map((i) => ids[i]),
    )
    deepEqual(await since(`${from}&q=p3`), [all[3]])
    for (const wrong of ['yesterday', '2026-01-01', ''])
      equal((await call('GET', `/people?updatedSince=${wrong}`)).status, 400)
  })

  it('does not skip a change that commits late', async () => {
    const { call, ids, since } = await given(3)
    const [late = '', early = ''] = ids
    const before = (await since(long)).at(-1)?.updatedAt ?? ''
    await sleep(300)
    const written = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const transaction = service.db.transaction().execute(async (trx) => {
      await trx.updateTable('people').set({ name: 'Late' }).where('id', '=', late).execute()
      written.resolve()
      await commit.promise
    })
    await written.promise
    await sleep(300)
    await call('PATCH', `/people/${early}`, { name: 'Early' })
    await sleep(5)
    const read = await since(before).finally(() => setTimeout(commit.resolve, 200))
    ok(!read.some(({ name }) => name === 'Early'), 'what comes behind it waits for it')
    const at = read.at(-1)?.updatedAt ?? before
    await transaction
    await sleep(5)
    deepEqual((await since(at)).map(({ name }) => name).slice(-2), ['Late', 'Early'])
    // Another workspace's open transaction holds up nobody.
    const other = await given(1)
    equal((await other.since(long)).length, 1)
  })

  it('tells its own rows from those written billions of transactions ago', async () => {
    const writers = await service.db.transaction().execute(async (trx) => {
      const far = [-2_500_000_000, -1_000_000, 0, 1_000_000, 1_790_000_000]
      const { rows } = await sql<{ ours: boolean }>`
        select is_ours((((pg_current_xact_id()::text::bigint + far) % 4294967296 + 4294967296)
          % 4294967296)::text::xid) as ours
        from unnest(${far}::bigint[]) with ordinality as ages (far, n) order by n`.execute(trx)
      return rows.map(({ ours }) => ours)
    })
    deepEqual(writers, [false, false, true, false, false])
  })

  it('mirrors concurrent changes, page by page', async () => {
    const { call, ids, since } = await given(40)
    let writing = true
    const writers = Array.from({ length: 6 }, async (_, n) => {
      for (let i = 0; i < 12; i++) {
        const id = ids[(i * 7 + n * 5) % ids.length]
        await service.db.transaction().execute(async (trx) => {
          await trx
            .updateTable('people')
            .set({ name: `by ${n} ${i}` })
            .where('id', '=', id as string)
            .execute()
          await sleep(((i * 13 + n * 7) % 5) * 10)
        })
      }
    })
    const mirror = new Map<string, string>()
    let at = long
    const follow = async () => {
      for (const { id, name, updatedAt } of await since(at, 'people', 7)) {
        mirror.set(id, name)
        at = updatedAt
      }
    }
    const reader = (async () => {
      while (writing) await follow()
    })()
    await Promise.all(writers)
    writing = false
    await reader
    await sleep(5)
    await follow()
    const { people } = (await call('GET', '/people?limit=200')).body
    deepEqual(
      people.map(({ id, name }: Record<string, string>) => [id, mirror.get(id as string), name]),
      people.map(({ id, name }: Record<string, string>) => [id, name, name]),
    )
  })

  it('includes a person after every change that the API shows', async () => {
    const { call, ids, since, product } = await given(1)
    const path = `/people/${ids[0]}`
    const tag = { label: product, side: 'buyer' }
    let last = (await call('GET', path)).body
    for (const change of [
      () => call('PATCH', path, { city: 'Ulm' }),
      () => call('PATCH', path, { held: { why: 'asked' } }),
      () => call('PATCH', path, { held: null }),
      () => call('POST', `${path}/tags`, tag),
      () => call('DELETE', `${path}/tags`, tag),
      () => call('POST', '/people', { into: ids[0], phone: '+4930123456' }),
      () => call('POST', `${path}/split`, { phones: ['+4930123456'] }),
    ]) {
      const { status, text } = await change()
      equal(status, 200, text)
      await sleep(5)
      const now = (await call('GET', path)).body
      ok(now.updatedAt > last.updatedAt, text)
      const [found] = (await since(now.updatedAt)).filter(({ id }) => id === ids[0])
      deepEqual(found, now)
      last = now
    }
    const made = (await call('POST', '/people', { email: 'new@x.test', phone: '+4930777777' })).body
    equal((await call('GET', `/people/${made.id}`)).body.updatedAt, made.updatedAt)
    const same = (await call('POST', '/people', { email: 'new@x.test' })).body
    equal(same.updatedAt, made.updatedAt)
  })

  it('includes a conversation after every change that the API shows', async () => {
    const {
      call,
      ids,
      since,
      connections,
      id: workspace,
      db,
    } = {
      ...(await given(1)),
      db: service.db,
    }
    const make = () =>
      givenConversation(db, workspace, {
        person: ids[0] ?? '',
        connection: connections[0],
        from: 'p0@x.test',
        at: service.clock.now(),
      })
    const [id, other] = [await make(), await make()]
    const path = `/conversations/${id}`
    let last = (await call('GET', path)).body
    for (const change of [
      () => call('PATCH', path, { closed: true }),
      () => call('POST', `${path}/labels`, { name: 'Urgent' }),
      () => call('DELETE', `${path}/labels/Urgent`),
      () => call('POST', `${path}/notes`, { text: 'Call him' }),
      () => call('POST', `${path}/tasks`, { text: 'Be brief' }),
    ]) {
      const { status, text } = await change()
      equal(status, 200, text)
      await sleep(5)
      const now = (await call('GET', path)).body
      ok(now.updatedAt > last.updatedAt, text)
      deepEqual(
        (await since(now.updatedAt, 'conversations')).map((row) => row.id),
        [id],
      )
      last = now
    }
    deepEqual(
      (await since(long, 'conversations', 1)).map((row) => row.id),
      [other, id],
    )
  })

  it('is not part of the reduced deployment', async () => {
    const reduced = await startService({ variant: 'reduced' })
    try {
      const { call } = await reduced.workspace()
      for (const list of ['people', 'conversations'])
        equal((await call('GET', `/${list}?updatedSince=${long}`)).status, 400)
    } finally {
      await reduced.close()
    }
  })
})
