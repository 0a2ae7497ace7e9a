import { ApplicationFailure } from '@temporalio/common'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { newId } from '../../../db/ids.ts'
import { openBreaker } from '../../../process/limits/breaker.ts'
import { plainLine } from '../../../rules/text.ts'
import { restingAs, trouble } from '../../common/failures.ts'
import { readBounded } from '../http/answer.ts'
import type { Finder } from './finder.ts'

// A finder over HTTP (docs/finder.md): POST {url}/search and {url}/people, signed as Standard Webhooks
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md), so that it knows who asks.

// A caller waits for 25 s: two attempts fit.
const answerWithinMs = 10_000
const largestAnswer = 4 * 1024 * 1024

const Text = (max: number) =>
  z
    .string()
    .nullish()
    .transform((text) =>
      plainLine(text ?? '')
        .trim()
        .slice(0, max),
    )
const Person = z.object({
  name: Text(200),
  email: Text(500),
  phone: Text(500),
  linkedin: Text(500),
  company: Text(200),
  city: Text(200),
  jobTitle: Text(200),
})
const Filters = z.record(z.string(), z.unknown())
const Searched = z.object({
  filters: Filters,
  count: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
})
const People = z.object({
  people: z.array(Person).max(1000),
  cursor: z.string().min(1).max(4000).nullable(),
})
const Problem = z.object({ detail: z.string() })

/** A finder at `url`; `secret` is a shared secret in base64, with or without the prefix `whsec_`. */
export function httpFinder({ url, secret }: { url: string; secret: string }): Finder {
  const webhook = new Webhook(secret)
  const breaker = openBreaker({
    isFailure: (error) => error instanceof ApplicationFailure,
    resting: (delayMs, error) => restingAs(error, delayMs),
  })

  const ask = <S extends z.ZodType>(path: string, question: object, shape: S) =>
    breaker.ask(url, () => askNow(path, question, shape))

  async function askNow<S extends z.ZodType>(path: string, question: object, shape: S) {
    const body = JSON.stringify(question)
    const id = newId('fnd')
    const at = new Date()
    const { status, text } = await post(`${url.replace(/\/+$/, '')}${path}`, body, {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, at, body),
    })
    // A request that it refuses now it will always refuse; 401, 404, 408, 429 and the like are for its operator to fix.
    if (status === 400 || status === 422) return { refused: reasonOf(text) }
    if (status !== 200) throw trouble('finder_failed', `The people finder answered ${status}.`)
    const answer = shape.safeParse(parsed(text))
    if (!answer.success)
      throw trouble(
        'finder_failed',
        'The answer of the people finder does not have the expected form.',
      )
    return answer.data
  }

  return {
    name: 'the HTTP finder',
    search: ({ words, channel, filters }) =>
      ask('/search', { words, channel, ...(filters && { filters }) }, Searched),
    people: ({ channel, filters, cursor, limit }) =>
      ask('/people', { channel, filters, cursor, limit }, People),
  }
}

async function post(url: string, body: string, headers: Record<string, string>) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const answer = await readBounded(response, largestAnswer)
    return { status: response.status, text: answer.toString('utf8') }
  } catch {
    throw trouble(
      'finder_unavailable',
      'The people finder does not answer; the activity is retried.',
    )
  }
}

function reasonOf(text: string): string {
  const problem = Problem.safeParse(parsed(text))
  return problem.success ? problem.data.detail.slice(0, 300) : 'the finder does not take it'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
