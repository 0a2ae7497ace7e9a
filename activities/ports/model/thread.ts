import { parentPort } from 'node:worker_threads'
import { type JudgedPerson, judgeFor, type Rule, type Verdict } from '../../../rules/judge/judge.ts'
import { type Flaw, flawsOf } from './letter-check.ts'
import { readRules } from './rule-book.ts'
import { answerFromWords, type TaskBrief } from './task-words.ts'
import { type Brief, type Written, writeByTemplate } from './writer.ts'

// The code of a thread of threads.ts: everything whose time depends on a tenant's words. It has no database and no network.

export type Jobs = {
  letter: { given: { brief: Brief }; answer: Written }
  task: { given: { brief: TaskBrief }; answer: ReturnType<typeof answerFromWords> }
  /** Verdicts on the people from the first on, as many as there is time for, but at least one. */
  judge: {
    given: { query: string; rules: Rule[]; people: JudgedPerson[]; mostMs: number }
    answer: Verdict[]
  }
  check: {
    given: {
      letter: { subject?: string; text: string }
      own: string[]
      rules: string[]
      longest: number
    }
    answer: Flaw[]
  }
}
export type JobName = keyof Jobs

const jobs: { [N in JobName]: (given: Jobs[N]['given']) => Jobs[N]['answer'] } = {
  letter: ({ brief }) => writeByTemplate(brief),
  task: ({ brief }) => answerFromWords(brief),
  judge: ({ query, rules, people, mostMs }) => judgeFor(query, rules, people, mostMs),
  check: ({ letter, own, rules, longest }) => flawsOf(letter, own, readRules(rules), longest),
}

parentPort?.on('message', ({ name, given }: { name: JobName; given: never }) => {
  parentPort?.postMessage({ answer: jobs[name](given) })
})
parentPort?.postMessage('ready')
