import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { notice } from '../../dev/operator/progress.ts'
import { freePort, loopback } from '../../dev/stack/ports.ts'
import {
  findTemporal,
  startTemporal,
  type Temporal,
  TemporalMissing,
} from '../../dev/stack/temporal.ts'
import { eventually } from '../support/service.ts'

// What npm start keeps of Temporal, which used to be written with a rollback journal.

describe('the file of the embedded Temporal', function () {
  this.timeout(90_000)
  let folder: string
  let command: string
  let server: Temporal | undefined
  before(async function () {
    try {
      command = await findTemporal(notice)
    } catch (error) {
      if (error instanceof TemporalMissing) this.skip()
      throw error
    }
    folder = mkdtempSync(join(tmpdir(), 'postroom-temporal-'))
    mkdirSync(join(folder, 'logs'))
  })
  after(async () => {
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('is taken over from a release with a rollback journal, and survives a killed server', async () => {
    const database = join(folder, 'temporal.db')
    const port = await freePort()
    await withOldServer(database, port, (client) => start(client, 'before'))
    equal(journalOf(database), 'rollback')

    server = await startTemporal({ folder, port, database, say: () => {} })
    await withClient(server.address, async (client) => {
      await start(client, 'after')
      deepEqual(await states(client), ['RUNNING', 'RUNNING'])
    })
    equal(journalOf(database), 'write-ahead log')
    ok(existsSync(`${database}-wal`))

    const first = server.pid()
    server.kill('SIGKILL')
    await eventually(
      async () => server?.pid(),
      (pid) => pid !== undefined && pid !== first,
      20_000,
    )
    await withClient(server.address, async (client) => {
      const seen = await eventually(
        () => states(client).catch(() => []),
        (some) => some.length === 2,
        20_000,
      )
      deepEqual(seen, ['RUNNING', 'RUNNING'])
    })
  })

  /** A dev server as earlier releases started it. */
  async function withOldServer(
    database: string,
    port: number,
    work: (client: Client) => Promise<unknown>,
  ) {
    const old = spawn(
      command,
      [
        ...['server', 'start-dev', '--ip', loopback, '--port', String(port), '--headless'],
        ...['--log-level', 'never', '--db-filename', database],
      ],
      { stdio: 'ignore' },
    )
    const ended = once(old, 'exit')
    try {
      await withClient(`${loopback}:${port}`, (client) =>
        eventually(
          () =>
            work(client).then(
              () => true,
              () => false,
            ),
          Boolean,
          20_000,
        ),
      )
    } finally {
      old.kill('SIGINT')
      await ended
    }
  }
})

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = Connection.lazy({ address })
  try {
    return await work(new Client({ connection }))
  } finally {
    await connection.close()
  }
}

const start = (client: Client, workflowId: string) =>
  client.workflow.start('sleeper', { workflowId, taskQueue: 'nobody', args: [] })

const states = (client: Client) =>
  Promise.all(
    ['before', 'after'].map(
      async (id) => (await client.workflow.getHandle(id).describe()).status.name,
    ),
  )

/** What the header of a SQLite file says of it (bytes 18 and 19). */
function journalOf(database: string) {
  const header = readFileSync(database)
  return header[18] === 2 && header[19] === 2 ? 'write-ahead log' : 'rollback'
}
