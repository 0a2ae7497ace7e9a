import type { JudgedPerson, Rule, Verdict } from '../../../rules/judge/judge.ts'
import type { TaskBrief, TaskReply } from './task-words.ts'
import type { Asker } from './threads.ts'
import type { Brief, Written } from './writer.ts'

// The port of what writes and judges: a few typed questions. Two adapters answer them, the embedded rules
// (embedded.ts) and any endpoint that speaks OpenAI's chat completions (endpoint.ts). Whatever answers, a letter
// is checked by rules of ours (letter-check.ts) before it is anybody's.

/** No answer that can be used; `code` is safe to show. A refusal is the model's, unusable is what we make of its answer. */
export type NoAnswer = { kind: 'refused' | 'unusable'; code: string }
export type Outcome<T> = { kind: 'answer'; answer: T } | NoAnswer

export type Model = {
  /** What answered, for records. */
  name: string
  /** How many people one question holds, and how many questions are asked at once. */
  judging: { batch: number; atOnce: number }
  writeLetter(brief: Brief, asker: Asker): Promise<Outcome<Written>>
  /** One verdict for each person, in their order. */
  judge(
    question: { query: string; rules: Rule[]; people: JudgedPerson[] },
    asker: Asker,
  ): Promise<Outcome<Verdict[]>>
  answerTask(brief: TaskBrief, asker: Asker): Promise<Outcome<TaskReply>>
}
// Every question throws `trouble` with a code that begins with model_ where a later try may be answered: no connection, no
// answer in time, too many questions, a server's error, a key that is not taken. The activity's retry has the patience.

export const isModelTrouble = (error: unknown): error is Error & { type: string } =>
  error instanceof Error &&
  'type' in error &&
  typeof error.type === 'string' &&
  error.type.startsWith('model_')
