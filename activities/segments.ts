import { heartbeat } from '@temporalio/activity'
import { wakeRunners } from '../db/campaigns.ts'
import type { Trx } from '../db/database.ts'
import { endOperation, findOperation } from '../db/operations.ts'
import {
  countUnjudged,
  findJudged,
  insertVerdicts,
  listUnjudged,
  updateJudged,
} from '../db/segment-verdicts.ts'
import { findSegment, lockSegment, presentSegment } from '../db/segments.ts'
import type { Deps } from './deps.ts'
import { gone } from './gone.ts'
import { judgeByWords } from './judge.ts'

type Input = { operation: string; segment: string }

// A caller waits for 25 s: a batch of 8 s leaves room for another attempt when a worker dies over the first.
const batchMs = 8000
const pageSize = 1000

export const segmentActivities = ({ db, clock }: Deps) => ({
  /**
   * Judges people for up to 8 s, page by page. Safe to retry: who has a verdict is not judged again, and what this call
   * has done so far stands in its operation.
   */
  async judgePeople(input: Input): Promise<void> {
    const started = performance.now()
    let after: string | undefined = ''
    while (after !== undefined && performance.now() - started < batchMs) {
      heartbeat()
      const from: string = after
      after = await db.transaction().execute((trx) => judgePage(trx, input, from, clock.now()))
    }
  },

  /** Answers the call with the segment and what was done. Safe to retry: ending twice changes nothing. */
  async answerJudged({ operation, segment: id }: Input): Promise<void> {
    const { workspace } = (await findOperation(db, operation)) ?? {}
    if (workspace === undefined) return
    const end = await db.transaction().execute(async (trx) => {
      const locked = await lockSegment(trx, workspace, id)
      const segment = locked && (await findSegment(trx, workspace, id))
      if (!segment) return gone(operation, 'segment', '/api/v1/segments')
      const done = await findJudged(trx, operation)
      const result = {
        ...presentSegment(segment),
        ...done,
        remaining: await countUnjudged(trx, segment),
      }
      return { state: 'done' as const, status: 200, result }
    })
    await endOperation(db, operation, end, clock.now())
  },
})

/** Judges one page under the segment's lock, so that two calls share the work; answers its last id, or undefined at the end. */
async function judgePage(trx: Trx, { operation, segment: id }: Input, after: string, now: Date) {
  const row = await findOperation(trx, operation)
  const segment = row && (await lockSegment(trx, row.workspace, id))
  if (!segment) return undefined
  const people = await listUnjudged(trx, segment, after, pageSize)
  if (people.length === 0) return undefined
  const verdicts = judgeByWords(segment.query, segment.rules, people)
  await insertVerdicts(
    trx,
    segment,
    people.map(({ id }, i) => ({ person: id, ...verdicts[i]! })),
    now,
  )
  const matched = verdicts.filter(({ matches }) => matches).length
  const before = await findJudged(trx, operation)
  await updateJudged(trx, operation, {
    judged: before.judged + people.length,
    matched: before.matched + matched,
  })
  if (matched > 0) await wakeRunners(trx, { segment: segment.id })
  return people.length === pageSize ? people.at(-1)?.id : undefined
}
