import type { Rule, Verdict } from '../../../rules/judge/judge.ts'
import type { JudgedPerson } from '../../../rules/judge/person.ts'
import { bounded } from '../../common/bounded.ts'
import type { Model, NoAnswer } from './model.ts'
import { type Asker, type Done, startThreads, type Threads } from './threads.ts'

/**
 * The embedded default: templates and word rules, without a network or a language model. It answers everything that can be read
 * in time.
 */
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

/** The words could not be processed within the limits; a later try would not do better. */
export const unfinished = ({ kind }: Exclude<Done<unknown>, { kind: 'done' }>): NoAnswer => ({
  kind: 'unusable',
  code: `writing_${kind}`,
})

// One second for each job, so that others have their turn in between.
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

/** The threads of this process. They are started when they are needed. */
export const sharedThreads = startThreads()
const embedded = embeddedModel(sharedThreads)

// How much of one workspace is written at once in a process. Judging is limited by its calls.
const writing = bounded({ name: 'writing', ofKey: 8, waiting: 16, code: 'model_busy' })

/** The model that writes and judges here. If a workspace writes more at once than is allowed, it throws trouble model_busy. */
export function modelOf({ model = embedded }: { model?: Model | undefined }): Model {
  const written = <T>({ workspace }: Asker, write: () => Promise<T>) => writing(workspace, write)
  return {
    name: model.name,
    judging: model.judging,
    writeLetter: (brief, asker) => written(asker, () => model.writeLetter(brief, asker)),
    judge: (question, asker) => model.judge(question, asker),
    answerTask: (brief, asker) => written(asker, () => model.answerTask(brief, asker)),
  }
}
