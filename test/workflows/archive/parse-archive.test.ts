import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Context } from 'mocha'
import { archiveOf } from '../../support/archive.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

describe('parseArchive', function () {
  this.timeout(120_000)
  let service: TestService
  let given: ReturnType<typeof archiveOf>
  let at: (point: string) => void = () => {}
  before(async function () {
    service = await startService()
    given = archiveOf(service)
    const deps = { crash: (point: string) => at(point) }
    await service.work(this.test?.ctx as Context, deps, { only: ['rows', 'remote'] })
  })
  afterEach(() => {
    at = () => {}
  })
  after(() => service.close())

  it('parses all of 1,500 messages across interrupted attempts, duplicates nothing and notifies nobody', async () => {
    const workspace = await service.workspace()
    await given.years(workspace, 300)
    const before = {
      notices: await given.count('notifications'),
      messages: await given.count('messages'),
    }
    let pages = 0
    at = (point) => {
      pages++
      if (pages === 6 || pages === 11) throw new Error(`broken off ${point}`)
    }
    await given.start(workspace, { fresh: true })
    const done = await given.ended(workspace)
    deepEqual([done.state, done.progress], ['done', { done: 1_500, total: 1_500 }])
    ok(pages > 15, String(pages))
    const operation = (await workspace.call('GET', `/operations/${done.operation}`)).body
    deepEqual(operation.result, {
      state: 'done',
      done: 1_500,
      addresses: 1_500,
      marked: 300,
      tagged: 300,
    })
    const addresses = await service.db
      .selectFrom('addresses')
      .select(['person', 'position'])
      .where('workspace', '=', workspace.id)
      .execute()
    equal(new Set(addresses.map(({ person, position }) => `${person} ${position}`)).size, 1_500)
    const after = {
      notices: await given.count('notifications'),
      messages: await given.count('messages'),
    }
    deepEqual(after, before)
    const { body } = await workspace.call('GET', '/audit')
    equal(body.entries.length, 2)

    await given.parse(workspace, { fresh: true })
    const again = await given.read(workspace)
    deepEqual((await workspace.call('GET', `/operations/${again.operation}`)).body.result, {
      state: 'done',
      done: 1_500,
      addresses: 0,
      marked: 0,
      tagged: 0,
    })
  })

  it('stops after the current page when it is declined, and a new start begins from scratch', async () => {
    const workspace = await service.workspace()
    await given.years(workspace, 300)
    const fifth = Promise.withResolvers<void>()
    let pages = 0
    at = (point) => {
      if (point === 'after-page' && ++pages === 5) fifth.resolve()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
    const { operation } = await given.start(workspace)
    await fifth.promise
    const declined = await workspace.call('POST', '/archive', { do: 'decline' })
    equal(declined.body.state, 'declined')
    const { done } = declined.body.progress
    ok(done >= 500 && done < 1_500, String(done))
    const { body } = await eventually(
      () => workspace.call('GET', `/operations/${operation}`),
      (reply) => reply.body.endedAt !== null,
    )
    deepEqual([body.state, body.result.done], ['cancelled', done])
    deepEqual(await given.read(workspace), declined.body)
    at = () => {}
    deepEqual((await given.parse(workspace)).progress, { done: 1_500, total: 1_500 })
  })

  it('stops at its current row when an operator cancels it', async function () {
    const workspace = await service.workspace()
    await given.years(workspace, 300)
    const client = await testClient(this as unknown as Context)
    const third = Promise.withResolvers<void>()
    let pages = 0
    at = (point) => {
      if (point === 'after-page' && ++pages === 3) third.resolve()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
    const { operation } = await given.start(workspace)
    await third.promise
    await client.workflow.getHandle(`${workspace.id}:${operation}`).cancel()
    const { state, progress } = await given.ended(workspace)
    equal(state, 'declined')
    ok(progress.done > 0 && progress.done <= 1_500)
    const { body } = await workspace.call('GET', `/operations/${operation}`)
    equal(body.state, 'cancelled')
  })
})
