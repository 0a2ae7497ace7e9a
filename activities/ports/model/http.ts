import { ApplicationFailure } from '@temporalio/common'
import { z } from 'zod'
import { trouble } from '../../common/failures.ts'
import type { NoAnswer } from './model.ts'

// One call of POST {MODEL_URL}/chat/completions, as described in OpenAI's API reference and understood by many servers.

export type Endpoint = { url: string; key?: string | undefined; name: string; timeoutMs: number }
export type Turn = { role: 'system' | 'user' | 'assistant'; content: string }
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
export const jsonOfModel = (text: string): unknown =>
  jsonOf(text) ?? jsonOf(/^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? '')
