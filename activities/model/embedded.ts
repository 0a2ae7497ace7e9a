import type { Deps } from '../deps.ts'
import { judgeByWords } from '../judge/judge.ts'
import type { Model } from './model.ts'
import { answerFromWords } from './task-words.ts'
import { writeByTemplate } from './writer.ts'

/** The embedded default: templates and word rules, no network, no language model. It always has an answer. */
export const embeddedModel: Model = {
  name: 'embedded rules (no language model)',
  judging: { batch: 1000, atOnce: 1 },
  writeLetter: async (brief) => ({ kind: 'answer', answer: writeByTemplate(brief) }),
  judge: async ({ query, rules, people }) => ({
    kind: 'answer',
    answer: judgeByWords(query, rules, people),
  }),
  answerTask: async (brief) => {
    const answer = answerFromWords(brief)
    return answer.text === ''
      ? { kind: 'refused', code: 'forbidden_words' }
      : { kind: 'answer', answer }
  },
}

/** What writes and judges here. */
export const modelOf = ({ model }: Pick<Deps, 'model'>): Model => model ?? embeddedModel
