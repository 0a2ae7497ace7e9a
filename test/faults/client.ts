import { randomUUID } from 'node:crypto'

// A client that follows the contract: it repeats a call with the same Idempotency-Key until it is answered, and remembers
// every answer, to ask for it again at the end.

export type Kept = {
  key: string
  method: string
  path: string
  body: unknown
  status: number
  text: string
}

export type FaultClient = ReturnType<typeof faultClient>

// An awaited call is answered within 25 s.
const callMs = 40_000

/** `isHasty` says of a change whether it is sent twice at once. */
export function faultClient(url: string, token: string, isHasty = () => false) {
  const kept: Kept[] = []
  let repeats = 0

  async function once(method: string, path: string, body: unknown, key: string | undefined) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      signal: AbortSignal.timeout(callMs),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }

  /** Repeats a call until its answer is final: no 5xx, and no 409 that says that the call is still being carried out. */
  async function persistently(
    method: string,
    path: string,
    body: unknown,
    key: string | undefined,
    withinMs: number,
  ) {
    const deadline = Date.now() + withinMs
    for (let tries = 0; ; tries++) {
      const reply = await once(method, path, body, key).catch((error: Error) => ({
        status: 0,
        text: String(error),
      }))
      const open = reply.text.includes('"idempotency_in_progress"')
      if (reply.status !== 0 && reply.status < 500 && !open) return reply
      if (Date.now() > deadline)
        throw new Error(`${method} ${path} was not answered within ${withinMs} ms: ${reply.text}`)
      repeats++
      await new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** tries, 1_000)))
    }
  }

  return {
    kept,
    repeats: () => repeats,
    once,
    persistently,
    /** A change under a key of its own; its answer must be a success. */
    async change(
      method: 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body: unknown,
      { key = randomUUID() as string, withinMs = 120_000 } = {},
    ) {
      const call = async () => {
        const reply = await persistently(method, path, body, key, withinMs)
        kept.push({ key, method, path, body, ...reply })
        return reply
      }
      const [reply] = await Promise.all(isHasty() ? [call(), call()] : [call()])
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
      return JSON.parse(reply.text)
    },
    async read(path: string, withinMs = 60_000) {
      const reply = await persistently('GET', path, undefined, undefined, withinMs)
      if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${reply.text}`)
      return JSON.parse(reply.text)
    },
  }
}
