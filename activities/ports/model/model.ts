import type { JudgedPerson, Rule, Verdict } from '../../../rules/judge/judge.ts'
import type { TaskBrief, TaskReply } from './task-words.ts'
import type { Asker } from './threads.ts'
import type { Brief, Written } from './writer.ts'

// The port that writes letters and judges people: a few typed questions. Two adapters answer them: the embedded rules
// (embedded.ts), and any endpoint with OpenAI's chat completions (endpoint.ts). Whatever a language model writes is checked by
// our own rules (letter-check.ts) before anybody gets it.

/**
 * Why there is no usable answer; `code` is safe to show. `refused` is the model's own refusal, `unusable` is our verdict on its
 * answer.
 */
export type NoAnswer = { kind: 'refused' | 'unusable'; code: string }
export type ModelOutcome<T> = { kind: 'answer'; answer: T } | NoAnswer

export type Model = {
  /** The name of the model, for records. */
  name: string
  /** How many people one question holds, and how many questions are asked at once. */
  judging: { batch: number; atOnce: number }
  writeLetter(brief: Brief, asker: Asker): Promise<ModelOutcome<Written>>
  /** One verdict for each person, in their order. */
  judge(
    question: { query: string; rules: Rule[]; people: JudgedPerson[] },
    asker: Asker,
  ): Promise<ModelOutcome<Verdict[]>>
  answerTask(brief: TaskBrief, asker: Asker): Promise<ModelOutcome<TaskReply>>
}
// Every question throws `trouble` with a code that begins with model_ if a later try may succeed: no connection, no answer in
// time, too many questions, a server error, a key that is not accepted. The activity's retry policy does the waiting.

export const isModelTrouble = (error: unknown): error is Error & { type: string } =>
  error instanceof Error &&
  'type' in error &&
  typeof error.type === 'string' &&
  error.type.startsWith('model_')
