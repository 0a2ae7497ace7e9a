import { equal, match, rejects } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../db/database.ts'
import { refusePooler } from '../../db/pooler.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { postgresUser } from '../../dev/stack/postgres-root.ts'
import { ended } from '../../dev/stack/processes.ts'
import { secretKey } from '../support/given.ts'
import { atEnd } from '../support/hooks.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { eventually } from '../support/service.ts'

const isInstalled = () => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('A pooler before Postgres', function () {
  this.timeout(120_000)
  let database: TestDatabase
  before(async function () {
    if (!isInstalled()) return this.skip()
    database = await createTestDatabase()
  })
  after(() => database?.drop())

  /** The address of the database behind a PgBouncer. */
  async function behind(mode: 'session' | 'transaction' | 'statement', more = '') {
    const to = new URL(database.url)
    const folder = mkdtempSync(join(tmpdir(), 'postroom-pooler-'))
    chmodSync(folder, 0o755)
    const port = await freePort()
    const users = join(folder, 'users')
    writeFileSync(users, `"${to.username}" "${decodeURIComponent(to.password)}"\n`, { mode: 0o644 })
    const file = join(folder, 'pgbouncer.ini')
    const lines = [
      '[databases]',
      `* = host=${to.hostname} port=${to.port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = plain\nauth_file = ${users}`,
      `pool_mode = ${mode}\nmax_client_conn = 50\ndefault_pool_size = 10\nquery_wait_timeout = 5`,
      more,
    ]
    writeFileSync(file, lines.join('\n'), { mode: 0o644 })
    const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...postgresUser() })
    atEnd(async () => {
      child.kill('SIGKILL')
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    })
    const answers = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true))
        socket.on('error', () => resolve(false))
        socket.unref()
      })
    await eventually(answers, Boolean, 30_000)
    const url = new URL(to)
    url.port = String(port)
    return url.href
  }

  async function asked(url: string) {
    const db = openDatabase(url, 2, { work: 'reads', connectMs: 30_000 })
    return refusePooler(db).finally(() => db.destroy())
  }

  it('is refused where it changes connections after each transaction, whichever it takes next', async () => {
    for (const [mode, more] of [
      ['transaction', ''],
      ['transaction', 'server_round_robin = 1\nmin_pool_size = 4'],
    ] as const) {
      const url = await behind(mode, more)
      await rejects(asked(url), /pooler that changes connections/, `${mode} ${more}`)
      // With connections that others have opened, too.
      await rejects(asked(url), /pooler that changes connections/, `${mode} ${more}`)
    }
  })

  it('is taken where each client has a connection of its own, as Postgres itself is', async () => {
    await asked(await behind('session'))
    await asked(database.url)
  })

  for (const process of ['api/server.ts', 'activities/worker.ts'])
    it(`lets no ${process} start, which says why`, async () => {
      const child = spawn(globalThis.process.execPath, [process], {
        env: {
          PATH: globalThis.process.env['PATH'],
          DATA_DIR: '/nowhere',
          PORT: String(await freePort()),
          DATABASE_URL: await behind('transaction'),
          SECRET_KEY: secretKey.current,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stdout.on('data', (text) => {
        said += text
      })
      await ended(child)
      equal(child.exitCode, 1, said)
      match(said, /pool_mode = session/)
    })
})
