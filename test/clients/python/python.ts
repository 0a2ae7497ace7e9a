import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { reap } from '../../../dev/stack/processes.ts'
import { atEnd } from '../../support/hooks.ts'
import { pythonEnv } from '../../support/python.ts'

// The client for Python, from its source, driven from here: both of its classes have the same tests.

export const kinds = ['Postroom', 'AsyncPostroom'] as const
export type Kind = (typeof kinds)[number]

export type Failure = {
  kind: string
  code: string | null
  message: string
  key?: string
  status?: number
  request_id?: string
  problem?: Record<string, unknown>
}

/** What the driver has answered with an error. */
export class PythonError extends Error {
  readonly failure: Failure
  readonly code: string | null
  constructor(failure: Failure) {
    super(`${failure.kind} ${failure.code}: ${failure.message}`)
    this.failure = failure
    this.code = failure.code
  }
}

export type Python = ReturnType<typeof startDriver>
// biome-ignore lint/suspicious/noExplicitAny: what Python answers is any JSON.
type Json = any

/** A process with the client, which carries out one thing after the other. */
export function startDriver(bin: string, kind: Kind) {
  const child = spawn(join(bin, 'python'), [join(import.meta.dirname, 'driver.py'), kind], {
    env: pythonEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  reap(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const close = () => child.kill('SIGKILL')
  atEnd(async () => void close())

  function ask(what: string, given: Record<string, unknown> = {}): Promise<Json> {
    const mine = last.then(async () => {
      child.stdin.write(`${JSON.stringify({ do: what, ...given })}\n`)
      const { value } = await lines.next()
      const answer = JSON.parse(value ?? '{"error":{"kind":"it has died","code":null}}')
      if (answer.error) throw new PythonError(answer.error)
      return answer.value
    })
    last = mine.catch(() => {})
    return mine
  }
  return {
    ask,
    close,
    client: (options: Record<string, unknown>) => ask('client', options),
    call: (method: string, args: unknown[] = [], kwargs: Record<string, unknown> = {}) =>
      ask('call', { method, args, kwargs }),
    answer: (method: string, args: unknown[] = [], kwargs: Record<string, unknown> = {}) =>
      ask('answer', { method, args, kwargs }),
    page: (method: string, kwargs: Record<string, unknown> = {}) => ask('page', { method, kwargs }),
    take: (n: number, method: string, kwargs: Record<string, unknown> = {}) =>
      ask('take', { n, method, kwargs }),
  }
}
