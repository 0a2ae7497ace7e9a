import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { recordEvent } from '../../../db/events/events.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { ended } from '../../../dev/stack/processes.ts'
import { secretKey } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// The stream of events, from a service and from a process that is killed.

type Told = { id: string; event: string; data: { resource: string; id: string; kind: string } }

/** A client as EventSource is one: it comes back with the id of the last event that it has had. */
function openClient(urlOf: () => string, token: string, first = '') {
  const told: Told[] = []
  const statuses: number[] = []
  const stopping = new AbortController()
  let last = ''
  const once = async () => {
    const response = await fetch(`${urlOf()}/api/v1/events/stream${first}`, {
      headers: { authorization: `Bearer ${token}`, ...(last && { 'last-event-id': last }) },
      signal: stopping.signal,
    })
    statuses.push(response.status)
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
  }
  const take = (block: string) => {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]),
    )
    if (fields['id']) last = fields['id']
    if (fields['data'])
      told.push({ id: last, event: fields['event'] ?? '', data: JSON.parse(fields['data']) })
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await once().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    told,
    statuses,
    isOpen: () => last !== '',
    async stop() {
      stopping.abort()
      await running
    },
  }
}

describe('GET /events/stream', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const recorder = async () => {
    const workspace = await service.workspace()
    const record = (resource: string) =>
      recordEvent(service.db, {
        workspace: workspace.id,
        kind: 'senders.checked',
        at: service.clock.now(),
        resource,
      })
    return { ...workspace, record }
  }
  const resources = (told: Told[]) => told.map(({ data }) => data.resource)

  it('tells each event as GET /events has it, with its cursor', async () => {
    const { call, token, record } = await recorder()
    const client = openClient(() => service.url, token)
    await eventually(async () => client.isOpen(), Boolean)
    await record('first')
    await eventually(
      async () => client.told.length,
      (count) => count === 1,
    )
    const { events } = (await call('GET', '/events')).body
    deepEqual(client.told[0]?.data, events[0])
    equal(client.told[0]?.event, 'senders.checked')
    await client.stop()
    // Its id is the cursor of GET /events, and the other way around.
    await record('second')
    const { id } = client.told[0] as Told
    const { body } = await eventually(
      () => call('GET', `/events?cursor=${id}`),
      (reply) => reply.body.events.length > 0,
    )
    equal(body.events[0].resource, 'second')
    const again = openClient(() => service.url, token, `?cursor=${id}`)
    await eventually(
      async () => again.told.length,
      (count) => count === 1,
    )
    deepEqual(resources(again.told), ['second'])
    await again.stop()
  })

  it('answers headers for streams, tells other workspaces nothing, and refuses what is wrong', async () => {
    const [ours, theirs] = [await recorder(), await recorder()]
    const client = openClient(() => service.url, theirs.token)
    await eventually(async () => client.isOpen(), Boolean)
    await ours.record('ours')
    const head = await fetch(`${service.url}/api/v1/events/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${ours.token}` },
    })
    equal(head.status, 200)
    match(head.headers.get('content-type') ?? '', /^text\/event-stream/)
    equal(head.headers.get('cache-control'), 'no-store')
    equal((await ours.call('GET', '/events/stream?cursor=nonsense')).status, 400)
    const token = await ours.tokenWith(['send'])
    equal((await ours.call('GET', '/events/stream', undefined, { token })).status, 403)
    await theirs.record('theirs')
    await eventually(
      async () => client.told.length,
      (count) => count > 0,
    )
    deepEqual(resources(client.told), ['theirs'])
    await client.stop()
  })

  it('is open five times a token', async () => {
    const { call, token, tokenWith } = await recorder()
    const clients = Array.from({ length: 5 }, () => openClient(() => service.url, token))
    await eventually(async () => clients.every((client) => client.isOpen()), Boolean)
    const { status, body, headers } = await call('GET', '/events/stream')
    deepEqual([status, body.code], [429, 'rate_limited'])
    ok(Number(headers.get('retry-after')) > 0)
    const other = openClient(() => service.url, await tokenWith(['inbox:read']))
    await eventually(async () => other.isOpen(), Boolean)
    for (const client of [...clients, other]) await client.stop()
    const next = openClient(() => service.url, token)
    await eventually(async () => next.isOpen(), Boolean)
    await next.stop()
  })
})

describe('GET /events/stream of a process that is killed', function () {
  this.timeout(180_000)
  let service: TestService
  let api: ChildProcess
  let port: number
  before(async () => {
    service = await startService()
    port = await freePort()
  })
  after(async () => {
    api.kill('SIGKILL')
    await ended(api)
    await service.close()
  })
  const url = () => `http://127.0.0.1:${port}`

  async function start() {
    api = spawn(process.execPath, ['api/server.ts'], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        PORT: String(port),
        DATABASE_URL: service.databaseUrl,
        SECRET_KEY: secretKey.current,
      },
      stdio: 'ignore',
    })
    const lives = () =>
      fetch(`${url()}/livez`).then(
        ({ ok: is }) => is,
        () => false,
      )
    await eventually(lives, (ready) => ready, 60_000)
  }

  it('tells every client every event once and in order, and ends when it is told to stop', async () => {
    const { id, tokenWith } = await service.workspace()
    await start()
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenWith(['inbox:read'])))
    const clients = tokens.flatMap((token) =>
      Array.from({ length: 5 }, () => openClient(url, token)),
    )
    await eventually(async () => clients.every((client) => client.isOpen()), Boolean, 30_000)
    let count = 0
    let writing = true
    // Several transactions at a time, which commit in another order than they began in.
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) {
        await service.db.transaction().execute(async (trx) => {
          for (let i = 0; i < 2; i++) {
            const resource = String(count++)
            await recordEvent(trx, {
              workspace: id,
              kind: 'senders.checked',
              at: new Date(),
              resource,
            })
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
          }
        })
      }
    })
    for (let i = 0; i < 2; i++) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      api.kill('SIGKILL')
      await ended(api)
      await start()
      const isBack = ({ statuses }: { statuses: number[] }) => statuses.length >= i + 2
      await eventually(async () => clients.every(isBack), Boolean, 30_000)
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    writing = false
    await Promise.all(writers)
    const { rows } = await eventually(
      async () => ({ rows: clients.map(({ told }) => told.length) }),
      ({ rows: lengths }) => lengths.every((length) => length >= count),
      30_000,
    )
    deepEqual(new Set(rows), new Set([count]))
    const events = await service.db
      .selectFrom('events')
      .select('resource')
      .where('workspace', '=', id)
      .where('kind', '=', 'senders.checked')
      .orderBy('xid')
      .orderBy('events.id')
      .execute()
    const wanted = events.map(({ resource }) => resource)
    equal(wanted.length, count)
    for (const { told } of clients)
      deepEqual(
        told.map(({ data }) => data.resource),
        wanted,
      )
    for (const { statuses } of clients) deepEqual(new Set(statuses), new Set([200]))

    api.kill('SIGTERM')
    await ended(api)
    equal(api.exitCode, 0)
    await Promise.all(clients.map((client) => client.stop()))
  })
})
