import { deepEqual, equal } from 'node:assert/strict'
import type { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import type { Deps } from '../../../activities/deps.ts'
import type { Model } from '../../../activities/ports/model/model.ts'
import { type RefillCursor, segmentActivities } from '../../../activities/segments/segments.ts'
import { insertSegment } from '../../../db/segments/segments.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('the refill of segments', function () {
  this.timeout(60_000)
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  /** A segment that refills itself, in a workspace of its own with so many people whom nobody has judged. */
  async function given(people: number) {
    const workspace = await service.workspace()
    const { call } = workspace
    const segment = {
      workspace: workspace.id,
      name: '',
      query: 'everyone',
      rules: [],
      refill: true,
    }
    const id = await service.db
      .transaction()
      .execute((trx) => insertSegment(trx, segment, service.clock.now()))
    for (let n = 0; n < people; n++)
      await call('POST', '/people', { email: `p${n}@client.example` })
    const members = async () => (await call('GET', `/segments/${id}`)).body.members
    return { workspace: workspace.id, members }
  }

  /** Runs what the schedule runs, with a model that is away for some workspaces; answers in which order segments had their turns. */
  async function refill(away: string[] = [], judgingMs?: number) {
    const asked: string[] = []
    const model = {
      name: 'stub',
      judging: { batch: 1, atOnce: 1 },
      async judge({ people }, { workspace }) {
        if (asked.at(-1) !== workspace) asked.push(workspace)
        if (away.includes(workspace)) throw Object.assign(new Error('away'), { type: 'model_busy' })
        return { kind: 'answer', answer: people.map(() => ({ matches: true, reason: '' })) }
      },
    } as Model
    const deps = {
      ...service,
      model,
      log: createLog('test', 'silent'),
      ...(judgingMs && { judgingMs }),
    }
    const { refillNext } = segmentActivities(deps as unknown as Deps)
    // Temporal retries it ten times.
    const next = async (from: RefillCursor, attempt = 1): Promise<RefillCursor | null> => {
      try {
        return await new MockActivityEnvironment().run(() => refillNext(from))
      } catch (error) {
        if (attempt === 10) return null
        equal((error as ApplicationFailure).type, 'model_busy')
        return next(from, attempt + 1)
      }
    }
    let turns = 0
    let cursor: RefillCursor | null = {}
    for (; cursor; turns++) cursor = await next(cursor)
    return { asked, turns: turns - 1 }
  }

  it('goes on with the others where a model is away for one, whose turn comes again', async () => {
    const [first, second] = [await given(2), await given(2)]
    await refill([first.workspace])
    deepEqual([await first.members(), await second.members()], [0, 2])
    await refill()
    deepEqual([await first.members(), await second.members()], [2, 2])
  })

  it('gives segments their turns one after the other, so that a large one keeps nobody waiting', async () => {
    const [large, small] = [await given(5), await given(1)]
    // One question a turn.
    const { asked } = await refill([], 1)
    equal(asked.indexOf(small.workspace) <= 1, true)
    deepEqual([await large.members(), await small.members()], [5, 1])
    equal((await refill()).turns, 2)
  })
})
