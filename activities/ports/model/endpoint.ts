import { ApplicationFailure } from '@temporalio/common'
import { z } from 'zod'
import { openBreaker } from '../../../process/limits/breaker.ts'
import type { Verdict } from '../../../rules/judge/judge.ts'
import { restingAs, trouble } from '../../common/failures.ts'
import { unfinished } from './embedded.ts'
import { languageOf } from './language.ts'
import type { Flaw } from './letter-check.ts'
import type { Model, ModelOutcome, NoAnswer } from './model.ts'
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

const failing: ReadonlySet<string | null | undefined> = new Set([
  'model_unreachable',
  'model_timeout',
  'model_failing',
  'model_refuses_key',
  'model_misconfigured',
])

/** The adapter for any endpoint with OpenAI's chat completions. It throws what complete() throws. */
export function endpointModel(endpoint: Endpoint, threads: Threads): Model {
  const breaker = openBreaker({
    isFailure: (error) => error instanceof ApplicationFailure && failing.has(error.type),
    resting: (delayMs, error) => restingAs(error, delayMs),
  })
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
  ): Promise<ModelOutcome<T>> {
    const { $schema: _, ...schema } = z.toJSONSchema(shape)
    const turns: Turn[] = [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ]
    let code = 'model_unusable'
    for (let tries = 0; tries < 2; tries++) {
      const said = await breaker.ask(endpoint.url, () =>
        complete(endpoint, turns, { name, schema }, signal),
      )
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

const mapped = <A, B>(outcome: ModelOutcome<A>, to: (answer: A) => B): ModelOutcome<B> =>
  outcome.kind === 'answer' ? { kind: 'answer', answer: to(outcome.answer) } : outcome

/** One line without control characters (a NUL cannot be stored), cut at its length. */
const plain = (text: string, longest: number) =>
  text
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()

// One call of POST {MODEL_URL}/chat/completions, as described in OpenAI's API reference and understood by many servers.

type Endpoint = { url: string; key?: string | undefined; name: string; timeoutMs: number }
type Turn = { role: 'system' | 'user' | 'assistant'; content: string }
export type Format = { name: string; schema: Record<string, unknown> }

// A letter is some kilobytes, a batch of verdicts some dozen. Anything larger does not answer the question.
const largestAnswer = 1 << 20
const mostTokens = 8_000
const longestPatienceMs = 10 * 60_000

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})
// What a provider's filter returns instead of an answer: content_filter from Azure, the other two from OpenAI.
const refusing = ['content_filter', 'content_policy_violation', 'context_length_exceeded']

/**
 * The text that the model answers, or why there is none.
 * @throws trouble model_unreachable, model_timeout, model_busy, model_failing, model_refuses_key, model_misconfigured.
 */
export async function complete(
  endpoint: Endpoint,
  turns: Turn[],
  format: Format,
  signal?: AbortSignal,
): Promise<{ kind: 'text'; text: string } | NoAnswer> {
  const limit = AbortSignal.timeout(endpoint.timeoutMs)
  try {
    const response = await fetch(`${endpoint.url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(endpoint.key && { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify({
        model: endpoint.name,
        messages: turns,
        max_completion_tokens: mostTokens,
        response_format: { type: 'json_schema', json_schema: { ...format, strict: true } },
      }),
      // No redirect is followed: the key goes to this address and to no other.
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
    const body = await readBounded(response)
    if (response.status !== 200) return refusalOf(response, body)
    return answerOf(body)
  } catch (error) {
    if (error instanceof ApplicationFailure || signal?.aborted) throw error
    if (limit.aborted)
      throw trouble('model_timeout', 'The model did not answer in time; the activity is retried.')
    throw trouble('model_unreachable', 'The model cannot be reached; the activity is retried.')
  }
}

function answerOf(body: string): { kind: 'text'; text: string } | NoAnswer {
  const parsed = Completion.safeParse(jsonOf(body))
  // For example a proxy's page: the model did not write it.
  if (!parsed.success)
    throw trouble(
      'model_failing',
      'The endpoint answered with something other than a completion; the activity is retried.',
    )
  const { finish_reason, message } = parsed.data.choices[0]!
  if (message.refusal || finish_reason === 'content_filter')
    return { kind: 'refused', code: 'model_refused' }
  // The answer was cut off at its length, and half an answer cannot be used.
  if (finish_reason === 'length') return { kind: 'unusable', code: 'model_cut_off' }
  return { kind: 'text', text: message.content ?? '' }
}

function refusalOf(response: Response, body: string): NoAnswer {
  const { status } = response
  const code = (jsonOf(body) as { error?: { code?: unknown } } | undefined)?.error?.code
  if (typeof code === 'string' && refusing.includes(code) && status < 500)
    return { kind: 'refused', code: 'model_refused' }
  if (status === 429 || status === 503)
    throw ApplicationFailure.create({
      type: 'model_busy',
      message: `The model is busy (${status}); the activity is retried.`,
      ...patienceOf(response.headers.get('retry-after')),
    })
  if (status >= 500 || status === 408 || status === 409)
    throw trouble('model_failing', `The model failed (${status}); the activity is retried.`)
  if (status === 401 || status === 403)
    throw trouble(
      'model_refuses_key',
      `The endpoint does not accept MODEL_KEY (${status}); the activity is retried.`,
    )
  throw trouble(
    'model_misconfigured',
    `The endpoint refuses the request (${status}): check MODEL_URL and MODEL_NAME.`,
  )
}

/** Retry-After as seconds or as a date (RFC 9110, 10.2.3), limited to ten minutes. */
function patienceOf(header: string | null): { nextRetryDelay?: number } {
  if (!header) return {}
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? { nextRetryDelay: Math.min(ms, longestPatienceMs) } : {}
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > largestAnswer)
      throw trouble('model_failing', 'The answer is far too long; the activity is retried.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON as models write it: some put it between code fences although they were told not to. */
const jsonOfModel = (text: string): unknown =>
  jsonOf(text) ?? jsonOf(/^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? '')
