import { z } from 'zod'
import type { Verdict } from '../../../rules/judge/judge.ts'
import { unfinished } from './embedded.ts'
import { complete, type Endpoint, jsonOfModel, type Turn } from './http.ts'
import { languageOf } from './language.ts'
import type { Flaw } from './letter-check.ts'
import type { Model, Outcome } from './model.ts'
import { judgePrompt, letterPrompt, type Prompt, taskPrompt } from './prompts.ts'
import type { Jobs } from './thread.ts'
import type { Asker, Threads } from './threads.ts'
import { ownTexts } from './writer.ts'

// The shapes do not limit lengths, because providers that hold a model to a schema refuse such limits.
const Letter = z.strictObject({ subject: z.string(), text: z.string() })
const Reply = z.strictObject({ text: z.string(), note: z.string() })
const Verdicts = z.strictObject({
  verdicts: z.array(
    z.strictObject({ person: z.number(), matches: z.boolean(), reason: z.string() }),
  ),
})

const longestLetter = 6_000
const longestReply = 10_000
const longestReason = 500
const longestNote = 1_000

/** The adapter for any endpoint with OpenAI's chat completions. It throws what complete() throws. */
export function endpointModel(endpoint: Endpoint, threads: Threads): Model {
  return {
    name: endpoint.name,
    judging: { batch: 20, atOnce: 4 },
    async writeLetter(brief, asker) {
      const { rules } = brief
      // For links, the materials count as our own texts; for orders, they count as data.
      const own = ownTexts(brief)
      const check = (letter: z.output<typeof Letter>) =>
        checked(asker, { letter, own, rules, longest: longestLetter })
      const outcome = await ask(letterPrompt(brief), 'letter', Letter, check, asker.signal)
      return mapped(outcome, ({ subject, text }) => ({
        subject: subject.trim(),
        text: `${text.trim()}\n`,
        language: languageOf(text) ?? 'en',
      }))
    },
    async answerTask(brief, asker) {
      const { rules } = brief
      const own = [...ownTexts(brief), brief.words]
      const check = async ({ text }: z.output<typeof Reply>) =>
        text.trim() === ''
          ? []
          : checked(asker, { letter: { text }, own, rules, longest: longestReply })
      const outcome = await ask(taskPrompt(brief), 'reply', Reply, check, asker.signal)
      if (outcome.kind === 'answer' && outcome.answer.text.trim() === '')
        return { kind: 'refused', code: 'not_possible' }
      return mapped(outcome, ({ text, note }) => ({
        text: `${text.trim()}\n`,
        note: plain(note, longestNote),
      }))
    },
    async judge({ query, rules, people }, { signal }) {
      const check = async ({ verdicts }: z.output<typeof Verdicts>): Promise<Flaw[]> => {
        const judged = new Set(verdicts.map(({ person }) => person))
        const complete =
          verdicts.length === people.length && people.every((_, i) => judged.has(i + 1))
        const message = `There must be exactly one verdict for each person from 1 to ${people.length}.`
        if (!complete) return [{ code: 'incomplete', message }]
        return verdicts.every(({ reason }) => reason.trim() !== '')
          ? []
          : [{ code: 'no_reason', message: 'Each verdict needs a reason.' }]
      }
      const outcome = await ask(
        judgePrompt(query, rules, people),
        'verdicts',
        Verdicts,
        check,
        signal,
      )
      return mapped(outcome, ({ verdicts }): Verdict[] =>
        [...verdicts]
          .sort((a, b) => a.person - b.person)
          .map(({ matches, reason }) => ({
            matches,
            reason: `${plain(reason, longestReason)} Judged by ${endpoint.name}.`,
          })),
      )
    },
  }

  /** Checks an answer in a thread, because our own texts, which it is compared with, may be long. */
  async function checked(asker: Asker, given: Jobs['check']['given']): Promise<Flaw[]> {
    const done = await threads.run(asker, 'check', given)
    if (done.kind === 'done') return done.answer
    return [{ code: unfinished(done).code, message: 'It could not be checked.' }]
  }

  /** Asks, and asks once more with what is wrong with the answer; after that, no answer can be used. */
  async function ask<T>(
    prompt: Prompt,
    name: string,
    shape: z.ZodType<T>,
    check: (answer: T) => Promise<Flaw[]>,
    signal?: AbortSignal,
  ): Promise<Outcome<T>> {
    const { $schema: _, ...schema } = z.toJSONSchema(shape)
    const turns: Turn[] = [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ]
    let code = 'model_unusable'
    for (let tries = 0; tries < 2; tries++) {
      const said = await complete(endpoint, turns, { name, schema }, signal)
      if (said.kind !== 'text') return said
      const parsed = shape.safeParse(jsonOfModel(said.text))
      const flaws = parsed.success
        ? await check(parsed.data)
        : [{ code: 'model_unusable', message: z.prettifyError(parsed.error).slice(0, 2000) }]
      if (parsed.success && flaws.length === 0) return { kind: 'answer', answer: parsed.data }
      code = flaws[0]?.code ?? code
      const wrong = flaws.map(({ message }) => `- ${message}`).join('\n')
      turns.push(
        { role: 'assistant', content: said.text.slice(0, 20_000) },
        { role: 'user', content: `That cannot be used:\n${wrong}\nAnswer again, whole.` },
      )
    }
    return { kind: 'unusable', code }
  }
}

const mapped = <A, B>(outcome: Outcome<A>, to: (answer: A) => B): Outcome<B> =>
  outcome.kind === 'answer' ? { kind: 'answer', answer: to(outcome.answer) } : outcome

/** One line without control characters (a NUL cannot be stored), cut at its length. */
const plain = (text: string, longest: number) =>
  text
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
