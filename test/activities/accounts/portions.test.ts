import { deepEqual, equal, ok } from 'node:assert/strict'
import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { checkSendersActivities } from '../../../activities/accounts/check-senders.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

const accounts = 50

describe('the checks of all accounts', function () {
  this.timeout(60_000)
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  /** Accounts whose mail server refuses the connection, and none beside them. */
  async function given() {
    const { db } = service
    const { id, member } = await service.workspace()
    await sql`delete from connection_usage`.execute(db)
    await sql`update connections set paused = true`.execute(db)
    await sql`insert into connections (id, workspace, kind, name, account, member, limit_day, limit_week, gap_seconds, smtp)
      select 'con_' || lpad(i::text, 3, '0'), ${id}, 'email', '', i || '@us.example', ${member}, 50, 250, 0,
        '{"host": "127.0.0.1", "port": 9, "secure": false, "user": "u"}'
      from generate_series(1, ${accounts}::int) i`.execute(db)
    const activities = checkSendersActivities({
      db,
      clock: service.clock,
      log: createLog('test', 'silent'),
      secretKey,
      publicUrl: '',
      crash: () => {},
      lookUpTxt: async () => [],
      workflowState: async () => 'running',
    } as unknown as Parameters<typeof checkSendersActivities>[0])
    const run = (work: () => Promise<unknown>) => new MockActivityEnvironment().run(work)
    const everybody = { operation: null, workspace: null, connection: null }
    return {
      check: () => run(() => activities.checkSenders(everybody)),
      revive: () => run(() => activities.reviveSenders()),
      rows: () =>
        db
          .selectFrom('connections')
          .select(['id', 'checkedAt', 'alive', 'problem'])
          .where('paused', '=', false)
          .orderBy('id')
          .execute(),
    }
  }
  const checkedOf = (rows: { id: string; checkedAt: Date | null }[]) =>
    rows.filter(({ checkedAt }) => checkedAt !== null).map(({ id }) => id)
  const later = (minutes: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + minutes * 60_000).toISOString())

  it('take a portion each time, those first that were checked longest ago, and each account once an hour', async () => {
    const { check, rows } = await given()
    await check()
    const first = checkedOf(await rows())
    equal(first.length, 20)
    await later(6)
    await check()
    await later(6)
    await check()
    const all = await rows()
    equal(checkedOf(all).length, accounts)
    await later(6)
    await check()
    deepEqual(await rows(), all)
    await later(45)
    await check()
    const again = (await rows()).filter(({ id, checkedAt }, i) => {
      equal(id, all[i]?.id)
      return Number(checkedAt) > Number(all[i]?.checkedAt)
    })
    deepEqual(
      again.map(({ id }) => id),
      first,
    )
  })

  it('go on where one of them cannot be made, which has its turn again after the others', async () => {
    const { check, rows } = await given()
    await sql`update connections set secrets = 'unreadable' where id = 'con_001'`.execute(
      service.db,
    )
    await check()
    const checked = checkedOf(await rows())
    equal(checked.length, 20)
    ok(checked.includes('con_001'))
  })

  it('of accounts that were found dead read nothing of the others', async () => {
    const { check, revive, rows } = await given()
    await check()
    const dead = (await rows()).filter(({ alive }) => !alive).map(({ id }) => id)
    equal(dead.length, 20)
    await later(1)
    await revive()
    deepEqual(checkedOf(await rows()), dead)
    await sql`insert into connections (id, workspace, kind, name, account, member, limit_day, limit_week, gap_seconds)
      select 'con_well' || i, workspace, 'email', '', '', member, 50, 250, 0
      from connections, generate_series(1, 5000) i where id = 'con_001'`.execute(service.db)
    await sql`analyze connections`.execute(service.db)
    const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from connections where not alive and not paused and removed_at is null
        order by coalesce(checked_at, '-infinity'), id limit 10`.execute(service.db)
    ok(
      plan.some((line) => line['QUERY PLAN'].includes('connections_to_revive')),
      JSON.stringify(plan),
    )
  })
})
