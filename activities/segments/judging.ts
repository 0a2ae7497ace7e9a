import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import { leave, listMembers } from '../../db/campaigns/leaving.ts'
import type { Trx } from '../../db/database.ts'
import { findSegment, lockSegment, type SegmentRow } from '../../db/segments/segments.ts'
import { insertVerdicts, listStillUnjudged, listUnjudged } from '../../db/segments/verdicts.ts'
import type { JudgedPerson, Verdict } from '../../rules/judge/judge.ts'
import { cancelSignal } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'
import { isModelTrouble, type Model } from '../ports/model/model.ts'

// Judging people batch by batch for some seconds, several questions at once. Each batch is kept by itself, under the segment's
// lock and only if its words are still the same: a call that ends early loses nothing but what was being asked.

export type Judged = { judged: number; matched: number }

// A caller waits for 25 s: no question is asked after 8, and what is not answered by 20 is given up if anything was judged.
const askingMs = 8_000
const givingUpMs = 20_000

type Task = {
  workspace: string
  segment: string
  /** People by id behind this one. */
  after: string
  /** Also those whose card has changed since they were judged. */
  changed: boolean
  /** Called in each batch's transaction. */
  keep?(trx: Trx, batch: Judged): Promise<void>
}

/**
 * Judges for up to 8 s, longer only for answers on their way; `after` is the last person asked about, null when there is
 * nobody left, and `complete` whether all that were asked about were judged.
 * @throws the model's trouble where nobody was judged before it.
 */
export async function judgeFor(deps: Deps, task: Task) {
  const { db } = deps
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

  while (after !== null && elapsed() < askingMs && failures.length === 0 && !signal.aborted) {
    if (open.size >= model.judging.atOnce) {
      await Promise.race(open)
      continue
    }
    const segment = await findSegment(db, task.workspace, task.segment)
    const people: JudgedPerson[] = segment
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

/** Judges one batch and keeps it; answers how many verdicts were written. */
async function judgeBatch(
  { db, clock }: Deps,
  task: Task,
  batch: { segment: SegmentRow; people: JudgedPerson[]; model: Model; signal: AbortSignal },
): Promise<number> {
  const { segment, people } = batch
  // As old as the card that was read: who is changed meanwhile has changed since.
  const at = clock.now()
  const verdicts = await verdictsOn(batch)
  const rows = people.map(({ id }, i) => ({ person: id, ...(verdicts[i] as Verdict) }))
  return db.transaction().execute(async (trx) => {
    const locked = await lockSegment(trx, task.workspace, task.segment)
    if (locked?.version !== segment.version) return 0
    const ids = people.map(({ id }) => id)
    const left = await listStillUnjudged(trx, segment, ids, task.changed ? at : null)
    const kept = rows.filter(({ person }) => left.has(person))
    const out = kept.filter(({ matches }) => !matches).map(({ person }) => person)
    const leaving = await listMembers(trx, segment.id, out)
    await insertVerdicts(trx, segment, kept, at)
    const ended = await leave(trx, segment.id, leaving, clock.now())
    const matched = kept.filter(({ matches }) => matches).length
    await task.keep?.(trx, { judged: kept.length, matched })
    if (matched + ended > 0) await wakeRunners(trx, { segment: segment.id })
    return kept.length
  })
}

type Question = { segment: SegmentRow; people: JudgedPerson[]; model: Model; signal: AbortSignal }

/**
 * A batch whose answer cannot be used is asked in halves. Of a single person the verdict is then that there is none: they do
 * not match, and the reason says that nobody judged them.
 */
async function verdictsOn(question: Question): Promise<Verdict[]> {
  const { segment, people, model, signal } = question
  const outcome = await model.judge(
    { query: segment.query, rules: segment.rules, people },
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
