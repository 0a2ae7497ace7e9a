import { leaveAll } from '../../db/campaigns/leaving.ts'
import { endOperation, findOperation } from '../../db/operations/operations.ts'
import { findHint } from '../../db/segments/hint.ts'
import { findRefill, findSegment, lockSegment, presentSegment } from '../../db/segments/segments.ts'
import { countUnjudged, findJudged, updateJudged } from '../../db/segments/verdicts.ts'
import type { JudgeInput } from '../../workflows/inputs.ts'
import { inFlightOf } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import { gone } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { judgeFor } from './judging.ts'

// How many calls of one workspace are worked on at once in a process.
const atOnce = { most: 8 }

/** Where a refill stands: the segment, and the last person who was judged. */
export type RefillCursor = { segment: string; after: string }

export const segmentActivities = (deps: Deps) => ({
  /**
   * Judges people for up to 8 s. Safe to retry: a person with a verdict is not judged again, and the operation's row counts
   * what this call has done so far.
   */
  async judgePeople({ operation, segment }: JudgeInput): Promise<void> {
    const { workspace } = (await findOperation(deps.db, operation)) ?? {}
    if (workspace === undefined) return
    const judge = () =>
      judgeFor(deps, {
        workspace,
        segment,
        after: '',
        changed: false,
        async keep(trx, { judged, matched }) {
          const before = await findJudged(trx, operation)
          const sum = { judged: before.judged + judged, matched: before.matched + matched }
          await updateJudged(trx, operation, sum)
        },
      })
    await beating(async () => {
      // When a large segment is judged again, the call itself has ended only some of the letters.
      while ((await endLetters(deps, workspace, segment)) > 0);
    })
    await beating(() => inFlightOf(`judging ${workspace}`, atOnce, judge)).catch(async (error) => {
      // If an earlier attempt has judged anybody, that is an answer, and the caller asks again for the rest.
      const { judged } = await findJudged(deps.db, operation)
      if (judged === 0) throw error
    })
  },

  /** Answers the call with the segment and what was done. Safe to retry: ending twice changes nothing. */
  async answerJudged({ operation, segment: id }: JudgeInput): Promise<void> {
    const { db, clock } = deps
    const { workspace } = (await findOperation(db, operation)) ?? {}
    if (workspace === undefined) return
    const end = await db.transaction().execute(async (trx) => {
      const locked = await lockSegment(trx, workspace, id)
      const segment = locked && (await findSegment(trx, workspace, id))
      if (!segment) return gone(operation, 'segment', '/api/v1/segments')
      const done = await findJudged(trx, operation)
      const hint = await findHint(trx, segment)
      const result = {
        ...presentSegment(segment),
        ...done,
        remaining: await countUnjudged(trx, segment),
        ...(hint !== undefined && { hint }),
      }
      return { state: 'done' as const, status: 200, result }
    })
    await endOperation(db, operation, end, clock.now())
  },

  /**
   * Judges new and changed people of the next segment that is refilled, for some seconds; returns where to continue, null at
   * the end. Safe to retry: a person who has not changed since their verdict is not judged again.
   */
  async refillNext({ segment, after }: RefillCursor): Promise<RefillCursor | null> {
    const found = await findRefill(deps.db, segment, after !== '')
    if (!found) return null
    const from = found.id === segment ? after : ''
    const { workspace } = found
    const step = await beating(() =>
      judgeFor(deps, { workspace, segment: found.id, after: from, changed: true }),
    )
    if (!step.complete)
      throw trouble(
        'model_busy',
        'The model did not judge everyone it was asked about; the activity is retried.',
      )
    // With an empty `after`, the next call begins with the segment after this one.
    return { segment: found.id, after: step.after ?? '' }
  },
})

const endLetters = ({ db, clock }: Deps, workspace: string, segment: string) =>
  db.transaction().execute(async (trx) => {
    const locked = await lockSegment(trx, workspace, segment)
    return locked ? leaveAll(trx, locked.id, clock.now()) : 0
  })
