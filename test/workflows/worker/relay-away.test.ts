import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { relayOfEachTest } from '../../support/relay.ts'
import { eventually } from '../../support/service.ts'
import { slowLine } from '../../support/slow-line.ts'
import { testTemporal } from '../../support/temporal.ts'

describe('the relay before a Temporal in trouble', function () {
  this.timeout(90_000)
  const { service, afterwards, work, said, outbox, start } = relayOfEachTest()

  it('awaits the answers of a server that takes two seconds for each, and asks only once', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slowLine(temporal.address, 2_000)
    afterwards(gateway.stop)
    const prefix = `wsp_slow:${randomUUID()}`
    for (let n = 0; n < 60; n++) await start(`${prefix}-${n}`)
    void work({ address: gateway.address, namespace: temporal.namespace })
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
    deepEqual([...new Set((await outbox()).map(({ attempts }) => attempts))], [0])
    deepEqual(said(/cannot be reached|slow/), [])
  })

  it('holds no transaction open for long while Temporal does not answer', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slowLine(temporal.address, 0)
    afterwards(gateway.stop)
    await work({ address: gateway.address, namespace: temporal.namespace })
    gateway.freeze()
    for (let n = 0; n < 60; n++) await start(`wsp_frozen:${randomUUID()}`)
    let longest = 0
    const until = Date.now() + 6_000
    while (Date.now() < until) {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        service().db,
      )
      longest = Math.max(longest, rows[0]?.seconds ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    ok(longest < 4, `${longest} s`)
    gateway.thaw()
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
  })

  it('tries an unavailable Temporal with one command a second, and logs it once', async function () {
    const temporal = await testTemporal(this)
    const gateway = await slowLine(temporal.address, 0)
    let last = gateway
    // After its worker, which would wait for it.
    afterwards(() => last.stop())
    await work({ address: gateway.address, namespace: temporal.namespace })
    await gateway.stop()
    for (let n = 0; n < 60; n++) await start(`wsp_away:${randomUUID()}`)
    // Long enough to tell a try a second for one command from a try a second for each of sixty.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const tries = (await outbox()).reduce((sum, { attempts }) => sum + attempts, 0)
    ok(tries <= 25 + 8, `${tries} tries`)
    equal(said(/Temporal cannot be reached; what is accepted waits/).length, 1)
    last = await slowLine(temporal.address, 0, gateway.port)
    const began = Date.now()
    await eventually(outbox, (rows) => rows.every(({ dispatchedAt }) => dispatchedAt), 40_000)
    ok(Date.now() - began < 20_000, 'what waits is not put off')
    equal(said(/Temporal answers again/).length, 1)
  })
})
