import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openDatabase } from '../../../db/database.ts'
import { freePort } from '../../../dev/stack/ports.ts'
import { ended } from '../../../dev/stack/processes.ts'
import { givenPeople, secretKey } from '../../support/given.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// The API in a process of its own, with its pools as it opens them.

describe('calls that wait with a connection', function () {
  this.timeout(90_000)
  let service: TestService
  let api: ChildProcess
  let url: string
  before(async () => {
    service = await startService()
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    api = spawn(process.execPath, ['api/server.ts'], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        PORT: String(port),
        DATABASE_URL: service.databaseUrl,
        SECRET_KEY: secretKey.current,
        DATABASE_POOL_READS: '3',
        DATABASE_POOL_CHANGES: '10',
      },
      stdio: 'ignore',
    })
    const lives = () =>
      fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(lives, (ready) => ready, 60_000)
  })
  after(async () => {
    api.kill('SIGKILL')
    await ended(api)
    await service.close()
  })

  it('of changes leave connections for reads and for the changes of others, however many there are', async () => {
    const { db, clock } = service
    const { id, token } = await service.workspace()
    const other = await service.workspace()
    const email = `${randomUUID()}@client.example`
    const [person] = await givenPeople(db, id, [{ name: 'Cleo', email }], clock.now())
    const call = (method: string, path: string, body?: unknown, by = token) =>
      fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${by}`,
          'content-type': 'application/json',
          ...(body !== undefined && { 'idempotency-key': randomUUID() }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).then((response) => response.status)
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = db.transaction().execute(async (trx) => {
      await sql`select from people where id = ${person} for update`.execute(trx)
      await until
    })
    const changes = Array.from({ length: 60 }, (_, i) =>
      call('PATCH', `/people/${person}`, { name: `Cleo ${i}` }),
    )
    try {
      await eventually(waiting, (n) => n >= 8)
      for (const path of [`/people/${person}`, '/people', '/conversations'])
        equal(await call('GET', path), 200, path)
      const made = { name: 'Kim', email: `${randomUUID()}@client.example` }
      equal(await call('POST', '/people', made, other.token), 200)
      equal(await fetch(`${url}/readyz`).then(({ status }) => status), 200)
      ok((await waiting()) >= 8, 'the changes still wait')
    } finally {
      release()
      await held
      for (const status of await Promise.all(changes)) equal(status, 200)
    }
  })

  it('of reads leave connections to find the callers, and are refused in seconds', async () => {
    const { token } = await service.workspace()
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
    const owner = openDatabase(service.ownerUrl, 1, { limits: { idleMs: 600_000 } })
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = owner.transaction().execute(async (trx) => {
      await sql`lock table people in access exclusive mode`.execute(trx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const reads = Array.from({ length: 6 }, () => ask('/people').then(({ status }) => status))
    try {
      await eventually(waiting, (n) => n >= 3)
      const began = performance.now()
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const made = await ask('/campaigns', { method: 'POST', headers, body: '{"goal":"Demo"}' })
      equal(made.status, 200)
      ok(performance.now() - began < 2_000 || (await waiting()) >= 3)
      deepEqual(await Promise.all(reads), [503, 503, 503, 503, 503, 503])
    } finally {
      release.resolve()
      await held
      await owner.destroy()
    }
  })

  async function waiting() {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
    return rows[0]?.n ?? 0
  }
})
