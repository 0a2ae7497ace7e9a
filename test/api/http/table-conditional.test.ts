import { equal, match, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isConditional, isSingleRead, type Route } from '../../../api/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { type RouteCalls, refused, startRouteCalls } from '../../support/route-calls.ts'
import { forEach, givenRoom, pathOf } from '../../support/samples.ts'

// What every read of one thing and every change of it share: tags, and calls that depend on them.

const singles = routes.filter(isSingleRead)
const conditional = routes.filter(isConditional)
const readOf = (route: Route) => singles.find(({ path }) => path === route.path)

describe('conditional calls', function () {
  this.timeout(120_000)
  let { service, room, call } = {} as RouteCalls
  before(async () => {
    ;({ service, room, call } = await startRouteCalls())
  })
  after(() => service.close())

  const ask = (route: Route, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.url}/api/v1${pathOf(route, room)}`, {
      method,
      headers: { authorization: `Bearer ${room.token}`, 'accept-encoding': 'identity', ...headers },
    })
  const tagOf = async (route: Route) => (await ask(route)).headers.get('etag') ?? ''

  describe('every read of one thing', () => {
    it('has a tag, which stays while it does', () =>
      forEach(singles, async (route) => {
        const [one, other, head] = [
          await ask(route),
          await ask(route),
          await ask(route, {}, 'HEAD'),
        ]
        equal(one.status, 200)
        const tag = one.headers.get('etag')
        match(tag ?? '', /^"[\w-]{27}"$/)
        if ((await one.text()) === (await other.text())) equal(other.headers.get('etag'), tag)
        match(head.headers.get('etag') ?? '', /^"[\w-]{27}"$/)
      }))

    it('is answered 304 to a client that has it', () =>
      forEach(singles, async (route) => {
        const tag = await tagOf(route)
        for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*', tag.replace(/"$/, '-gzip"')]) {
          const reply = await ask(route, { 'if-none-match': known })
          equal(reply.status, 304, known)
          equal(await reply.text(), '')
          equal(reply.headers.get('etag'), tag)
          equal(reply.headers.get('cache-control'), 'no-store')
          ok(reply.headers.get('ratelimit') && reply.headers.get('x-request-id'))
        }
        for (const other of ['"x"', tag.replaceAll('"', ''), ''])
          equal((await ask(route, { 'if-none-match': other })).status, 200)
      }))

    it('tells nothing of it to those who may not read it, and none of what is not there', () =>
      forEach(singles, async (route) => {
        const known = { 'if-none-match': '*' }
        equal((await ask(route, { ...known, authorization: 'Bearer x' })).status, 401)
        if (route.scopes.length > 0) {
          const token = await room.tokenWith(['send'])
          equal((await ask(route, { ...known, authorization: `Bearer ${token}` })).status, 403)
        }
        if (!route.path.includes('{id}')) return
        const gone = await call(route, { headers: known, id: 'x_unknown' })
        equal(gone.status, 404)
        equal(gone.headers.get('etag'), null)
      }))
  })

  describe('every change of one thing', () => {
    const change = (route: Route, ifMatch: string, key = randomUUID()) =>
      call(route, { headers: { 'if-match': ifMatch, 'idempotency-key': key } })

    it('is refused where it is not any more what its caller has read, and leaves its key free', () =>
      forEach(conditional, async (route) => {
        const key = randomUUID()
        for (const tag of ['"x"', '"x", W/"y"', 'x', ''])
          refused(await change(route, tag, key), 412, 'changed_meanwhile')
        equal((await room.call('GET', `/operations/${key}`)).status, 404)
      }))

    it('is carried out where it still is, and its repeat answered', async () => {
      // What goes last is what others need: a person who is erased is in no segment.
      const turn = ({ method, path }: Route) =>
        method !== 'DELETE' ? 0 : path === '/people/{id}' ? 2 : 1
      for (const route of conditional.toSorted((a, b) => turn(a) - turn(b))) {
        const read = readOf(route)
        const key = randomUUID()
        const tag = read ? `"x", ${await tagOf(read)}` : '*'
        const done = await change(route, tag, key)
        if (done.status === 504) continue
        equal(done.status, 200, `${route.path} ${JSON.stringify(done.body)}`)
        equal((await change(route, tag, key)).headers.get('idempotent-replayed'), 'true')
      }
    })

    it('knows no tag of what is not there', () =>
      forEach(
        conditional.filter((route) => readOf(route) && route.path.includes('{')),
        async (route) => {
          const headers = { 'if-match': '"x"' }
          refused(await call(route, { headers, id: 'x_unknown' }), 404, 'not_found')
        },
      ))

    it('needs the scopes of the read', async () => {
      const token = await room.tokenWith(['inbox:write', 'campaigns:write', 'send'])
      const headers = { authorization: `Bearer ${token}`, 'if-match': '"x"' }
      for (const route of conditional.filter(readOf))
        refused(await call(route, { headers }), 403, 'insufficient_scope')
    })
  })

  describe('two writers', () => {
    // What the changes above have deleted is there again.
    before(async () => {
      room = await givenRoom(service)
    })

    const edits: [string, (i: number) => object][] = [
      ['/people/{id}', (i) => ({ city: `City ${i}`, fields: { turn: i } })],
      ['/agents/{id}', (i) => ({ goal: `Goal ${i}` })],
      ['/products/{id}', (i) => ({ description: `Product ${i}` })],
      ['/companies/{id}', (i) => ({ pitch: `Pitch ${i}` })],
      ['/campaigns/{id}', (i) => ({ goal: `Goal ${i}` })],
      ['/webhooks/{id}', (i) => ({ url: `https://client.example/${i}` })],
    ]
    for (const [path, body] of edits)
      it(`who have read the same do not both change it: ${path}`, async () => {
        const read = singles.find((route) => route.path === path) as Route
        const one = pathOf(read, room)
        for (let turn = 0; turn < 3; turn++) {
          const tag = await tagOf(read)
          const replies = await Promise.all(
            [1, 2, 3, 4].map((i) =>
              room.call('PATCH', one, body(10 * turn + i), { headers: { 'if-match': tag } }),
            ),
          )
          const statuses = replies.map(({ status }) => status).sort()
          equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`)
          equal(statuses.filter((status) => status === 412).length, 3, `${statuses}`)
          notEqual(await tagOf(read), tag)
        }
      })
    it('see each other also where one of them demands nothing', async () => {
      const read = singles.find(({ path }) => path === '/people/{id}') as Route
      const path = pathOf(read, room)
      const tag = await tagOf(read)
      equal((await room.call('PATCH', path, { city: 'Ulm' })).status, 200)
      const late = await room.call(
        'PATCH',
        path,
        { city: 'Bonn' },
        { headers: { 'if-match': tag } },
      )
      equal(`${late.status} ${late.body.code}`, '412 changed_meanwhile')
    })
  })
})
