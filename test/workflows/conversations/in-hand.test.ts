import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { runWorker } from '../../../activities/worker/start.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { givenConversation, secretKey } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { bundle, eventually, startService, type TestService } from '../../support/service.ts'
import { testClient, testTemporal } from '../../support/temporal.ts'

/** A connection to a server that can be cut for a while. */
async function startLine(address: string) {
  const [host = '', port] = address.split(':')
  const sockets = new Set<Socket>()
  let cut = false
  const server = createServer((near) => {
    if (cut) return near.destroy()
    const far = connect(Number(port), host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      cut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      cut = false
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('a message that is being handed over', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: MailSink
  let line: Awaited<ReturnType<typeof startLine>>
  let cutOff: Awaited<ReturnType<typeof runWorker>>
  const taskQueue = `test-${randomUUID()}`

  before(async function () {
    const { address, namespace } = await testTemporal(this.test?.ctx)
    service = await startService()
    mail = await testMail()
    line = await startLine(address)
    const { db, clock, databaseUrl, url } = service
    cutOff = await runWorker({
      schedules: false,
      deps: {
        db,
        clock,
        secretKey,
        publicUrl: url,
        crash: () => {},
        log: createLog('test', 'silent'),
      },
      databaseUrl,
      namespace,
      taskQueue,
      connection: { address: line.address },
      only: ['send'],
      bundle: await bundle(),
    })
  })
  after(async () => {
    line?.mend()
    await cutOff?.stop()
    await service?.close()
    line?.close()
  })

  it("does not need a person's decision because its worker cannot reach Temporal", async function () {
    const { call, id, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    const email = `${randomUUID()}@client.example`
    const at = service.clock.now()
    const person = (await call('POST', '/people', { name: 'Cleo', email })).body.id
    const opened = { person, connection: connections[0], from: email, at }
    const conversation = await givenConversation(service.db, id, opened)
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    mail.script({
      onData: async () => {
        reached.resolve()
        await released.promise
        return undefined
      },
    })
    const key = randomUUID()
    await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' }, { key })
    await reached.promise
    const message = service.db
      .selectFrom('messages')
      .select(['state', 'reason', 'leasedUntil'])
      .where('workspace', '=', id)
      .where('operation', '=', `${id}:${key}`)
    const leased = (await message.executeTakeFirstOrThrow()).leasedUntil
    // Another worker, which would take the next attempt.
    await service.work(this.test?.ctx, {}, { taskQueue, only: ['send'] })
    line.cut()
    // Temporal misses the heartbeats, and the next attempt finds the letter in hand.
    const client = await testClient()
    const problem = async () => {
      const { raw } = await client.workflow.getHandle(`${id}:${key}`).describe()
      const [attempt] = raw.pendingActivities ?? []
      return attempt?.lastFailure?.applicationFailureInfo?.type
    }
    await eventually(problem, (type) => type === 'busy', 40_000)
    const { leasedUntil, ...shown } = await message.executeTakeFirstOrThrow()
    deepEqual(shown, { state: 'sending', reason: null })
    ok(leased && leasedUntil && leasedUntil > leased, 'its lease is renewed')
    released.resolve()
    const read = async () => (await call('GET', `/operations/${key}`)).body
    const { result } = await eventually(read, ({ state }) => state === 'done', 60_000)
    equal(result.state, 'sent')
    equal(mail.messages().filter(({ to }) => to[0] === email).length, 1)
    deepEqual((await call('GET', '/notifications')).body.notifications, [])
  })
})
