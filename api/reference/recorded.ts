import { decodeBase64 } from '../http/base64.ts'
import type { Route } from '../route.ts'
import { base64In } from '../shapes/file.ts'
import calls from './recorded.json' with { type: 'json' }

// One call of each route as the service has answered it, so that the examples of the reference say what it does. The file is
// written by `npm run examples`, which plays a week at an invented company (test/support/examples/story.ts).

export type Recorded = { path: Record<string, string>; request?: unknown; answer: unknown }

const recorded: Partial<Record<string, Recorded>> = calls

/**
 * The recorded call of a route, as its shapes describe it: an answer of the reduced deployment has fewer members. Nothing where
 * none was recorded, or where a request is refused there.
 */
export function recordedOf(route: Route, isReduced: boolean): Recorded | undefined {
  const call = recorded[route.operationId]
  // Parsing costs a document as much as all the rest, and what the full deployment answers is as it was recorded.
  if (!call || !isReduced) return call
  const answer = route.response.safeParse(call.answer)
  if (!answer.success || !isTaken(route, call.request)) return undefined
  return { ...call, answer: answer.data }
}

function isTaken({ method, body }: Route, request: unknown): boolean {
  if (method === 'GET' || !body) return true
  const parsed = structuredClone(request ?? {})
  decodeBase64(parsed, base64In(body))
  return body.safeParse(parsed).success
}
