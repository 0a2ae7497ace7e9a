import { deepEqual, equal, match } from 'node:assert/strict'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('a call that is corrected', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  /** What only the handler finds, and the same call without the fault. */
  const cases: [path: string, wrong: object, right: object][] = [
    ['/conversations', { to: 'not an address' }, { to: 'nadia@roth.example' }],
    ['/conversations', { person: 'per_none' }, { to: 'nadia@roth.example' }],
    [
      '/conversations',
      { to: 'nadia@roth.example', sendAt: '2020-01-01T09:00:00Z' },
      { to: 'nadia@roth.example' },
    ],
    ['/people', { email: 'a@x.example', into: 'per_none' }, { email: 'a@x.example' }],
    ['/campaigns', { goal: 'demo', segment: 'seg_none' }, { goal: 'demo' }],
    ['/calendar/meetings', { calendar: 'cal_none' }, {}],
  ]
  for (const [path, wrong, right] of cases)
    it(`is carried out under its key: POST ${path} ${JSON.stringify(wrong)}`, async () => {
      const { call, connections } = await service.workspace()
      const more =
        path === '/conversations'
          ? { via: connections[0], text: 'Hello.' }
          : path === '/calendar/meetings'
            ? { title: 'x', day: '2030-01-07', start: '23:30', minutes: 60, check: true }
            : {}
      const key = `corrected-${path}`
      const refused = await call('POST', path, { ...more, ...wrong }, { key })
      equal(refused.status, 422, refused.text)
      // A whole sentence, or the member and what is wrong with it.
      match(refused.body.detail, /^(?:.+\.|\/\w+: .+)$/)
      const unknown = await call('GET', `/operations/${encodeURIComponent(key)}`)
      equal(unknown.status, 404)
      const done = await call('POST', path, { ...more, ...right }, { key })
      deepEqual([done.status, done.headers.get('idempotent-replayed')], [200, null], done.text)
    })

  it('is told to take a new key where its key has an answer', async () => {
    const { call } = await service.workspace()
    await call('POST', '/people', { email: 'a@x.example' }, { key: 'taken' })
    const { body } = await call('POST', '/people', { email: 'b@x.example' }, { key: 'taken' })
    equal(body.code, 'idempotency_key_reused')
    match(body.detail, /new key/)
  })
})

describe('a query with a plus that is not encoded', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  for (const query of [
    '/calendar?from=2026-11-23T10:00:00+01:00&to=2026-11-24T10:00:00+05:30',
    '/people?updatedSince=2026-11-23T10:00:00+01:00',
    '/people?updatedSince=2026-11-23T10:00:00%2B01:00',
  ])
    it(`is understood: ${query}`, async () => {
      const { call } = await service.workspace()
      const { status, text } = await call('GET', query)
      equal(status, 200, text)
    })
})

describe('a method that an address does not take', function () {
  this.timeout(60_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  for (const [path, allow] of [
    ['/people', 'GET, HEAD, POST'],
    ['/people/per_x', 'GET, HEAD, PATCH, DELETE'],
    ['/messages/msg_x', 'GET, HEAD, DELETE'],
    ['/conversations/cnv_x/tasks', 'POST'],
  ] as const)
    it(`is refused with what ${path} takes, HEAD with GET`, async () => {
      const { call } = await service.workspace()
      const { status, headers } = await call('PUT', path, {})
      deepEqual([status, headers.get('allow')], [405, allow])
    })
})
