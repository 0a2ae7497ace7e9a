import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { givenPeople } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { pythonBin } from '../../support/python.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { troubledLine } from '../../support/troubled-line.ts'
import { kinds, type Python, PythonError, startDriver } from './python.ts'

type Named = { name: string; email: string; resource: string; cursor: string }

for (const kind of kinds)
  describe(`what ${kind} of Python reads`, function () {
    this.timeout(60_000)
    let service: SharedService
    let python: Python
    let at: Awaited<ReturnType<typeof given>>
    async function given() {
      const workspace = await service.workspace()
      const line = await troubledLine(service.url)
      await python.client({ url: `${line.url}/api/v1`, token: workspace.token })
      return { ...workspace, line }
    }
    before(async function () {
      this.timeout(600_000)
      const bin = await pythonBin(this)
      service = await sharedService(this.test?.ctx)
      python = startDriver(bin, kind)
    })
    after(() => void python?.close())
    beforeEach(async () => {
      at = await given()
    })
    afterEach(() => at.line.close())

    describe('a list', () => {
      const names = Array.from({ length: 25 }, (_, i) => `Person ${String(i).padStart(2, '0')}`)
      beforeEach(() =>
        givenPeople(
          service.db,
          at.id,
          names.map((name, i) => ({ name, email: `p${i}@client.example` })),
          service.clock.now(),
        ),
      )
      const namesOf = (people: Named[]) => people.map(({ name }) => name)

      it('is a page where that is asked for', async () => {
        const { people, next } = await python.page('list_people', { limit: 10 })
        deepEqual(namesOf(people), names.slice(0, 10))
        ok(next)
        equal(at.line.requests.length, 1)
      })

      it('is all entries where it is iterated, although pages are lost', async () => {
        at.line.set((n) => (n % 2 === 1 ? 'half a body' : undefined))
        deepEqual(namesOf(await python.take(1_000, 'list_people', { limit: 10 })), names)
        equal(at.line.requests.length, 6)
      })

      it('asks for no page that nobody wants', async () => {
        await python.take(10, 'list_people', { limit: 10 })
        equal(at.line.requests.length, 1)
      })

      it('takes parameters as the API does', async () => {
        const fields = { 'tier one': 'gold' }
        await python.call('create_person', [], { email: 'kim@client.example', fields })
        const found: Named[] = await python.take(100, 'list_people', { field: fields })
        deepEqual(
          found.map(({ email }) => email),
          ['kim@client.example'],
        )
        const { results } = await python.page('search', { q: 'kim', kind: ['person', 'note'] })
        deepEqual(
          results.map((one: { kind: string }) => one.kind),
          ['person'],
        )
        const events = await python.page('list_events', {
          kinds: ['person.*', 'deal.*'],
          from_: 'now',
        })
        deepEqual(events.events, [])
      })
    })

    it('is refused by code, with the members of the code', async () => {
      const error = await python.call('get_person', ['per_nobody']).catch((error) => error)
      ok(error instanceof PythonError)
      const { kind, code, status, request_id: request, problem } = error.failure
      deepEqual([kind, code, status], ['Refusal', 'not_found', 404])
      equal(request, problem?.['requestId'])
      const made = await python.call('create_campaign', [], { name: 'Empty' })
      const refused = await python
        .call('set_campaign_state', [made.id], { to: 'running' })
        .catch((error) => error)
      equal(refused.code, 'campaign_incomplete')
      ok(
        refused.failure.problem.missing.some(({ field }: { field: string }) => field === 'segment'),
      )
    })

    it('has an etag, with which a change demands that nothing has changed', async () => {
      const { id } = await python.call('create_person', [], { email: 'kim@client.example' })
      const { body, etag } = await python.answer('get_person', [id])
      equal(body.id, id)
      await python.call('update_person', [id], { city: 'Rome', if_match: etag })
      const late = python.call('update_person', [id], { city: 'Bern', if_match: etag })
      await rejects(late, { code: 'changed_meanwhile' })
      // What is left out stays, and an empty text empties.
      const emptied = await python.call('update_person', [id], { city: '' })
      deepEqual([emptied.email, emptied.city], ['kim@client.example', ''])
    })

    it('waits for the end of an operation', async () => {
      const content = Buffer.from('email\nkim@client.example').toString('base64')
      const file = { name: 'people.csv', content }
      await python.call('import_people', [], { file, commit: true, step: 'import' })
      const { kind: what, state } = await python.call('wait', [], { step: 'import' })
      deepEqual([what, state], ['importPeople', 'done'])
      await rejects(python.call('wait', ['never-used']), { code: 'not_found' })
      await rejects(python.call('wait'), { code: 'invalid_options' })
    })

    describe('events', () => {
      const create = async (n: number) => {
        for (let i = 0; i < n; i++)
          await at.call('POST', '/people', { email: `e${i}@client.example` })
      }

      /** Reads so many events in sittings of different lengths, each of which begins after the last event of the one before. */
      async function inSittings(all: number, method: string, kwargs = {}) {
        const events: Named[] = []
        let after = (await python.page('list_events', { from_: 'now', limit: 1 })).cursor
        const creating = create(all)
        for (let sitting = 1; events.length < all; sitting++) {
          const n = Math.min(1 + (sitting % 4), all - events.length)
          events.push(...(await python.take(n, method, { after, ...kwargs })))
          after = events.at(-1)?.cursor
        }
        await creating
        return events.map(({ resource }) => resource)
      }
      const expected = async () => {
        const { body } = await at.call('GET', '/events?kinds=person.created&limit=200')
        return body.events.map(({ resource }: Named) => resource)
      }

      it('come once and in order, by calls that are lost and repeated', async () => {
        at.line.set((n) => (n % 3 === 0 ? 'half a body' : undefined))
        const read = await inSittings(30, 'follow_events', { kinds: ['person.created'] })
        deepEqual(read, await expected())
      })

      it('come once and in order, by a stream that is cut', async () => {
        const cutting = setInterval(() => at.line.cut(), 400)
        atEnd(async () => clearInterval(cutting))
        const read = await inSittings(30, 'stream_events')
        clearInterval(cutting)
        deepEqual(read, await expected())
      })

      it('are refused where the token may not read them', async () => {
        await python.client({ url: `${at.line.url}/api/v1`, token: 'prm_unknown' })
        for (const method of ['follow_events', 'stream_events'])
          await rejects(python.take(1, method), { code: 'invalid_token' })
      })
    })

    describe('with its token', () => {
      it('goes to no other address than its own', async () => {
        const asked: (string | undefined)[] = []
        const other = createServer((request, response) => {
          asked.push(request.headers.authorization)
          response.end('{}')
        })
        await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
        const place = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
        for (const status of [301, 302, 303, 307, 308]) {
          const leading = createServer((_, response) =>
            response.writeHead(status, { location: place, 'set-cookie': 'a=b' }).end(),
          )
          await new Promise<void>((resolve) => leading.listen(0, '127.0.0.1', resolve))
          const url = `http://127.0.0.1:${(leading.address() as AddressInfo).port}/api/v1`
          await python.client({ url, token: at.token })
          await rejects(python.call('get_identity'), { code: 'redirected' })
          const change = python.call('create_person', [], { email: 'a@client.example' })
          await rejects(change, { code: 'redirected' })
          leading.closeAllConnections()
          leading.close()
        }
        other.close()
        deepEqual(asked, [])
      })

      it('is never in an address', async () => {
        await python.call('get_identity')
        ok(at.line.requests.every(({ path }) => !path.includes(at.token)))
      })

      it('leads no id to another address', async () => {
        for (const id of ['', '.', '..'])
          await rejects(python.call('get_person', [id]), { code: 'invalid_options' })
        equal(at.line.requests.length, 0)
        const other = python.call('get_person', ['../conversations?limit=1'])
        await rejects(other, { code: 'not_found' })
        equal(at.line.requests.length, 1)
      })

      for (const url of [
        'http://postroom.firm.example/api/v1',
        'http://127.firm.example/api/v1',
        'ftp://127.0.0.1/api/v1',
        'https://user:secret@postroom.firm.example/api/v1',
        'https://postroom.firm.example/api/v1?token=1',
        'postroom',
        '',
      ])
        it(`is not given to ${url || 'nothing'}`, async () => {
          await rejects(python.client({ url, token: at.token }), { code: 'invalid_options' })
        })

      it('is one', async () => {
        await python.client({ url: `${at.line.url}/api/v1`, token: 'two words' })
        await rejects(python.call('get_identity'), { code: 'invalid_options' })
      })
    })
  })
