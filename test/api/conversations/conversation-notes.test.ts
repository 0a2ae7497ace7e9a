import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('notes and labels', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const ours = await service.workspace()
    const { db, clock } = service
    const [person = '', other = ''] = await givenPeople(
      db,
      ours.id,
      [
        { name: 'Kim', email: `kim-${ours.id}@x.test` },
        { name: 'Lee', email: `lee-${ours.id}@x.test` },
      ],
      clock.now(),
    )
    const make = (person: string) =>
      givenConversation(db, ours.id, {
        person,
        connection: ours.connections[0],
        from: 'kim@x.test',
        at: clock.now(),
      })
    return { ...ours, person, other, first: await make(person), second: await make(person), make }
  }
  const label = (name: string) => `labels/${encodeURIComponent(name)}`

  describe('POST /conversations/{id}/notes', () => {
    it('is read with the conversation, oldest first, by its author', async () => {
      const { call, first, member } = await given()
      const note = await call('POST', `/conversations/${first}/notes`, { text: 'Call her.\n' })
      equal(note.status, 200, note.text)
      deepEqual(Object.keys(note.body).sort(), ['at', 'author', 'conversation', 'id', 'text'])
      deepEqual(
        [note.body.conversation, note.body.author, note.body.text],
        [first, member, 'Call her.\n'],
      )
      match(note.body.at, /^\d{4}-.*\.\d{3}Z$/)
      const second = await call('POST', `/conversations/${first}/notes`, { text: 'Done.' })
      deepEqual((await call('GET', `/conversations/${first}`)).body.notes, [note.body, second.body])
      const [line] = (await call('GET', '/audit')).body.entries
      deepEqual([line.action, line.resource], ['conversation.noted', first])
    })

    it('takes up to 20,000 characters, and nothing blank', async () => {
      const { call, first } = await given()
      const post = (text: unknown) => call('POST', `/conversations/${first}/notes`, { text })
      equal((await post('x'.repeat(20_000))).status, 200)
      for (const text of ['x'.repeat(20_001), '', ' \n', null, 1]) {
        const { status, body } = await post(text)
        deepEqual([status, body.errors[0].pointer], [422, '/text'])
      }
    })
  })

  describe('labels of a conversation', () => {
    it('are created by name, found by name whatever its case, and counted', async () => {
      const { call, first, second, product } = await given()
      const put = await call('POST', `/conversations/${first}/labels`, { name: ' Urgent ' })
      equal(put.status, 200, put.text)
      equal(put.body.id, first)
      deepEqual(put.body.labels, [put.body.label])
      equal(put.body.label.name, 'Urgent')
      const again = await call('POST', `/conversations/${second}/labels`, { name: 'URGENT' })
      deepEqual(again.body.label, put.body.label)
      const { labels, products, next } = (await call('GET', '/labels')).body
      deepEqual(
        labels.map((l: Record<string, unknown>) => [l['id'], l['kind'], l['conversations']]),
        [
          [product, 'product', 0],
          [put.body.label.id, 'conversation', 2],
        ],
      )
      deepEqual([products.length, products[0].id, next], [1, product, null])
    })

    it('are added once: a second time writes no audit line', async () => {
      const { call, first } = await given()
      for (const _ of [1, 2]) await call('POST', `/conversations/${first}/labels`, { name: 'A' })
      equal((await call('GET', '/audit')).body.entries.length, 1)
      equal((await call('GET', `/conversations/${first}`)).body.labels.length, 1)
    })

    for (const name of ['100%', 'a/b', '%2F', 'ü & ö?#', '日本', "o'x", '{label}', '..x', 'a+b c'])
      it(`are removed by the name ${name}`, async () => {
        const { call, first } = await given()
        const { body } = await call('POST', `/conversations/${first}/labels`, { name })
        const off = await call('DELETE', `/conversations/${first}/${label(name)}`)
        equal(off.status, 200, off.text)
        deepEqual([off.body.labels, off.body.label], [[], body.label])
        deepEqual((await call('GET', `/conversations/${first}`)).body.labels, [])
      })

    it('are removed by id, a second time without a trace; the label stays', async () => {
      const { call, first } = await given()
      const { id } = (await call('POST', `/conversations/${first}/labels`, { name: 'A' })).body
        .label
      for (const lines of [2, 2]) {
        const off = await call('DELETE', `/conversations/${first}/labels/${id}`)
        deepEqual([off.status, off.body.labels, off.body.label.id], [200, [], id])
        equal((await call('GET', '/audit')).body.entries.length, lines)
      }
      ok((await call('GET', '/labels')).body.labels.some((l: { id: string }) => l.id === id))
    })

    it('that do not exist count as removed', async () => {
      const { call, first } = await given()
      const off = await call('DELETE', `/conversations/${first}/${label('no such')}`)
      deepEqual([off.status, off.body.label], [200, { id: '', name: 'no such' }])
    })

    it('filter conversations by id or name', async () => {
      const { call, first } = await given()
      const { id } = (await call('POST', `/conversations/${first}/labels`, { name: '50%/x' })).body
        .label
      for (const filter of [id, '50%/x', '50%/X']) {
        const { body } = await call('GET', `/conversations?label=${encodeURIComponent(filter)}`)
        deepEqual(
          body.conversations.map((c: { id: string }) => c.id),
          [first],
        )
      }
      equal((await call('GET', '/conversations?label=none')).body.conversations.length, 0)
    })

    it('and the product tags of people filter conversations as they are counted', async () => {
      const { call, first, product } = await given()
      const { name } = (await call('GET', `/products/${product}`)).body
      const { person } = (await call('GET', `/conversations/${first}`)).body
      const found = async () => {
        const { labels } = (await call('GET', '/labels')).body
        const counted = labels.find(({ id }: { id: string }) => id === product).conversations
        for (const filter of [product, name]) {
          const { body } = await call('GET', `/conversations?label=${encodeURIComponent(filter)}`)
          equal(body.conversations.length, counted)
        }
        return counted
      }
      equal(await found(), 0)
      const pair = { label: product, side: 'buyer' }
      await call('POST', `/people/${person}/tags`, pair)
      equal(await found(), 2)
      await call('DELETE', `/people/${person}/tags`, pair)
      equal(await found(), 0)
    })

    it('have names of up to 100 characters', async () => {
      const { call, first } = await given()
      const put = (name: unknown) => call('POST', `/conversations/${first}/labels`, { name })
      equal((await put('x'.repeat(100))).status, 200)
      for (const name of ['x'.repeat(101), '', ' ', undefined]) {
        const { status, body } = await put(name)
        deepEqual([status, body.errors[0].pointer], [422, '/name'])
      }
    })

    it('of one name are created once, however many simultaneous calls create them', async () => {
      const { call, first } = await given()
      const replies = await Promise.all(
        Array.from({ length: 8 }, () =>
          call('POST', `/conversations/${first}/labels`, { name: 'Same' }),
        ),
      )
      equal(new Set(replies.map(({ body }) => body.label.id)).size, 1)
      equal((await call('GET', `/conversations/${first}`)).body.labels.length, 1)
    })
  })

  describe('the tag of a product', () => {
    it('counts the conversations of those who carry it, once each and while they do', async () => {
      const { call, person, other, product, make } = await given()
      await make(other)
      const count = async () => (await call('GET', '/labels')).body.labels[0].conversations
      for (const side of ['buyer', 'seller'])
        await call('POST', `/people/${person}/tags`, { label: product, side })
      equal(await count(), 2)
      await call('POST', `/people/${other}/tags`, { label: product, side: 'buyer' })
      equal(await count(), 3)
      await call('DELETE', `/people/${other}/tags?label=${product}&side=buyer`)
      equal(await count(), 2)
    })
  })
})
