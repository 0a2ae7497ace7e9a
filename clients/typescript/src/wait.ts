import { call, pause, type Service } from './call.ts'
import type { Operation } from './generated/schemas.ts'
import { PostroomError } from './problems.ts'
import type { CallOptions } from './types.ts'

const longestWaitSeconds = 25
// What one answer takes beside the wait itself.
const roomMs = 5_000
// An API process that stops answers at once.
const shortestMs = 1_000

/** Waits until the operation has ended. @throws PostroomError not_ended; Refusal not_found, where no call has had the key. */
export async function waitFor(
  service: Service,
  key: string,
  forMs: number,
  options: CallOptions,
): Promise<Operation> {
  const until = Date.now() + forMs
  const timeoutMs = options.timeoutMs ?? service.timeoutMs
  for (;;) {
    const from = Date.now()
    const leftMs = Math.min(until - from, timeoutMs - roomMs)
    const seconds = Math.min(longestWaitSeconds, Math.max(0, Math.ceil(leftMs / 1000)))
    const path = `/operations/${encodeURIComponent(key)}?wait=${seconds}`
    const { body } = await call<Operation>(service, { ...options, method: 'GET', path })
    if (body.endedAt !== null) return body
    if (Date.now() >= until)
      throw new PostroomError(
        'not_ended',
        `The operation ${body.id} is ${body.state}${body.waitingFor ? ` for ${body.waitingFor}` : ''}.`,
        { key },
      )
    await pause(Math.max(0, shortestMs - (Date.now() - from)), options.signal)
  }
}
