import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'koa'
import { parse } from 'yaml'
import { countPage, uncounted } from '../../../api/public/pages.ts'
import { newId } from '../../../db/ids.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { eventsOf } from '../../support/events.ts'
import { openRaw } from '../../support/raw.ts'
import { givenRoom } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'
import { watchTurns } from '../../support/turns-of-loop.ts'

// What needs no token: health, metrics, and the page a letter's link leads to.

describe('what needs no token', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const ask = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(`${service.url}${path}`, options)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('leads from the root to the reference', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', 'application/json']) {
      const answer = await fetch(`${service.url}/`, { headers: { accept }, redirect: 'manual' })
      deepEqual([answer.status, answer.headers.get('location')], [302, '/docs'])
    }
  })

  it('are bytes with a tag, answered 304 to a client that has them', async () => {
    for (const path of [
      ...['/openapi.json', '/admin/openapi.json', '/openapi-3.0.json', '/admin/openapi-3.0.json'],
      ...['/openapi.yaml', '/admin/openapi.yaml', '/llms.txt', '/llms-full.txt'],
      ...['/docs', '/docs.js', '/docs-minisearch.js'],
    ]) {
      const first = await ask(path)
      const tag = first.headers.get('etag') ?? ''
      match(tag, /^"[\w-]{27}(?:-gzip|-zstd)?"$/)
      const again = await ask(path, { headers: { 'if-none-match': tag } })
      deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag])
      equal((await ask(path, { headers: { 'if-none-match': '"x"' } })).text, first.text)
      match(first.headers.get('vary') ?? '', /Accept-Encoding/)
    }
  })

  it('say the same as YAML', async () => {
    for (const path of ['/admin/openapi', '/openapi']) {
      const asJson = await ask(`${path}.json`)
      const { text, headers } = await ask(`${path}.yaml`)
      match(headers.get('content-type') ?? '', /^application\/yaml/)
      ok(isDeepStrictEqual(parse(text), JSON.parse(asJson.text)), path)
    }
  })

  it('say to language models in Markdown what there is', async () => {
    const { paths } = JSON.parse((await ask('/openapi.json')).text)
    const [brief, whole] = [await ask('/llms.txt'), await ask('/llms-full.txt')]
    for (const { headers, text } of [brief, whole]) {
      match(headers.get('content-type') ?? '', /^text\/plain/)
      match(text, /^# Postroom \S+\n\n> /)
      for (const [path, methods] of Object.entries<object>(paths))
        for (const method of Object.keys(methods))
          ok(text.includes(`\`${method.toUpperCase()} ${path}\``), path)
    }
    ok(whole.text.includes('# Guarantees\n'))
  })

  it('tell of nothing that the reduced deployment does not have', async () => {
    const reduced = await startService({ variant: 'reduced' })
    for (const path of ['/llms.txt', '/llms-full.txt', '/openapi.yaml', '/docs']) {
      const answer = await fetch(`${reduced.url}${path}`)
      equal(answer.status, 200)
      ok(!/\/admin\/v1|Guides for/.test(await answer.text()), path)
    }
    equal((await fetch(`${reduced.url}/admin/openapi.yaml`)).status, 404)
    await reduced.close()
  })

  it('are made without holding up calls', async () => {
    const other = await startService()
    const turns = watchTurns()
    const page = fetch(`${other.url}/docs`)
    equal((await page).status, 200)
    const longest = turns.longest()
    turns.stop()
    await other.close()
    ok(longest < 150, `${longest} ms`)
  })

  it('refuses an address that asks again and again, but never whether the process is alive', async () => {
    const asking = { req: { socket: { remoteAddress: '2001:db8:1:2::3' } } } as Context
    for (let i = 0; i < 3_000; i++) countPage(asking)
    throws(() => countPage(asking), { code: 'rate_limited', status: 429 })
    countPage({ req: { socket: { remoteAddress: '192.0.2.1' } } } as Context)
    for (const path of ['/livez', '/readyz']) ok(uncounted.has(path))
  })

  it('answers that the process is alive and ready', async () => {
    for (const path of ['/livez', '/readyz']) {
      const { status, text, headers } = await ask(path)
      equal(status, 200)
      equal(JSON.parse(text).status, 'ok')
      ok(headers.get('x-request-id'))
      equal((await ask(path, { method: 'HEAD' })).status, 200)
    }
    const ready = JSON.parse((await ask('/readyz')).text)
    deepEqual(Object.keys(ready).sort(), [
      ...['clock', 'postgres', 'schema', 'status', 'temporal', 'worker'],
    ])
  })

  it('is not ready without its schema, and says what is missing', async () => {
    const other = await startService()
    await withClient(other.ownerUrl, (client) => client.query('delete from kysely_migration'))
    const response = await fetch(`${other.url}/readyz`)
    equal(response.status, 503)
    equal(((await response.json()) as { schema: string }).schema, 'behind')
    await other.close()
  })

  it('answers JSON that no cache stores and no browser reads as another type', async () => {
    const { call } = await service.workspace()
    const answers = [
      await call('GET', '/people'),
      await call('PATCH', '/workspace', {}),
      await call('PATCH', '/workspace', { more: 1 }),
      await call('GET', '/no/such'),
      await ask('/api/v1'),
      await ask('/livez'),
      await ask('/openapi.json'),
    ]
    for (const { headers } of answers) {
      match(headers.get('content-type') ?? '', /json/)
      equal(headers.get('cache-control'), 'no-store')
      equal(headers.get('x-content-type-options'), 'nosniff')
    }
    const raw = openRaw(service.url, 'NONSENSE', '/ x', {})
    const { head } = await raw.answered()
    match(head, /\r\nCache-Control: no-store/)
    match(head, /\r\nX-Content-Type-Options: nosniff/)
  })

  it('is measured', async () => {
    const { status, text, headers } = await ask('/metrics')
    equal(status, 200)
    match(headers.get('content-type') ?? '', /^text\/plain/)
    match(text, /^postroom_http_request_seconds_count\{/m)
    match(text, /^postroom_outbox_oldest_seconds /m)
  })

  describe('the unsubscribe page', () => {
    async function letter() {
      const room = await givenRoom(service)
      const token = randomBytes(24).toString('base64url')
      const { db, clock } = service
      const touches = [
        { id: newId('tch'), place: 2, state: 'queued' as const, token },
        { id: newId('tch'), place: 3, state: 'review' as const },
      ]
      await db
        .insertInto('touches')
        .values(
          touches.map((touch) => ({
            ...touch,
            workspace: room.id,
            campaign: room.parents.campaigns as string,
            person: room.person,
            dueAt: clock.now(),
            createdAt: clock.now(),
          })),
        )
        .execute()
      const reasons = async () =>
        (
          await db
            .selectFrom('touches')
            .select(['state', 'reason'])
            .where('person', '=', room.person)
            .where('place', '>', 1)
            .execute()
        ).map(({ state, reason }) => `${state} ${reason}`)
      return { ...room, token, reasons }
    }

    it('changes nothing on GET, and unsubscribes on POST, also when repeated', async () => {
      const { token, reasons, call } = await letter()
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(`/u/${token}`, { method })
        equal(status, 200)
        match(headers.get('content-type') ?? '', /^text\/html/)
        const policy = headers.get('content-security-policy') ?? ''
        for (const said of ["frame-ancestors 'none'", "base-uri 'none'"]) ok(policy.includes(said))
      }
      deepEqual(await reasons(), ['queued null', 'review null'])
      for (const _ of ['once', 'twice']) {
        const { status } = await ask(`/u/${token}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
        })
        equal(status, 200)
      }
      deepEqual(await reasons(), ['failed unsubscribed', 'failed unsubscribed'])
      const { entries } = (await call('GET', '/audit')).body
      const own = entries.filter(
        ({ action }: { action: string }) => action === 'person.unsubscribed',
      )
      equal(own.length, 1)
      const events = await eventsOf(call, ({ kind }) => /unsubscribed|suppression/.test(kind), 2)
      deepEqual(
        events.map(({ kind }) => kind),
        ['suppression.added', 'person.unsubscribed'],
      )
    })

    it('still allows replies to the person', async () => {
      const { token, call, ids } = await letter()
      await ask(`/u/${token}`, { method: 'POST' })
      const path = `/conversations/${ids.conversations}/messages`
      equal((await call('POST', path, { text: 'Here you are.' })).status, 200)
    })

    it('accepts no other token and no other method', async () => {
      for (const token of ['', 'short', 'x'.repeat(32), '%00', '..%2f', 'x'.repeat(5000)])
        for (const method of ['GET', 'POST'])
          equal((await ask(`/u/${token}`, { method })).status, 404)
      const { status, headers } = await ask('/u/xxxxxxxxxxxx', { method: 'DELETE' })
      equal(`${status} ${headers.get('allow')}`, '405 GET, HEAD, POST')
    })
  })
})
