import { deepEqual, equal, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Context as Activity } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import type { Context } from 'mocha'
import { importPeopleActivities } from '../../../activities/people/import-people.ts'
import { importBatch } from '../../../db/people/imports.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { readImport } from '../../../rules/people-file/read.ts'
import { secretKey } from '../../support/given.ts'
import { commit, everyone, fileOf, many } from '../../support/people-files.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

// Imports whose batches are broken off, repeated, cancelled, or written beside others.

describe('importPeople', () => {
  let service: TestService
  let between: (point: string) => void = () => {}
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    const deps = { crash: (point: string) => between(point) }
    await service.work(this.test?.ctx as Context, deps, { only: ['rows', 'remote'] })
  })
  afterEach(() => {
    between = () => {}
  })
  after(() => service.close())

  it('neither duplicates nor loses a row when its attempts break off around a batch', async () => {
    const workspace = await service.workspace()
    let batches = 0
    between = (point) => {
      batches++
      if (batches === 2 || batches === 5) throw new Error(`broken off ${point}`)
    }
    const key = randomUUID()
    await commit(workspace, many(1_800), {}, key)
    const { body } = await eventually(
      () => workspace.call('GET', `/operations/${key}`),
      ({ body }) => body.state === 'done',
    )
    deepEqual(body.result.rows, {
      total: 1_800,
      new: 1_800,
      update: 0,
      same: 0,
      duplicate: 0,
      invalid: 0,
    })
    deepEqual(new Set((await everyone(workspace)).map(({ email }) => email)).size, 1_800)
    equal((await everyone(workspace)).length, 1_800)
  })

  it('creates one card from two imports and simultaneous calls', async () => {
    const workspace = await service.workspace()
    const replies = await Promise.all([
      commit(workspace, many(1_200)),
      commit(workspace, many(1_200)),
      ...Array.from({ length: 10 }, (_, i) =>
        workspace.call('POST', '/people', { email: `p${i * 100}@x.test` }),
      ),
    ])
    deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    equal((await everyone(workspace)).length, 1_200)
  })

  async function cancelled(context: Context, breaksOff: boolean) {
    const workspace = await service.workspace()
    const client = await testClient(context)
    const known = await workspace.call('POST', '/people', { email: 'p700@x.test' })
    const key = randomUUID()
    let told: Promise<never> | undefined
    let isTold = false
    between = () => {
      if (isTold && breaksOff) throw new Error('broken off after the cancel')
      told ??= Activity.current().cancelled
      told.catch(() => {
        isTold = true
      })
    }
    // The second batch waits for this card until the import has been told of its cancel.
    const { answer } = await service.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('people')
        .select('id')
        .where('id', '=', known.body.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const answer = commit(workspace, many(3_000), {}, key)
      await eventually(
        () => workspace.call('GET', `/operations/${key}`),
        ({ body }) => body.progress?.done === 500,
      )
      await client.workflow.getHandle(`${workspace.id}:${key}`).cancel()
      await rejects(told as Promise<never>, { name: 'CancelledFailure' })
      return { answer }
    })
    await answer
    const { body } = await eventually(
      () => workspace.call('GET', `/operations/${key}`),
      ({ body }) => body.endedAt !== null,
    )
    const { rows } = body.result
    deepEqual([body.state, rows.new, rows.update], ['cancelled', 999, 1])
    equal((await everyone(workspace)).length, 1_000)
  }

  it('stops at its current row when an operator cancels it', async function () {
    await cancelled(this as unknown as Context, false)
  })

  it('does so when the attempt that was told of it fails for another reason', async function () {
    await cancelled(this as unknown as Context, true)
  })
})

describe('the activity importRows', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  async function accepted(text: string) {
    const workspace = await service.workspace()
    const key = randomUUID()
    await workspace.call('POST', '/people/import', { file: fileOf(text), commit: true }, { key })
    const { id } = await service.db
      .selectFrom('imports')
      .select('id')
      .where('workspace', '=', workspace.id)
      .executeTakeFirstOrThrow()
    return { workspace, key, id }
  }
  const activities = (crash: (point: string) => void) =>
    importPeopleActivities({
      db: service.db,
      clock: service.clock,
      log: createLog('test', 'silent'),
      workflowState: async () => 'running',
      secretKey,
      publicUrl: service.url,
      crash,
    })

  it('stops between two batches when it is cancelled, and continues after the cursor', async () => {
    const { workspace, key, id } = await accepted(many(1_200))
    const first = new MockActivityEnvironment()
    const stopping = activities((point) => point === 'after-batch' && first.cancel())
    await rejects(
      first.run(stopping.importRows, { operation: `${workspace.id}:${key}`, import: id }),
      { name: 'CancelledFailure' },
    )
    equal((await everyone(workspace)).length, 500)
    deepEqual((await workspace.call('GET', `/operations/${key}`)).body.progress, {
      done: 500,
      total: 1_200,
    })

    const step = await new MockActivityEnvironment().run(activities(() => {}).importRows, {
      operation: `${workspace.id}:${key}`,
      import: id,
    })
    deepEqual(step, { ended: true, done: 1_200, total: 1_200 })
    equal((await everyone(workspace)).length, 1_200)
    equal((await workspace.call('GET', `/operations/${key}`)).body.result.rows.new, 1_200)
  })

  it('writes a batch once, however many attempts carry it', async () => {
    const { workspace, id } = await accepted(many(500))
    const batches: Parameters<typeof importBatch>[3][] = []
    await readImport(Buffer.from(many(500)), [], (batch) => void batches.push(batch))
    const results = await Promise.all(
      Array.from({ length: 6 }, () =>
        importBatch(service.db, secretKey, id, batches[0]!, 500, service.clock.now()),
      ),
    )
    deepEqual(results.toSorted(), ['written', ...Array.from({ length: 5 }, () => 'written before')])
    equal((await everyone(workspace)).length, 500)
  })
})
