import { equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { seal } from '../../../db/secrets.ts'
import { counted } from '../../../process/telemetry/metrics.ts'
import { givenMessenger, tell } from '../../support/bridge.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('/metrics', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** They are read anew five times a second at most. */
  const shown = async () => {
    await sleep(250)
    return (await fetch(`${service.url}/metrics`)).text()
  }
  const numberOf = (text: string, name: string) => {
    const line = text.split('\n').find((line) => line.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }
  /** By how much one grows while `work` is done. */
  async function growth(name: string, work: () => Promise<unknown>) {
    const before = numberOf(await shown(), name) ?? 0
    await work()
    return (numberOf(await shown(), name) ?? 0) - before
  }
  const refusals = (code: string) => `postroom_refusals_total{code="${code}"}`

  it('counts refusals by their code, including replays', async () => {
    const { call, tokenWith } = await service.workspace()
    const reader = await tokenWith(['inbox:read'])
    const stranger = { token: 'prm_none' }
    const cases: [string, () => Promise<{ status: number }>, number][] = [
      ['invalid_token', () => call('GET', '/people', undefined, stranger), 401],
      ['insufficient_scope', () => call('POST', '/people', {}, { token: reader }), 403],
      ['no_such_route', () => call('GET', '/nothing'), 404],
      ['not_found', () => call('PATCH', '/people/per_none', {}, { key: 'once' }), 404],
      ['not_found', () => call('PATCH', '/people/per_none', {}, { key: 'once' }), 404],
      ['idempotency_key_reused', () => call('PATCH', '/people/per_x', {}, { key: 'once' }), 422],
      ['validation_failed', () => call('POST', '/people', { name: 1 }), 422],
      ['malformed_json', () => call('POST', '/people', '{'), 400],
    ]
    for (const [code, work, status] of cases) {
      const grown = await growth(refusals(code), async () => equal((await work()).status, status))
      equal(grown, 1, code)
    }
    const campaign = (await call('POST', '/campaigns', { goal: 'Demo' })).body.id
    const start = async () => {
      const { status, text } = await call('POST', `/campaigns/${campaign}/state`, { to: 'running' })
      equal(status, 409, text)
    }
    equal(await growth(refusals('campaign_incomplete'), start), 1)
  })

  it('counts calls over the limit, unavailable services and malformed HTTP', async () => {
    const hurried = await startService({ databaseUrl: service.databaseUrl, rates: 1 })
    const { call } = await hurried.workspace()
    const many = async () => {
      await call('GET', '/people')
      equal((await call('GET', '/people')).status, 429)
    }
    equal(await growth(refusals('rate_limited'), many), 1)
    await hurried.close()

    const workspace = await service.workspace()
    const id = await givenMessenger(service.db, workspace, { url: 'http://127.0.0.1:9' })
    const place = { in: 'connections.secrets', id } as const
    const secrets = seal({ current: 'a key that nobody has here' }, { bridge: 'x' }, place)
    await service.db.updateTable('connections').set({ secrets }).where('id', '=', id).execute()
    const unreadable = async () =>
      equal((await tell(service.url, id, { type: 'x', data: {} })).status, 503)
    equal(await growth(refusals('unavailable'), unreadable), 1)

    const noHttp = async () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      socket.end('nonsense\r\n\r\n')
      socket.resume()
      await once(socket, 'close')
    }
    equal(await growth(refusals('malformed_request'), noHttp), 1)
  })

  it('shows every code from the start, so that its first occurrence is noticed', async () => {
    match(await shown(), /^postroom_refusals_total\{code="segment_in_use"\} \d+$/m)
    match(await shown(), /^postroom_refusals_total\{code="still_running"\} \d+$/m)
  })

  it('counts the addresses suppressed in the last hour, by reason', async () => {
    const { db, clock } = service
    const workspaces = [await service.workspace(), await service.workspace()]
    const agoMs = [0, 30 * 60_000, 2 * 60 * 60_000]
    for (const { id: workspace } of workspaces)
      await db
        .insertInto('suppressions')
        .values(
          agoMs.map((ms, i) => ({
            workspace,
            address: `a${i}@client.example`,
            reason: 'bounce' as const,
            at: new Date(clock.now().getTime() - ms),
            evidence: `msg_${i}`,
          })),
        )
        .execute()
    const text = await shown()
    equal(numberOf(text, 'postroom_suppressions_last_hour{reason="bounce"}'), 4)
    equal(numberOf(text, 'postroom_suppressions_last_hour{reason="complaint"}'), 0)
  })

  it('counts the child processes that were killed, by reason', async () => {
    const name = 'postroom_children_killed_total{reason="memory"}'
    equal(await growth(name, async () => counted('childrenKilled', { reason: 'memory' })), 1)
  })
})
