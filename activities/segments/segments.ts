import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import { goOnLeavingAll, leave, listMembers } from '../../db/campaigns/leaving.ts'
import { isUnavailable, type Trx } from '../../db/database.ts'
import { endOperation, findOperation } from '../../db/operations/operations.ts'
import { findHint } from '../../db/segments/hint.ts'
import {
  findSegment,
  keepRefill,
  lockSegment,
  presentSegment,
  type SegmentRow,
  takeRefill,
} from '../../db/segments/segments.ts'
import {
  type Candidate,
  countUnjudged,
  findJudged,
  insertVerdicts,
  listStillUnjudged,
  listUnjudged,
  updateJudged,
} from '../../db/segments/verdicts.ts'
import type { JudgedPerson, Rule, Verdict } from '../../rules/judge/judge.ts'
import { leftBy, matchesBy } from '../../rules/judge/member-rules.ts'
import type { JudgeInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import { gone } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'
import { isModelTrouble, type Model } from '../ports/model/model.ts'

// How many calls of one workspace are worked on at once in a process.
const judging = bounded({ name: 'judging', ofKey: 8 })

/** When a refill began: segments that had their turn since are done, unless they say otherwise. 0.4.0 sends a place. */
export type RefillCursor = { since?: string }

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
      while (await endLetters(deps, workspace, segment));
    })
    await beating(() => judging(workspace, judge)).catch(async (error) => {
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
   * Judges new and changed people of the next segment that is refilled, for some seconds; returns with what to continue, null at
   * the end. Segments take turns, also where one cannot be judged now: the retry is the turn of the next one. Safe to retry: a
   * person who has not changed since their verdict is not judged again.
   * @throws trouble while a model is busy or away; the segment comes again after the others.
   */
  async refillNext({ since }: RefillCursor): Promise<RefillCursor | null> {
    const { db, log } = deps
    const found = await takeRefill(db, since === undefined ? undefined : new Date(since))
    if (!found) return null
    const { id: segment, workspace, after } = found
    const step = await beating(() =>
      judgeFor(deps, { workspace, segment, after, changed: true }).catch((error) => {
        if (isUnavailable(error) || cancelSignal()?.aborted) throw error
        if (isModelTrouble(error)) return { after, complete: false }
        log.error({ segment, workspace, err: error }, 'a segment cannot be refilled')
        return { after: null, complete: true }
      }),
    )
    await keepRefill(db, segment, step.complete ? step.after : after)
    if (!step.complete)
      throw trouble(
        'model_busy',
        'The model did not judge everyone it was asked about; other segments have their turns first.',
      )
    return { since: found.since.toISOString() }
  },
})

const endLetters = ({ db, clock }: Deps, workspace: string, segment: string) =>
  db.transaction().execute(async (trx) => {
    const locked = await lockSegment(trx, workspace, segment)
    return locked !== undefined && (await goOnLeavingAll(trx, locked.id, clock.now()))
  })

// Judges people in batches for some seconds, several questions at once. Each batch is stored separately, under the segment's
// lock and only if its words are still the same, so a call that ends early loses only the open questions.

export type Judged = { judged: number; matched: number }

// A caller waits for 25 s. No question is asked after 8 s (`judgingMs`), and questions that are open after 20 s are given up if
// anybody was judged.
const askingMs = 8_000
const givingUpMs = 20_000

type Task = {
  workspace: string
  segment: string
  /** Only people whose id is greater than this one. */
  after: string
  /** Also people whose card has changed since they were judged. */
  changed: boolean
  /** Called in each batch's transaction. */
  keep?(trx: Trx, batch: Judged): Promise<void>
}

/**
 * Judges for up to 8 s, and longer only for open questions. `after` is the last person asked about, null if nobody is left;
 * `complete` says whether everybody asked about was judged.
 * @throws the model's trouble if nobody was judged before it.
 */
