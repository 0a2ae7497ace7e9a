import { equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/database.ts'
import { keyId, seal } from '../../db/secrets.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { ended } from '../../dev/stack/processes.ts'
import { givenWorkspace, secretKey } from '../support/given.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { eventually } from '../support/service.ts'
import { testTemporal } from '../support/temporal.ts'

// What the processes report about themselves, queried as an operator's monitoring queries it.

describe('a process', function () {
  this.timeout(120_000)
  let database: TestDatabase
  const running: ChildProcess[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.kill('SIGKILL')
      await ended(child)
    }
    await database.drop()
  })

  function start(file: string, env: NodeJS.ProcessEnv) {
    const surroundings = {
      PATH: process.env['PATH'],
      DATA_DIR: '/nowhere',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey.current,
      ...env,
    }
    const child = spawn(process.execPath, [file], {
      env: surroundings,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    running.push(child)
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    return { child, said: () => said }
  }
  const answerOf = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.text(),
      () => '',
    )
  const numberOf = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    )
  async function api(env: NodeJS.ProcessEnv = {}) {
    const port = await freePort()
    const process = start('api/server.ts', { PORT: String(port), ...env })
    const url = `http://127.0.0.1:${port}`
    await eventually(
      () => answerOf(`${url}/livez`),
      (text) => text !== '',
      60_000,
    )
    return { ...process, metrics: () => answerOf(`${url}/metrics`) }
  }

  /** Blocks a process for a while, and checks that it reports that. */
  async function standsStill({ child, said, metrics }: Awaited<ReturnType<typeof api>>) {
    const lag = (stat: string) => `postroom_event_loop_lag_seconds{stat="${stat}"}`
    equal(numberOf(await metrics(), 'postroom_event_loop_blocked_seconds_total'), 0)
    child.kill('SIGSTOP')
    // Reported from one second on.
    await sleep(1_700)
    child.kill('SIGCONT')
    await eventually(
      async () => said(),
      (text) => text.includes('the event loop stood still'),
    )
    const line =
      said()
        .split('\n')
        .find((text) => text.includes('stood still')) ?? ''
    const { level, blockedMs } = JSON.parse(line)
    equal(level, 40)
    ok(blockedMs > 1_000, line)
    // The median needs some moments at which the process runs again.
    await sleep(1_000)
    const text = await metrics()
    ok(numberOf(text, lag('max')) > 1, text)
    ok(numberOf(text, lag('p50')) < numberOf(text, lag('max')), text)
    ok(numberOf(text, 'postroom_event_loop_blocked_seconds_total') > 1, text)
    ok(numberOf(text, 'postroom_memory_bytes') > 10_000_000, text)
  }

  it('of the API reports for how long its event loop was blocked', async () =>
    standsStill(await api()))

  it('of the worker does so too, beside the metrics of Temporal', async function () {
    const temporal = await testTemporal(this)
    const port = await freePort()
    const worker = start('activities/worker.ts', {
      METRICS_PORT: String(port),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      TEMPORAL_TASK_QUEUE: `alarms-${port}`,
    })
    const url = `http://127.0.0.1:${port}`
    const metrics = () => answerOf(`${url}/metrics`)
    await eventually(metrics, (text) => /^temporal_num_pollers/m.test(text), 60_000)
    equal(await answerOf(`${url}/livez`), '{"status":"ok"}')
    await standsStill({ ...worker, metrics })
  })

  it('is counted each time it starts', async () => {
    const name = 'postroom_process_starts_last_hour{process="api"}'
    const first = await api()
    equal(numberOf(await first.metrics(), name), 1)
    first.child.kill('SIGKILL')
    equal(numberOf(await (await api()).metrics(), name), 2)
  })

  it('with a different SECRET_KEY logs the ids of the keys when it starts, and serves', async () => {
    const db = openDatabase(database.url, 1)
    const { connections } = await givenWorkspace(db, new Date())
    const [id] = connections
    const other = 'another key than the one of the API'
    const secrets = seal({ current: other }, {}, { in: 'connections.secrets', id })
    await db.updateTable('connections').set({ secrets }).where('id', '=', id).execute()
    await db.destroy()
    const { said } = await api()
    await eventually(
      async () => said(),
      (text) => text.includes('SECRET_KEY_PREVIOUS'),
    )
    match(said(), new RegExp(`sealed under a SECRET_KEY with the id ${keyId(other)}`))
    match(said(), new RegExp(`its own is ${keyId(secretKey.current)}`))
    match(said(), /SECRET_KEY has fewer than 32 characters/)
  })

  it('with a SECRET_KEY that is too short does not start, and says why', async () => {
    const child = spawn(process.execPath, ['api/server.ts'], {
      env: { DATABASE_URL: database.url, SECRET_KEY: 'short', DATA_DIR: '/nowhere' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text) => {
      said += text
    })
    equal(await ended(child), 'exit code 1')
    match(said, /SECRET_KEY: must have 16 characters or more/)
  })
})
