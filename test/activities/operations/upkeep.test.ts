import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { upkeepActivities } from '../../../activities/operations/upkeep.ts'
import { newId } from '../../../db/ids.ts'
import { findBacklog } from '../../../db/operations/gauges.ts'
import { restartOperation } from '../../../db/operations/upkeep.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

const days = 24 * 60 * 60 * 1000

describe('upkeep', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const upkeep = (state: 'running' | 'closed') =>
    upkeepActivities({
      db: service.db,
      clock: service.clock,
      log: createLog('test', 'silent'),
      secretKey,
      publicUrl: 'http://127.0.0.1',
      crash: () => {},
      workflowState: async () => state,
    })
  const run = (activity: () => Promise<unknown>) => new MockActivityEnvironment().run(activity)

  it('looks at thousands of sleeping operations in a run, at several at once, and the next run at those behind them', async () => {
    const { db, clock } = service
    const { id } = await service.workspace()
    const sleeping = 6_000
    const until = new Date(clock.now().getTime() + days)
    await sql`insert into operations (id, workspace, key, kind, fingerprint, workflow_type, state, waiting_until,
        accepted_at, last_used_at)
      select ${id} || ':' || lpad(i::text, 5, '0'), ${id}, lpad(i::text, 5, '0'), 'k', '', 'snoozeConversation', 'waiting',
        ${until}, now() - interval '1 hour', now()
      from generate_series(1, ${sleeping}::int) i`.execute(db)
    const asked = new Set<string>()
    let [inHand, most] = [0, 0]
    const { sweepOrphans } = upkeepActivities({
      ...{ db, clock, log: createLog('test', 'silent'), secretKey, publicUrl: '', crash: () => {} },
      async workflowState(workflow: string) {
        asked.add(workflow)
        most = Math.max(most, ++inHand)
        await Promise.resolve()
        inHand--
        return 'running' as const
      },
    })
    await run(() => sweepOrphans())
    equal(asked.size, 5_000)
    equal(most, 8)
    await run(() => sweepOrphans())
    equal(asked.size, sleeping)
  })

  /** A message accepted an hour ago whose start Temporal has been told of. */
  async function message() {
    const { db, clock } = service
    const workspace = await service.workspace()
    const { conversation } = await givenClient(db, workspace, clock.now())
    const key = randomUUID()
    await workspace.call(
      'POST',
      `/conversations/${conversation}/messages`,
      { text: 'Hello' },
      { key },
    )
    const id = `${workspace.id}:${key}`
    const hourAgo = new Date(Date.now() - 60 * 60_000)
    await db
      .updateTable('outbox')
      .set({ dispatchedAt: hourAgo })
      .where('operation', '=', id)
      .execute()
    await db.updateTable('operations').set({ acceptedAt: hourAgo }).where('id', '=', id).execute()
    const read = async () => (await workspace.call('GET', `/operations/${key}`)).body
    const age = async (ms: number) => {
      const at = new Date(Date.now() - ms)
      await db
        .updateTable('operations')
        .set({ acceptedAt: at, lastUsedAt: at })
        .where('id', '=', id)
        .execute()
      await db.updateTable('outbox').set({ dispatchedAt: at }).where('operation', '=', id).execute()
    }
    return { id, key, read, age, workspace, conversation }
  }

  it('marks an open operation whose workflow is gone as waiting for a restart', async () => {
    const { read } = await message()
    await run(() => upkeep('closed').sweepOrphans())
    const { state, waitingFor } = await read()
    deepEqual([state, waitingFor], ['waiting', 'restart'])
    equal((await findBacklog(service.db)).orphaned, 1)
  })

  it('deletes uploaded files that no message has taken within a day', async () => {
    const { workspace, conversation } = await message()
    const upload = async () =>
      (
        await workspace.call('POST', '/files', {
          name: 'a.txt',
          type: 'text/plain',
          content: 'YQ==',
        })
      ).body.id as string
    const [old, taken, fresh] = [await upload(), await upload(), await upload()]
    const path = `/conversations/${conversation}/messages`
    equal((await workspace.call('POST', path, { text: 'x', files: [taken] })).status, 200)
    const before = new Date(service.clock.now().getTime() - days - 1000)
    await service.db
      .updateTable('files')
      .set({ uploadedAt: before })
      .where('id', 'in', [old, taken])
      .execute()
    await run(() => upkeep('running').sweepOrphans())
    const rows = await service.db.selectFrom('files').select('id').orderBy('id').execute()
    deepEqual(
      rows.map(({ id }) => id),
      [taken, fresh].sort(),
    )
  })

  it('leaves an operation alone whose workflow runs', async () => {
    const { read } = await message()
    await run(() => upkeep('running').sweepOrphans())
    equal((await read()).state, 'accepted')
  })

  it('puts the start of a restarted operation into the outbox again, for any run to claim', async () => {
    const { id, read } = await message()
    await service.db
      .updateTable('operations')
      .set({ ownerRun: 'gone' })
      .where('id', '=', id)
      .execute()
    const type = await service.db.transaction().execute((trx) => restartOperation(trx, id))
    equal(type, 'sendMessage')
    const starts = await service.db
      .selectFrom('outbox')
      .select(['restart', 'args', 'attributes', 'dispatchedAt'])
      .where('operation', '=', id)
      .orderBy('id')
      .execute()
    deepEqual(
      starts.map(({ restart }) => restart),
      [false, true],
    )
    deepEqual(starts[1]?.args, starts[0]?.args)
    deepEqual(starts[1]?.attributes, starts[0]?.attributes)
    equal(starts[1]?.dispatchedAt, null)
    equal((await read()).state, 'accepted')
  })

  it('restarts nothing once an operation has ended', async () => {
    const { id } = await message()
    await service.db
      .updateTable('operations')
      .set({ endedAt: new Date() })
      .where('id', '=', id)
      .execute()
    equal(await service.db.transaction().execute((trx) => restartOperation(trx, id)), undefined)
  })

  it('counts an unconfirmed letter that lost its workflow until it is restarted, once', async () => {
    const { db } = service
    const { id: campaign, idOf, workspace } = await givenCampaign(service, 'paused')
    const letter = { campaign, workspace, person: idOf('Ada'), place: 1 }
    const at = service.clock.now()
    await db
      .insertInto('touches')
      .values({
        ...letter,
        id: 'tch_lost',
        state: 'sending',
        reason: 'unconfirmed',
        dueAt: at,
        createdAt: at,
        epoch: 1,
        workflow: 'tch_lost-e1',
      })
      .execute()
    await run(() => upkeep('running').sweepOrphans())
    equal((await findBacklog(db)).orphaned, 0)
    for (const _ of ['', 'again']) await run(() => upkeep('closed').sweepOrphans())
    const starts = db.selectFrom('outbox').selectAll().where('workflowId', '=', 'tch_lost-e1')
    deepEqual(
      (await starts.execute()).map(({ workflowType, args, restart }) => [
        workflowType,
        args,
        restart,
      ]),
      [['deliverTouch', [{ campaign, touch: 'tch_lost' }], true]],
    )
    equal((await findBacklog(db)).orphaned, 1)
    await db
      .updateTable('outbox')
      .set({ dispatchedAt: new Date() })
      .where('workflowId', '=', 'tch_lost-e1')
      .execute()
    equal((await findBacklog(db)).orphaned, 0)
  })

  it('resumes a letter that was abandoned while sending, and none whose attempt is still running', async () => {
    const { db } = service
    const { id: campaign, idOf, workspace } = await givenCampaign(service, 'running')
    const at = service.clock.now()
    const given = { campaign, workspace, state: 'sending' as const, dueAt: at, createdAt: at }
    for (const [i, seconds] of [-120, 5].entries()) {
      const id = `tch_${i}`
      const leasedUntil = new Date(Date.now() + seconds * 1000)
      const letter = { id, workflow: `${id}-e1`, epoch: 1, place: i + 1, leasedUntil }
      await db
        .insertInto('touches')
        .values({ ...given, ...letter, person: idOf('Ada') })
        .execute()
    }
    await run(() => upkeep('closed').sweepOrphans())
    const starts = db.selectFrom('outbox').select('workflowId')
    deepEqual(
      (await starts.where('workflowType', '=', 'deliverTouch').execute()).map(
        (it) => it.workflowId,
      ),
      ['tch_0-e1'],
    )
  })

  it('forgets calls without a key after a day', async () => {
    const { call } = await service.workspace()
    const key = randomUUID()
    const file = { name: 'p.csv', content: Buffer.from('email\na@x.test\n').toString('base64') }
    for (const given of [key, null])
      equal((await call('POST', '/people/import', { file }, { key: given })).status, 200)
    const keys = async (hours: number) => {
      const at = new Date(Date.now() - hours * 60 * 60_000)
      await service.db.updateTable('operations').set({ lastUsedAt: at }).execute()
      await run(() => upkeep('running').forgetOld())
      return (await service.db.selectFrom('operations').select('key').execute()).map((it) => it.key)
    }
    equal((await keys(23)).length, 2)
    deepEqual(await keys(25), [key])
  })

  it('forgets an operation 30 days after its last use, but never an open one or the start it needs', async () => {
    const open = await message()
    const ended = await message()
    const used = await message()
    for (const { id } of [ended, used])
      await service.db
        .updateTable('operations')
        .set({ endedAt: new Date() })
        .where('id', '=', id)
        .execute()
    for (const { age } of [open, ended]) await age(31 * days)
    await used.age(29 * days)
    await run(() => upkeep('running').forgetOld())
    const kept = (table: 'operations' | 'outbox') =>
      service.db
        .selectFrom(table)
        .select(table === 'outbox' ? 'operation as id' : 'id')
        .execute()
    const ids = [open.id, used.id].sort()
    deepEqual((await kept('operations')).map(({ id }) => id).sort(), ids)
    deepEqual((await kept('outbox')).map(({ id }) => id).sort(), ids)
  })

  it('forgets a signal a day after it was carried out, and a start when its operation has ended', async () => {
    const { db } = service
    const { id: workspace } = await service.workspace()
    await sql`insert into operations (id, workspace, key, kind, fingerprint, state, accepted_at, last_used_at)
      values (${`${workspace}:open`}, ${workspace}, 'open', 'test', '', 'waiting', now(), now())`.execute(
      db,
    )
    // At one moment, so that a batch ends within it.
    const put = (kind: string, days: number, rows: number, operation: string | null = null) =>
      sql`insert into outbox (kind, workspace, workflow_id, args, dispatched_at, operation)
        select ${kind}, ${workspace}, ${`${kind} ${days}`}, '[]', date_trunc('day', now()) - ${days} * interval '1 day', ${operation}
        from generate_series(1, ${rows}::int) n`.execute(db)
    await put('signal', 2, 2500)
    await put('signal', 0, 10)
    await put('start', 29, 10)
    await put('start', 31, 1500, `${workspace}:open`)
    await put('start', 32, 1500)
    await run(() => upkeep('running').forgetOld())
    const { rows } =
      await sql`select workflow_id, count(*)::int as n from outbox where workspace = ${workspace}
      group by 1 order by 1`.execute(db)
    deepEqual(rows, [
      { workflowId: 'signal 0', n: 10 },
      { workflowId: 'start 29', n: 10 },
      { workflowId: 'start 31', n: 1500 },
    ])
  })

  it('forgets the evidence of letters after thirty days, but of one that may have gone', async () => {
    const { db, clock } = service
    const { id: workspace, connections } = await service.workspace()
    const { conversation } = await givenClient(db, { id: workspace, connections }, clock.now())
    const evidence = (ids: string, age: number, rows: number) =>
      sql`insert into sent_evidence (workspace, message_id, at)
        select ${workspace}, ${ids} || n, ${new Date(clock.now().getTime() - age * days)} from generate_series(1, ${rows}::int) n`.execute(
        db,
      )
    await evidence('old-', 31, 2500)
    await evidence('young-', 29, 10)
    await evidence('unknown-', 40, 1)
    await sql`insert into messages (id, workspace, conversation, direction, at, state, reason, message_id)
      values (${newId('msg')}, ${workspace}, ${conversation}, 'outbound', now(), 'sending', 'unconfirmed', 'unknown-1')`.execute(
      db,
    )
    await run(() => upkeep('running').forgetOld())
    const { rows } =
      await sql`select left(message_id, 5) as of, count(*)::int as n from sent_evidence
      where workspace = ${workspace} group by 1 order by 1`.execute(db)
    deepEqual(rows, [
      { of: 'unkno', n: 1 },
      { of: 'young', n: 10 },
    ])
  })

  it('forgets a thousand rows at a time, and heartbeats in between', async () => {
    const { db } = service
    const { id: workspace } = await service.workspace()
    await sql`insert into events (workspace, at, kind, resource, recorded_at, data)
      select ${workspace}, now(), 'test', '', now() - interval '31 days', '{}'
      from generate_series(1, 3500) n`.execute(db)
    await sql`insert into operations (id, workspace, key, kind, fingerprint, state, accepted_at, ended_at, last_used_at)
      select ${workspace} || ':' || n, ${workspace}, n::text, 'test', '', 'done', now(), now(), now() - interval '31 days'
      from generate_series(1, 2500) n`.execute(db)
    const environment = new MockActivityEnvironment()
    let beats = 0
    environment.on('heartbeat', () => beats++)
    await environment.run(() => upkeep('running').forgetOld())
    ok(beats >= 7, `${beats} beats`)
    const { rows } = await sql<{ n: number }>`select
      ((select count(*) from events) + (select count(*) from operations))::int as n`.execute(db)
    equal(rows[0]?.n, 0)
  })

  it('forgets what is past the retention of its workspace, and nothing of others', async () => {
    const { db, clock } = service
    const [short, forever, none] = [
      await service.workspace(),
      await service.workspace(),
      await service.workspace(),
    ]
    const now = clock.now().getTime()
    for (const { id, member } of [short, forever, none]) {
      await sql`insert into audit (id, workspace, at, action, resource)
        select ${id} || n, ${id}, ${new Date(now - 11 * days)}, 'person.edited', '' from generate_series(1, 2500) n`.execute(
        db,
      )
      for (const [i, age] of [9, 11].entries())
        await db
          .insertInto('notifications')
          .values({
            ...{ id: `ntf_${id}_${i}`, workspace: id, member, at: new Date(now - age * days) },
            ...{ kind: 'reply', text: 'Kim has answered.', conversation: null, readAt: null },
          })
          .execute()
    }
    const keep = (id: string, retention: object) =>
      db
        .updateTable('workspaces')
        .set({ retention: JSON.stringify(retention) })
        .where('id', '=', id)
        .execute()
    await keep(short.id, { audit: 10, notifications: 10 })
    await keep(forever.id, { audit: 'forever' })
    await run(() => upkeep('running').forgetOld())
    const count = async (table: 'audit' | 'notifications', { id }: { id: string }) =>
      (
        await db
          .selectFrom(table)
          .select(sql<number>`count(*)::int`.as('n'))
          .where('workspace', '=', id)
          .where('at', '<', new Date(now - 8 * days))
          .executeTakeFirstOrThrow()
      ).n
    for (const [workspace, audit, notifications] of [
      [short, 0, 1],
      [forever, 2500, 2],
      [none, 2500, 2],
    ] as const)
      deepEqual(
        [await count('audit', workspace), await count('notifications', workspace)],
        [audit, notifications],
      )
  })

  it('finds quickly what has lost its workflow, however many letters wait for later', async () => {
    const { db, clock } = service
    const { read } = await message()
    const { id: workspace } = await service.workspace()
    const later = new Date(clock.now().getTime() + 30 * days)
    await sql`insert into operations (id, workspace, key, kind, fingerprint, state, workflow_type, accepted_at, last_used_at, waiting_until)
      select ' sleeping:' || n, ${workspace}, n::text, 'test', '', 'waiting', 'sendMessage',
        now() - interval '1 hour', now(), ${later}::timestamptz
      from generate_series(1, 1200) n`.execute(db)
    await run(() => upkeep('closed').sweepOrphans())
    equal((await read()).waitingFor, 'restart')
    const orphaned = async () => (await findBacklog(db)).orphaned
    equal(await orphaned(), 1201)
  })
})
