import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { openClock } from '../../db/clock.ts'
import { compareClocks } from '../../db/machine-clock.ts'
import { commandFailed, enqueueStoredStart, lockCommands } from '../../db/operations/outbox.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { ended } from '../../dev/stack/processes.ts'
import { secretKey } from '../support/given.ts'
import { eventually, startService, type TestService } from '../support/service.ts'

const minute = 60_000
const isNear = (one: number, other: number, ms = 1_000) =>
  ok(Math.abs(one - other) < ms, `${one} is not near ${other}`)

describe("A machine whose clock differs from the database's", function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('goes by the database, ahead or behind, also where the business clock is another day', async () => {
    for (const offMs of [minute, -minute]) {
      const said: number[] = []
      const machine = await compareClocks(
        service.db,
        (aheadMs) => said.push(aheadMs),
        () => Date.now() + offMs,
      )
      isNear(machine.aheadMs(), offMs)
      isNear(machine.now(), Date.now())
      equal(said.length, 1)
      const clock = await openClock(service.db, undefined, machine)
      // The clock of the service, which has been set to another day.
      isNear(clock.now().getTime(), service.clock.now().getTime())
      isNear(clock.at(new Date()).getTime(), service.clock.now().getTime())
      machine.stop()
    }
  })

  it('notices when it is set, and is left as it is while it is in step', async () => {
    let offMs = 0
    const said: number[] = []
    const machine = await compareClocks(
      service.db,
      (aheadMs) => said.push(aheadMs),
      () => Date.now() + offMs,
    )
    offMs = 100
    await machine.look()
    const before = Date.now() + offMs
    ok(machine.now() - before < 100 && machine.now() >= before, 'it is not corrected')
    deepEqual(said, [])
    offMs = 5_000
    await machine.look()
    equal(said.length, 1)
    isNear(machine.now(), Date.now())
    machine.stop()
  })

  it('puts a command off by the time that all relays share', async () => {
    const workflowId = randomUUID()
    await enqueueStoredStart(service.db, {
      ...{ type: 'sweep', workflowId, args: [], attributes: {} },
    })
    const due = () =>
      service.db.transaction().execute(async (trx) => {
        const found = await lockCommands(trx, 50)
        return found.find((command) => command.workflowId === workflowId)
      })
    const id = (await due())?.id as string
    const { now } = Date
    Date.now = () => now() + 60 * minute
    try {
      await commandFailed(service.db, id, { problem: 'busy', delayMs: 0 })
    } finally {
      Date.now = now
    }
    equal((await due())?.id, id)
  })

  const off = (ms: number) =>
    `data:text/javascript,${encodeURIComponent(`
      const Real = Date
      const now = () => Real.now() + ${ms}
      globalThis.Date = class extends Real {
        constructor(...given) { super(...(given.length ? given : [now()])) }
        static now() { return now() }
      }`)}`

  for (const [seconds, ready] of [
    [5, true],
    [60, false],
    [-60, false],
  ] as const)
    it(`says that it is ${seconds} seconds ahead, and is ${ready ? 'ready' : 'not ready'}`, async () => {
      const [port, metrics] = [await freePort(), await freePort()]
      const env = {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        DATABASE_URL: service.databaseUrl,
        SECRET_KEY: secretKey.current,
        PORT: String(port),
        METRICS_PORT: String(metrics),
        // Nobody is there.
        TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      }
      const children = ['api/server.ts', 'activities/worker.ts'].map((file) => {
        const child = spawn(process.execPath, ['--import', off(1_000 * seconds), file], {
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let said = ''
        child.stdout.on('data', (text) => {
          said += text
        })
        return { child, said: () => said }
      })
      const ask = (at: number, path: string) =>
        fetch(`http://127.0.0.1:${at}${path}`).then(
          async (answer) => ({ status: answer.status, text: await answer.text() }),
          () => ({ status: 0, text: '' }),
        )
      try {
        for (const [i, at] of [port, metrics].entries()) {
          await eventually(
            async () => children[i]?.said() ?? '',
            (said) => /clock differs/.test(said),
            60_000,
          )
          const { text } = await eventually(
            () => ask(at, '/metrics'),
            ({ status }) => status === 200,
            60_000,
          )
          isNear(Number(/^postroom_clock_ahead_seconds (\S+)/m.exec(text)?.[1]), seconds, 1)
          const { status, text: said } = await ask(at, '/readyz')
          equal(status, ready ? 200 : 503, said)
          if (i === 0) equal(JSON.parse(said).clock, ready ? 'ok' : 'differs')
        }
      } finally {
        for (const { child } of children) {
          child.kill('SIGKILL')
          await ended(child)
        }
      }
    })
})