async function judgeFor(deps: Deps, task: Task) {
  const { db, judgingMs = askingMs } = deps
  const model = modelOf(deps)
  const started = performance.now()
  const elapsed = () => performance.now() - started
  const giveUp = new AbortController()
  const cancelled = cancelSignal()
  const signal = cancelled ? AbortSignal.any([cancelled, giveUp.signal]) : giveUp.signal
  const open = new Set<Promise<void>>()
  const failures: unknown[] = []
  let after: string | null = task.after
  let judged = 0

  while (after !== null && elapsed() < judgingMs && failures.length === 0 && !signal.aborted) {
    if (open.size >= model.judging.atOnce) {
      await Promise.race(open)
      continue
    }
    const segment = await findSegment(db, task.workspace, task.segment)
    const people: Candidate[] = segment
      ? await listUnjudged(db, segment, after, model.judging.batch, task.changed)
      : []
    after = people.length < model.judging.batch ? null : (people.at(-1)?.id ?? null)
    if (!segment || people.length === 0) break
    const asked: Promise<void> = judgeBatch(deps, task, { segment, people, model, signal })
      .then((count) => {
        judged += count
      })
      .catch((error) => void failures.push(error))
      .finally(() => open.delete(asked))
    open.add(asked)
  }
  while (open.size > 0) {
    await Promise.race([...open, new Promise((resolve) => setTimeout(resolve, 200))])
    if (judged > 0 && elapsed() > givingUpMs) giveUp.abort()
  }
  const grave = failures.find((error) => !isModelTrouble(error) && !giveUp.signal.aborted)
  if (grave) throw grave
  if (failures.length > 0 && judged === 0) throw failures[0]
  return { after, complete: failures.length === 0 && !signal.aborted }
}

/** Judges one batch and stores the verdicts; returns how many. */
async function judgeBatch(
  { db, clock }: Deps,
  task: Task,
  batch: { segment: SegmentRow; people: Candidate[]; model: Model; signal: AbortSignal },
): Promise<number> {
  const { segment, people } = batch
  // The verdicts are dated when the cards were read: a person who changes meanwhile counts as changed since.
  const at = clock.now()
  const verdicts = await verdictsBy(batch)
  const rows = people.map(({ id }) => ({ person: id, ...(verdicts.get(id) as Verdict) }))
  return db.transaction().execute(async (trx) => {
    const locked = await lockSegment(trx, task.workspace, task.segment)
    if (locked?.version !== segment.version) return 0
    const ids = people.map(({ id }) => id)
    const left = await listStillUnjudged(trx, segment, ids, task.changed ? at : null)
    const kept = rows.filter(({ person }) => left.has(person))
    const out = kept.filter(({ matches }) => !matches).map(({ person }) => person)
    const leaving = await listMembers(trx, segment.id, out)
    const matched = await insertVerdicts(trx, segment, kept, at)
    const ended = await leave(trx, segment.id, leaving, clock.now())
    await task.keep?.(trx, { judged: kept.length, matched })
    if (matched + ended > 0)
      await wakeRunners(trx, { segment: segment.id }, matched > 0 ? 'people' : 'letters')
    return kept.length
  })
}

type Question = {
  segment: SegmentRow
  rules: Rule[]
  people: JudgedPerson[]
  model: Model
  signal: AbortSignal
}

/** Verdicts by person. Whoever the members of the card decide about is not asked about; the others by the words that are left. */
async function verdictsBy(batch: {
  segment: SegmentRow
  people: Candidate[]
  model: Model
  signal: AbortSignal
}): Promise<Map<string, Verdict>> {
  const { segment, people } = batch
  const verdicts = new Map<string, Verdict>()
  const asked = new Map<string, { rules: Rule[]; people: JudgedPerson[] }>()
  for (const { fitting, ...person } of people) {
    const left = leftBy(segment.rules, new Set(fitting))
    if ('matches' in left) verdicts.set(person.id, left)
    else if (segment.query === '' && left.words.length === 0)
      verdicts.set(person.id, matchesBy(segment.rules))
    else {
      const key = left.words.map((rule) => segment.rules.indexOf(rule)).join()
      const question = asked.get(key) ?? { rules: left.words, people: [] }
      question.people.push(person)
      asked.set(key, question)
    }
  }
  for (const question of asked.values()) {
    const answers = await verdictsOn({ ...batch, ...question })
    for (const [i, { id }] of question.people.entries()) verdicts.set(id, answers[i] as Verdict)
  }
  return verdicts
}

/**
 * Asks about a batch again in halves if the answer cannot be used. If it cannot be used for a single person, they do not match,
 * and the reason says that nobody judged them.
 */
async function verdictsOn(question: Question): Promise<Verdict[]> {
  const { segment, rules, people, model, signal } = question
  const outcome = await model.judge(
    // A segment without words is about everybody whom its rules leave in it.
    { query: segment.query || 'everyone', rules, people },
    { workspace: segment.workspace, signal },
  )
  if (outcome.kind === 'answer') return outcome.answer
  if (people.length === 1) {
    const reason = `Not judged: the model gave no answer that can be used (${outcome.code}).`
    return [{ matches: false, reason }]
  }
  const half = Math.ceil(people.length / 2)
  return [
    ...(await verdictsOn({ ...question, people: people.slice(0, half) })),
    ...(await verdictsOn({ ...question, people: people.slice(half) })),
  ]
}
