import { deepEqual, equal } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { recordEvents } from '../../../db/events/events.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { ended, reap } from '../../../dev/stack/processes.ts'
import type { Seen } from '../../support/event-streams/child.ts'
import { digestOf, openStreams } from '../../support/event-streams/clients.ts'
import { secretKey } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// As many streams and events as a busy workspace has, of an API that is killed. stream.test.ts has what a stream tells.

const tokens = 20
const streamsOfToken = 5
const events = 10_000
const eventsOfTransaction = 25
const writers = 4
/** While it is away, and once it is back, so many further events are written. */
const away = 1_000

describe('a hundred streams and ten thousand events, of an API that is killed', function () {
  this.timeout(600_000)
  let service: TestService
  let api: ChildProcess | undefined
  let port: number
  before(async () => {
    service = await startService()
    port = await freePort()
  })
  after(async () => {
    await kill()
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
    reap(api)
    const lives = () =>
      fetch(`${url()}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(lives, (ready) => ready, 120_000)
  }

  async function kill() {
    if (!api) return
    const killed = api
    api = undefined
    killed.kill('SIGKILL')
    await ended(killed)
  }

  it('tells every client every event once and in order', async () => {
    const { id, tokenWith } = await service.workspace()
    const ofClients = await Promise.all(
      Array.from({ length: tokens }, () => tokenWith(['inbox:read'])),
    )
    await start()
    const streams = openStreams({
      url: url(),
      tokens: ofClients.flatMap((token) => Array<string>(streamsOfToken).fill(token)),
    })
    const all = (are: (one: Seen) => boolean) =>
      eventually(
        () => streams.look(),
        (clients) => clients.length === tokens * streamsOfToken && clients.every(are),
        300_000,
      )
    try {
      await all(({ isOpen }) => isOpen)

      let begun = 0
      /** Until there are so many: several transactions at a time, which commit in another order than they began in. */
      const write = (until: number) =>
        Promise.all(
          Array.from({ length: writers }, async () => {
            while (begun < until) {
              const first = begun
              begun += eventsOfTransaction
              await service.db.transaction().execute(async (trx) => {
                const told = Array.from({ length: eventsOfTransaction }, (_, i) => ({
                  resource: String(first + i),
                  data: {},
                }))
                const event = { workspace: id, kind: 'senders.checked' as const, at: new Date() }
                await recordEvents(trx, event, told)
              })
            }
          }),
        )
      // A third while it tells them, and some while it is away; it is killed while some clients have had more than others.
      for (let deaths = 1; deaths <= 2; deaths++) {
        const before = begun
        const writing = write(before + events / 3)
        await eventually(
          () => streams.look(),
          (clients) => clients.some((client) => client.events > before + events / 10),
          120_000,
        )
        await kill()
        await writing
        await write(begun + away)
        await start()
        await all(({ answers }) => (answers['200'] ?? 0) > deaths)
      }
      await write(events)
      const clients = await all((client) => client.events >= events)

      const rows = await service.db
        .selectFrom('events')
        .select('resource')
        .where('workspace', '=', id)
        .where('kind', '=', 'senders.checked')
        .orderBy('xid')
        .orderBy('events.id')
        .execute()
      equal(rows.length, events)
      const wanted = digestOf(rows.map(({ resource }) => resource))
      for (const client of clients) {
        equal(client.events, events)
        equal(client.digest, wanted)
        // Whoever came back was never one too many.
        deepEqual(Object.keys(client.answers), ['200'])
      }
    } finally {
      await streams.stop()
    }
  })
})
