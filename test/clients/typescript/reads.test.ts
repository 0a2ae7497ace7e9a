import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createClient,
  type KeptEvent,
  type PersonList,
  problemOf,
  Refusal,
} from '../../../clients/typescript/src/index.ts'
import { givenPeople } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { troubledLine } from '../../support/troubled-line.ts'

async function given(service: SharedService) {
  const workspace = await service.workspace()
  const line = await troubledLine(service.url)
  const client = createClient({ url: `${line.url}/api/v1`, token: workspace.token })
  return { ...workspace, line, client }
}

describe('what @postroom/client reads', () => {
  let service: SharedService
  let at: Awaited<ReturnType<typeof given>>
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })
  beforeEach(async () => {
    at = await given(service)
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

    it('is a page where it is awaited', async () => {
      const page: PersonList = await at.client.listPeople({ limit: 10 })
      deepEqual(
        page.people.map(({ name }) => name),
        names.slice(0, 10),
      )
      ok(page.next)
    })

    it('is all entries where it is iterated, although pages are lost', async () => {
      at.line.set((n) => (n % 2 === 1 ? 'half a body' : undefined))
      const read: string[] = []
      for await (const { name } of at.client.listPeople({ limit: 10 })) read.push(name)
      deepEqual(read, names)
      equal(at.line.requests.length, 6)
    })

    it('asks for no page that nobody wants', async () => {
      for await (const { name } of at.client.listPeople({ limit: 10 })) if (name === names[9]) break
      equal(at.line.requests.length, 1)
    })

    it('takes parameters as the API does', async () => {
      await at.client.createPerson({ email: 'kim@client.example', fields: { 'tier one': 'gold' } })
      const found: string[] = []
      for await (const { email } of at.client.listPeople({ field: { 'tier one': 'gold' } }))
        found.push(email ?? '')
      deepEqual(found, ['kim@client.example'])
      const { results } = await at.client.search({ q: 'kim', kind: ['person', 'note'] })
      deepEqual(
        results.map(({ kind }) => kind),
        ['person'],
      )
    })
  })

  it('is refused by code, with the members of the code', async () => {
    const error = await at.client.getPerson('per_nobody').catch((error) => error)
    ok(error instanceof Refusal)
    deepEqual(
      [error.code, error.status, error.requestId],
      ['not_found', 404, error.problem.requestId],
    )
    const made = await at.client.createCampaign({ name: 'Empty' })
    const problem = problemOf(
      await at.client.setCampaignState(made.id, { to: 'running' }).catch((error) => error),
    )
    switch (problem?.code) {
      case 'campaign_incomplete':
        ok(problem.missing.some(({ field }) => field === 'segment'))
        break
      default:
        throw new Error(`It is ${problem?.code}`)
    }
  })

  it('names candidates where a call leaves them open', async () => {
    await at.client.createPerson({ email: 'kim@client.example' })
    const problem = problemOf(
      await at.client
        .openConversation({ to: 'kim@client.example', subject: 'Hello', text: 'Hello.' })
        .catch((error) => error),
    )
    ok(problem?.code === 'sender_ambiguous')
    deepEqual(problem.candidates.map(({ id }) => id).sort(), [...at.connections].sort())
  })

  it('has an etag, with which a change demands that nothing has changed', async () => {
    const { id } = await at.client.createPerson({ email: 'kim@client.example' })
    const { body, etag } = await at.client.getPerson(id).answer()
    equal(body.id, id)
    await at.client.updatePerson(id, { city: 'Rome' }, { ifMatch: etag })
    const late = at.client.updatePerson(id, { city: 'Bern' }, { ifMatch: etag })
    await rejects(late, { code: 'changed_meanwhile' })
  })

  it('waits for the end of an operation', async () => {
    const key = 'import-1'
    const file = { name: 'people.csv', content: btoa('email\nkim@client.example') }
    await at.client.importPeople({ file, commit: true }, { key })
    const operation = await at.client.wait(key)
    deepEqual([operation.kind, operation.state], ['importPeople', 'done'])
    await rejects(at.client.wait('never-used'), { code: 'not_found' })
  })

  describe('events', () => {
    const create = async (n: number) => {
      for (let i = 0; i < n; i++)
        await at.call('POST', '/people', { email: `e${i}@client.example` })
    }
    const start = async () => (await at.client.listEvents({ from: 'now', limit: 1 })).cursor

    /** Reads so many events in sittings of different lengths, each of which begins after the last event of the one before. */
    async function inSittings(
      all: number,
      read: (after: string, signal: AbortSignal) => AsyncIterable<KeptEvent>,
    ) {
      const events: KeptEvent[] = []
      let after = await start()
      const creating = create(all)
      for (let sitting = 1; events.length < all; sitting++) {
        const ended = new AbortController()
        let n = 0
        for await (const event of read(after, ended.signal)) {
          events.push(event)
          after = event.cursor
          if (++n === sitting % 4 || events.length === all) break
        }
      }
      await creating
      return events.map(({ resource }) => resource)
    }
    const expected = async () => {
      const { body } = await at.call('GET', '/events?kinds=person.created&limit=200')
      return body.events.map(({ resource }: { resource: string }) => resource)
    }

    it('come once and in order, by calls that are lost and repeated', async () => {
      at.line.set((n) => (n % 3 === 0 ? 'half a body' : undefined))
      const kinds = ['person.created']
      const read = await inSittings(30, (after, signal) =>
        at.client.followEvents({ after, kinds, signal }),
      )
      deepEqual(read, await expected())
    })

    it('come once and in order, by a stream that is cut', async function () {
      this.timeout(60_000)
      const cutting = setInterval(() => at.line.cut(), 400)
      atEnd(async () => clearInterval(cutting))
      const read = await inSittings(30, (after, signal) =>
        at.client.streamEvents({ after, signal }),
      )
      clearInterval(cutting)
      deepEqual(read, await expected())
    })

    it('end with their signal', async () => {
      for (const follow of [at.client.followEvents, at.client.streamEvents]) {
        const why = new Error('enough')
        const ended = new AbortController()
        setTimeout(() => ended.abort(why), 300)
        const reading = follow({ after: await start(), signal: ended.signal }).next()
        await rejects(reading, why)
      }
    })

    it('are refused where the token may not read them', async () => {
      const client = createClient({ url: `${at.line.url}/api/v1`, token: 'prm_unknown' })
      for (const follow of [client.followEvents, client.streamEvents])
        await rejects(follow().next(), { code: 'invalid_token' })
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
          response.writeHead(status, { location: place }).end(),
        )
        await new Promise<void>((resolve) => leading.listen(0, '127.0.0.1', resolve))
        const url = `http://127.0.0.1:${(leading.address() as AddressInfo).port}/api/v1`
        const client = createClient({ url, token: at.token })
        await rejects(client.getIdentity(), { code: 'redirected' })
        await rejects(client.createPerson({ email: 'a@client.example' }), { code: 'redirected' })
        leading.close()
      }
      other.close()
      deepEqual(asked, [])
    })

    it('is never in an address', async () => {
      await at.client.getIdentity()
      ok(at.line.requests.every(({ path }) => !path.includes(at.token)))
    })

    it('leads no id to another address', async () => {
      for (const id of ['', '.', '..'])
        await rejects(at.client.getPerson(id), { code: 'invalid_options' })
      equal(at.line.requests.length, 0)
      await rejects(at.client.getPerson('../conversations?limit=1'), { code: 'not_found' })
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
        await rejects(async () => createClient({ url, token: at.token }), {
          code: 'invalid_options',
        })
      })
  })
})
