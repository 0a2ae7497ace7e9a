import type { Asking } from './exchange.ts'
import { signed } from './signature.ts'

// The answer's body means nothing; a little of it is read so that the connection ends cleanly.
const answerLimit = 16 * 1024

/** The request that carries an event to a webhook, signed with each of its secrets. */
export function webhookRequest(
  to: { url: string; secrets: string[]; timeoutMs: number; publicOnly: boolean },
  event: { id: string; type: string; at: Date; data: Record<string, unknown> },
): Asking {
  const { url, secrets, timeoutMs, publicOnly } = to
  const { id, type, at, data } = event
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...data, id } })
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Postroom',
      ...signed(secrets, id, body),
    },
    body,
    timeoutMs,
    answerLimit,
    publicOnly,
  }
}

/** Why an answer other than 2xx counts as none. */
export const refusedAs = (status: number) =>
  status >= 300 && status < 400 ? 'redirect' : 'refused'
