import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { verifyWebhook } from '../../../clients/typescript/src/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { givenClient } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { startReceiver } from '../../support/receiver.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

/** An address that stays while the process behind it is another one, as that of a deployment does. */
async function address(first: string) {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const { port } = new URL(target)
    const behind = connect(Number(port), '127.0.0.1')
    for (const one of [socket, behind]) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        socket.destroy()
        behind.destroy()
      })
    }
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    for (const one of open) one.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (to: string) => {
      target = to
    },
  }
}

describe('postroom, following', function () {
  this.timeout(240_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    const reads = await workspace.tokenWith(['inbox:read'])
    let n = 0
    const texts: string[] = []
    const note = async () => {
      texts.push(`Note ${++n}`)
      const path = `/conversations/${conversation}/notes`
      const { body } = await workspace.call('POST', path, { text: texts.at(-1) })
      ok(body.id)
    }
    return { ...workspace, reads, note, own: commandLine() }
  }

  it('events goes on through a restart of the API, without a gap or a repeat', async () => {
    const { own, reads, note } = await given()
    const api = () => startService({ databaseUrl: service.databaseUrl })
    let serving = await api()
    const at = await address(serving.url)
    await own.login(at.url, reads)
    const follows = own.go(['events', '--follow', '--json', '--kinds', 'conversation.noted'])
    // It may not have begun yet: what comes after its beginning comes whole.
    await eventually(
      async () => {
        await note()
        return follows.lines().length
      },
      (lines) => lines > 0,
    )
    for (let restart = 0; restart < 2; restart++) {
      await serving.close()
      for (let i = 0; i < 3; i++) await note()
      serving = await api()
      at.lead(serving.url)
      for (let i = 0; i < 3; i++) await note()
    }
    // The notes themselves, in order, are what it has to have shown.
    const path = '/events?kinds=conversation.noted&limit=200'
    const { events } = (await caller(service.url, reads)(path)) as { events: { id: string }[] }
    const expected = events.map(({ id }) => id)
    const seen = () => follows.lines().map((line) => JSON.parse(line).id)
    await eventually(
      async () => seen(),
      (ids) => ids.at(-1) === expected.at(-1),
      60_000,
    )
    deepEqual(seen(), expected.slice(expected.indexOf(seen()[0])))
    ok(seen().length >= 13)
    match(follows.said.err, /No answer from .* yet; trying again\.[\s\S]*The service is back\./)
    deepEqual(await follows.end(), { code: 130, by: null })
    await serving.close()
  })

  it('events ends cleanly with Ctrl-C, and says where it goes on', async () => {
    const { own, reads, note } = await given()
    await own.login(service.url, reads)
    const follows = own.go(['events', '--follow'])
    await follows.says(/Following/)
    await note()
    await follows.comes(1)
    equal((await follows.end()).code, 130)
    const after = /--after (\S+)/.exec(follows.said.err)?.[1]
    ok(after)
    await note()
    const { out } = await own.run(['events', '--after', after, '--json'])
    equal(out.trim().split('\n').length, 1)
  })

  it('listen brings each event once to a program that checks signatures, also after a restart', async () => {
    const { own, reads, note, id } = await given()
    const receiver = await startReceiver([204])
    await own.login(service.url, reads)
    const args = ['listen', '--forward', receiver.url, '--kinds', 'conversation.noted']
    const first = own.go(args)
    await first.says(/Ctrl-C ends it/)
    await first.comes(3)
    const secret = /secret +(whsec_\S+)/.exec(first.said.out)?.[1] ?? ''
    await note()
    await eventually(
      async () => receiver.got.length,
      (n) => n === 1,
      60_000,
    )
    await eventually(
      async () => first.lines(),
      (lines) => lines.some((l) => l.startsWith('204')),
    )
    equal((await first.end('SIGKILL')).by, 'SIGKILL')
    await note()
    await note()
    const second = own.go(args)
    await eventually(
      async () => new Set(receiver.got.map(idOf)).size,
      (n) => n === 3,
      60_000,
    )
    await eventually(
      async () => second.lines().length,
      (n) => n >= 5,
      60_000,
    )
    ok(second.said.out.includes(secret))
    match(second.said.err, /goes on where it was/)
    equal((await second.end()).code, 130)

    const ids: unknown[] = []
    for (const delivery of receiver.got) {
      // Both our own check and that of the library of Standard Webhooks.
      const { text: body, headers } = delivery
      const event = await verifyWebhook({ body, headers, secret })
      deepEqual(receiver.read(delivery, secret), event)
      equal(event.type, 'conversation.noted')
      equal(event.data.workspace, id)
      if (!ids.includes(event.data.id)) ids.push(event.data.id)
    }
    equal(ids.length, 3)
    const folder = join(own.home, 'listen')
    for (const file of readdirSync(folder)) equal(statSync(join(folder, file)).mode & 0o777, 0o600)
  })

  it('listen sends an event again until the program takes it, or leaves it out if it is told so', async () => {
    const { own, reads, note } = await given()
    const receiver = await startReceiver([500, 302, 204])
    await own.login(service.url, reads)
    const args = ['listen', '--forward', receiver.url, '--kinds', 'conversation.noted', '--json']
    const listens = own.go(args)
    await listens.comes(1)
    await note()
    await listens.comes(4)
    const shown = listens.lines().map((line) => JSON.parse(line))
    deepEqual(
      shown.slice(1).map(({ status }) => status),
      [500, 302, 204],
    )
    equal(new Set(receiver.got.map(idOf)).size, 1)
    await listens.end()
    const refuses = await startReceiver([500])
    const leaves = own.go([
      'listen',
      '--forward',
      refuses.url,
      ...args.slice(3, 5),
      '--tries',
      '1',
      '--json',
    ])
    await leaves.comes(1)
    await note()
    await note()
    await leaves.comes(3)
    await leaves.end()
    equal(new Set(refuses.got.map(idOf)).size, 2)
  })
})

const idOf = ({ headers }: { headers: Record<string, unknown> }) => headers['webhook-id']

const caller = (url: string, token: string) => async (path: string) =>
  (await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
