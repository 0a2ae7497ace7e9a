import type { CustomFetch } from 'openid-client'
import { exchange } from '../process/network/exchange.ts'
import { isLoopback } from '../process/network/loopback.ts'
import { unreachable } from './trouble.ts'

// Requests to a provider. Its documents name further addresses, so each is checked as that of a webhook is: it leads to the
// public internet, unless private networks are allowed or the operator's file itself names this machine.

const timeoutMs = 6_000
const answerLimit = 256 * 1024

/** Whether requests on behalf of an address that the operator's file gives may stay within this machine or network. */
export const mayStayPrivate = (given: string, allowPrivate: boolean) =>
  allowPrivate || isLoopback(new URL(given).hostname)

/** A `fetch` for openid-client, bounded in time and size. @throws OauthTrouble oauth_unreachable. */
export function boundedFetch(isPublic: boolean): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await exchange({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      timeoutMs,
      answerLimit,
      publicOnly: isPublic,
    })
    if (answer.problem !== null) throw unreachable(answer.problem)
    const received = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) received.set(name, String(value))
    const { status } = answer
    return new Response([204, 205, 304].includes(status) ? null : answer.body, {
      status: status < 200 ? 502 : status,
      headers: received,
    })
  }
}
