import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { addresses } from '../../support/interface.ts'
import { givenRoom, type Room } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

// Both deployments side by side on one database, with the same token.

describe('the full and the reduced deployment on one database', () => {
  let full: TestService
  let reduced: TestService
  let room: Room

  before(async () => {
    full = await startService()
    reduced = await startService({ variant: 'reduced', databaseUrl: full.databaseUrl })
    room = await givenRoom(full)
  })
  after(async () => {
    await reduced.close()
    await full.close()
  })

  async function ask(
    service: TestService,
    method: string,
    path: string,
    body?: object,
    key: string = randomUUID(),
  ) {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${room.token}`,
        ...(method !== 'GET' && { 'idempotency-key': key, 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }

  it("see each other's changes", async () => {
    const path = `/people/${room.person}`
    for (const [one, other, city] of [
      [reduced, full, 'Porto'],
      [full, reduced, 'Lisbon'],
    ] as const) {
      equal((await ask(one, 'PATCH', path, { city })).status, 200)
      equal((await ask(other, 'GET', path)).body.city, city)
    }
  })

  it('answer a call that the other has carried out, without repeating it', async () => {
    const path = `/conversations/${room.ids['conversations']}/notes`
    const key = randomUUID()
    const first = await ask(reduced, 'POST', path, { text: 'Once' }, key)
    const again = await ask(full, 'POST', path, { text: 'Once' }, key)
    equal(again.text, first.text)
    equal(again.headers.get('idempotent-replayed'), 'true')
    const { notes } = (await ask(full, 'GET', path.replace('/notes', ''))).body
    equal(notes.filter(({ text }: { text: string }) => text === 'Once').length, 1)
  })

  it('differ only in goals, markets and sides', async () => {
    const product = `/products/${room.product}`
    const goal = 'Have them try it for a week'
    equal((await ask(full, 'PATCH', product, { goal })).status, 422)
    const written = await ask(reduced, 'PATCH', product, { goal })
    equal(written.body.goal, goal)
    ok(!('markets' in written.body))
    const read = await ask(full, 'GET', product)
    equal(read.body.goal, goal)
    deepEqual(read.body.markets, ['DE'])
    const company = `/companies/${room.ids['companies']}`
    ok('markets' in (await ask(full, 'GET', company)).body)
    ok(!('markets' in (await ask(reduced, 'GET', company)).body))
    const tags = `/people/${room.person}/tags`
    const tag = { label: room.product, side: 'client' }
    equal((await ask(reduced, 'POST', tags, tag)).status, 422)
    equal((await ask(full, 'POST', tags, tag)).status, 200)
    const { body } = await ask(reduced, 'GET', `/people/${room.person}`)
    deepEqual(body.tags, [{ label: room.product, side: 'buyer' }])
  })

  it('describe their own addresses', async () => {
    for (const [service, wanted] of [
      [full, addresses],
      [reduced, addresses.filter((address) => address.reduced)],
    ] as const) {
      const response = await fetch(`${service.url}/openapi.json`)
      const { paths } = (await response.json()) as { paths: Record<string, object> }
      for (const { method, path } of wanted)
        ok(method.toLowerCase() in (paths[`/api/v1${path}`] ?? {}), `${method} ${path}`)
    }
    equal((await ask(reduced, 'GET', '/segments')).body.code, 'no_such_route')
    equal((await ask(full, 'GET', '/segments')).status, 200)
  })

  it('differ in the page on which the owner of an account consents, which only the full one has', async () => {
    const types = [full, reduced].map(async ({ url }) =>
      (await fetch(`${url}/connect/some-ticket`)).headers.get('content-type')?.split(';').at(0),
    )
    deepEqual(await Promise.all(types), ['text/html', 'application/problem+json'])
  })
})
