import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { httpFinder } from '../../../activities/ports/finder/http-finder.ts'
import { startFinder } from '../../support/finder.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('an HTTP finder', () => {
  let service: TestService
  let finder: Awaited<ReturnType<typeof startFinder>>
  const people = Array.from({ length: 7 }, (_, i) => ({ name: `P${i}`, email: `p${i}@x.example` }))

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    finder = await startFinder(people)
    await service.work(this.test?.ctx as Mocha.Context, { finder: httpFinder(finder) })
  })
  after(async () => {
    await service.close()
    await finder.close()
  })
  beforeEach(() => finder.script(() => undefined))

  async function given() {
    const workspace = await service.workspace()
    const { body } = await workspace.call('POST', '/segments', { query: 'food makers' })
    const path = `/segments/${body.id}/find`
    return {
      ...workspace,
      find: (body: object = {}) => workspace.call('POST', path, body),
      add: (body: object = {}, key: string = randomUUID()) =>
        workspace.call('POST', `${path}/add`, body, { key }),
      members: async () => (await workspace.call('GET', `/segments/${body.id}`)).body.members,
    }
  }

  it('turns words into filters, finds people by them, and receives signed requests', async () => {
    const { find, add, members } = await given()
    const { body } = await find()
    deepEqual(body, {
      filters: { sector: 'food', said: 'food makers' },
      count: 7,
      channel: 'email',
    })
    const { run, ...first } = (await add({ filters: body.filters, want: 3 })).body
    deepEqual(first, { added: 3, existing: 0, remaining: 4 })
    deepEqual((await add({ run })).body, { added: 4, existing: 0, remaining: 0, run: null })
    equal(await members(), 7)
    deepEqual(finder.bad, [])
    const pages = finder.asked.filter(({ path }) => path === '/people').map((it) => it.body)
    deepEqual(
      pages.map(({ cursor, limit }) => [cursor, limit]),
      [
        [null, 3],
        ['3', 25],
      ],
    )
  })

  it('reports why a finder refuses', async () => {
    finder.script(() => ({ status: 422, body: { detail: 'Of which sector?' } }))
    const { find, add } = await given()
    for (const reply of [await find({ filters: { sector: 1 } }), await add()]) {
      equal(`${reply.status} ${reply.body.code}`, '422 validation_failed')
      equal(reply.body.detail, '/filters: Of which sector?')
      equal(reply.body.errors[0].code, 'refused_by_finder')
    }
  })

  it('is asked again while it fails, answers nonsense or does not answer', async function () {
    this.timeout(60_000)
    const answers = [
      { status: 500, body: {} },
      { status: 200, body: '{"people": 1}' },
      { status: 200, body: 'nonsense' },
      { status: 302, body: '' },
    ]
    finder.script(({ path }) => (path === '/people' ? answers.shift() : undefined))
    // Together, because each waits longer before every further try.
    const four = await Promise.all(answers.map(given))
    for (const { body } of await Promise.all(four.map(({ add }) => add())))
      deepEqual(body, { added: 7, existing: 0, remaining: 0, run: null })
    deepEqual(answers, [])
    for (const { members } of four) equal(await members(), 7)
  })

  it('adds nobody twice when the worker dies between two pages', async function () {
    this.timeout(60_000)
    // What a worker does that dies: it fails at the point, once before and once after its transaction.
    const other = await startService()
    const points = ['before-found', 'after-found', 'after-found']
    await other.work(this, {
      finder: httpFinder(finder),
      crash: (point) => {
        if (points[0] !== point) return
        points.shift()
        throw new Error('died')
      },
    })
    const { call } = await other.workspace()
    const { body: segment } = await call('POST', '/segments', { query: 'food makers' })
    const { body } = await call('POST', `/segments/${segment.id}/find/add`, { want: 5 })
    deepEqual({ ...body, run: '' }, { added: 5, existing: 0, remaining: 2, run: '' })
    const rest = await call('POST', `/segments/${segment.id}/find/add`, { run: body.run, want: 1 })
    deepEqual({ ...rest.body, run: '' }, { added: 1, existing: 0, remaining: 1, run: '' })
    equal((await call('GET', `/segments/${segment.id}`)).body.members, 6)
    deepEqual(points, [])
    await other.close()
  })
})
