import { deepEqual, equal, ok } from 'node:assert/strict'
import { z } from 'zod'
import type { Route } from '../../../api/route.ts'
import { routes } from '../../../api/routes/index.ts'
import {
  collectionOf,
  forEach,
  givenRoom,
  neededOf,
  pathOf,
  type Room,
} from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

// What every list shares: cursor and limit, and pages that together hold every row.

const has = (shape: unknown, member: string) =>
  shape instanceof z.ZodObject && member in shape.shape
const lists = routes.filter(({ response }) => has(response, 'next'))

describe('every list', function () {
  // Each test goes through all of them.
  this.timeout(120_000)
  let service: TestService
  let room: Room

  before(async () => {
    service = await startService()
    room = await givenRoom(service)
  })
  after(() => service.close())

  const get = (route: Route, query: string) =>
    room.call(
      'GET',
      `${pathOf(route, room, room.parents[collectionOf(route)])}${query || '?'}${neededOf(route, '&')}`,
    )
  /** The rows of an answer, whatever the list calls them. */
  const rowsOf = ({ next: _, ...body }: Record<string, unknown>) =>
    Object.values(body)[0] as unknown[]

  it('is a read that takes cursor and limit', () => {
    ok(lists.length > 10)
    for (const route of lists) {
      equal(route.method, 'GET')
      ok(has(route.query, 'cursor') && has(route.query, 'limit'), route.path)
    }
  })

  it('takes a limit from 1 to 200 and an empty cursor', () =>
    forEach(lists, async (route) => {
      for (const query of ['', '?limit=1', '?limit=200', '?cursor=', '?cursor=&limit=50']) {
        const { status, body, text } = await get(route, query)
        equal(status, 200, text)
        ok(Array.isArray(rowsOf(body)))
        ok(body.next === null || typeof body.next === 'string')
        ok(route.response.safeParse(body).success)
      }
    }))

  it('refuses any other limit', () =>
    forEach(lists, async (route) => {
      for (const limit of [
        '0',
        '201',
        '-1',
        'abc',
        '1.5',
        '',
        '1e2',
        '99999999999999999999',
        '１',
      ]) {
        const { status, body } = await get(route, `?limit=${encodeURIComponent(limit)}`)
        equal(`${limit}: ${status} ${body.code}`, `${limit}: 400 invalid_query`)
        equal(body.errors[0].parameter, 'limit')
      }
    }))

  it('refuses a parameter it does not know and one given twice', () =>
    forEach(lists, async (route) => {
      for (const query of ['?colour=red', '?limit=1&limit=2', '?Limit=1', '?cursor=&cursor=']) {
        const { status, body } = await get(route, query)
        equal(`${query}: ${status} ${body.code}`, `${query}: 400 invalid_query`)
      }
    }))

  it('refuses a cursor that it did not give', async () => {
    const nexts = new Map<Route, string>()
    for (const route of lists) nexts.set(route, (await get(route, '?limit=1')).body.next ?? '')
    const key = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const at = '2026-01-01T00:00:00.000Z'
    await forEach(lists, async (route) => {
      const others = [...nexts].filter(([other, next]) => other !== route && next !== '')
      const mark = nexts.get(route)?.slice(0, 8) ?? ''
      const alien = [
        ...['nonsense', 'null', '[]', '"', '\0', 'a'.repeat(3000), 'a'.repeat(9000)],
        ...others.map(([, next]) => next),
        ...[mark, `${mark}x`, mark + key('a', 'b', 'c'), mark + key(1, 2), mark + key('x')],
        ...[mark + key(at, '\0'), mark + key('\0', 'x'), mark + key({}, [])],
        mark + Buffer.from('{"length":2}').toString('base64url'),
      ]
      for (const cursor of alien) {
        const { status, body } = await get(route, `?cursor=${encodeURIComponent(cursor)}`)
        if (cursor === '') continue
        equal(status, 400, cursor)
        ok(['invalid_cursor', 'invalid_query'].includes(body.code))
      }
      // A cursor of a valid form is refused, or gives a page.
      const times = ['0000-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000+23:59', at, '9999-12-31']
      for (const time of times) {
        const { status } = await get(route, `?cursor=${mark}${key(time, '\ud800')}`)
        ok(status === 200 || status === 400, `${status}`)
      }
    })
  })

  it('refuses a cursor of another workspace, and one of the list with other filters', async () => {
    const theirs = await givenRoom(service)
    await forEach(lists, async (route) => {
      if (route.path === '/events') return
      const { next } = (await get(route, '?limit=1')).body
      if (next === null) return
      const path = pathOf(route, theirs, theirs.parents[collectionOf(route)])
      const { status, body } = await theirs.call(
        'GET',
        `${path}?cursor=${next}${neededOf(route, '&')}`,
      )
      equal(`${status} ${body.code}`, '400 invalid_cursor')
    })
    for (const [list, filter] of [
      ['/people', 'q=kim'],
      ['/conversations', 'state=open'],
      ['/campaigns/{id}/touches', 'state=failed'],
    ] as const) {
      const route = lists.find(({ path }) => path === list) as Route
      const { next } = (await get(route, `?limit=1&${filter}`)).body
      equal((await get(route, `?limit=2&${filter}&cursor=${next}`)).status, 200)
      for (const other of [`?cursor=${next}`, `?${filter}x&cursor=${next}`]) {
        const { status } = await get(route, other)
        equal(status, 400, `${list}${other}`)
      }
    }
  })

  it('comes in pages that hold each row once and in order', () =>
    forEach(lists, async (route) => {
      const all = rowsOf((await get(route, '?limit=200')).body)
      for (const limit of [1, 2, 3]) {
        const rows: unknown[] = []
        let query = `?limit=${limit}`
        for (let pages = 0; ; pages++) {
          ok(pages <= all.length, 'it does not end')
          const { status, body, text } = await get(route, query)
          equal(status, 200, text)
          rows.push(...rowsOf(body))
          if (body.next === null) break
          equal(rowsOf(body).length, limit)
          query = `?limit=${limit}&cursor=${encodeURIComponent(body.next)}`
        }
        deepEqual(rows, all)
      }
    }))

  const paged = [
    ...['conversations', 'people', 'audit', 'campaigns', 'segments/{id}/people'],
    ...['deals', 'notifications'],
  ]
  it('has enough rows to page wherever it pages', () =>
    forEach(
      lists.filter(({ path }) =>
        [...paged, 'messages', 'touches'].some((end) => path.endsWith(end)),
      ),
      async (route) => {
        const { body } = await get(route, '?limit=2')
        equal(rowsOf(body).length, 2)
        ok(body.next)
      },
    ))
})
