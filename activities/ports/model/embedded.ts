import type { Rule, Verdict } from '../../../rules/judge/judge.ts'
import type { JudgedPerson } from '../../../rules/judge/person.ts'
import { inFlightOf } from '../../common/bounded.ts'
import type { Model, NoAnswer } from './model.ts'
import { type Asker, type Done, startThreads, type Threads } from './threads.ts'

/** The embedded default: templates and word rules, no network, no language model. It answers whatever can be read in time. */
export const embeddedModel = (threads: Threads): Model => ({
  name: 'embedded rules (no language model)',
  judging: { batch: 1000, atOnce: 1 },
  async writeLetter(brief, asker) {
    const done = await threads.run(asker, 'letter', { brief })
    return done.kind === 'done' ? { kind: 'answer', answer: done.answer } : unfinished(done)
  },
  judge: async (question, asker) => ({
    kind: 'answer',
    answer: await judged(threads, question, asker),
  }),
  async answerTask(brief, asker) {
    const done = await threads.run(asker, 'task', { brief })
    if (done.kind !== 'done') return unfinished(done)
    return 'refused' in done.answer
      ? { kind: 'refused', code: done.answer.refused }
      : { kind: 'answer', answer: done.answer }
  },
})

/** Words that could not be worked on within their limits: no later try would do better. */
export const unfinished = ({ kind }: Exclude<Done<unknown>, { kind: 'done' }>): NoAnswer => ({
  kind: 'unusable',
  code: `writing_${kind}`,
})

// A second each, so that others have their turn between.
const sliceMs = 1_000

async function judged(
  threads: Threads,
  { query, rules, people }: { query: string; rules: Rule[]; people: JudgedPerson[] },
  asker: Asker,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  while (verdicts.length < people.length) {
    const left = people.slice(verdicts.length)
    const given = { query, rules, people: left, mostMs: sliceMs }
    const done = await threads.run(asker, 'judge', given)
    if (done.kind === 'done') verdicts.push(...done.answer)
    else {
      const reason = 'Not judged: the description and its rules could not be read in time.'
      verdicts.push(...left.map(() => ({ matches: false, reason })))
    }
  }
  return verdicts
}

/** The threads of this process. They start when they are needed. */
export const sharedThreads = startThreads()
const embedded = embeddedModel(sharedThreads)

// So much of a workspace is written at once in a process; what judges is bounded by its calls.
const bound = { most: 8, waiting: 16, code: 'model_busy' }

/** What writes and judges here. Writing more of one workspace than may be at once is trouble model_busy. */
export function modelOf({ model = embedded }: { model?: Model | undefined }): Model {
  const written = <T>({ workspace }: Asker, write: () => Promise<T>) =>
    inFlightOf(`writing ${workspace}`, bound, write)
  return {
    name: model.name,
    judging: model.judging,
    writeLetter: (brief, asker) => written(asker, () => model.writeLetter(brief, asker)),
    judge: (question, asker) => model.judge(question, asker),
    answerTask: (brief, asker) => written(asker, () => model.answerTask(brief, asker)),
  }
}
