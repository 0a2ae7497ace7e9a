import { Worker } from 'node:worker_threads'
import { decodeBase64, type MemberPath } from './base64.ts'
import { fingerprintOf } from './body.ts'
import { ApiError, type ErrorCode, type Problem } from './errors.ts'
import { tooMuch } from './intake.ts'
import { parseJson } from './json.ts'

// Parsing and hashing a body of megabytes takes tens of milliseconds, during which the process would answer nobody.
// So a thread does this for large bodies, one after another.

/**
 * The call of a body: together with it, the JSON determines whether two calls are the same request. `base64` says where the body
 * has files.
 */
export type Request = { method: string; path: string; query: string; base64: MemberPath[] }
type Parsed = { json?: unknown; refusal?: ApiError; fingerprint: string }
/** `memory` is that of the files: it may be handed over with the JSON. */
type WithFiles = Parsed & { memory?: ArrayBuffer[] }

const large = 256 * 1024
const memoryMb = 256

export function parseRequest(bytes: Buffer, { method, path, query, base64 }: Request): WithFiles {
  const { json, refusal } = parseJson(bytes)
  if (refusal) return { json, refusal, fingerprint: '' }
  const fingerprint = fingerprintOf(method, path, new URLSearchParams(query), json)
  return { json, fingerprint, memory: decodeBase64(json, base64) }
}

/**
 * The JSON of a body and the fingerprint of its call, or why it is refused. A large body is transferred, and is no
 * longer available here.
 * @throws ApiError unavailable when the thread ends while it works on the body.
 */
export async function parsed(bytes: Buffer, request: Request): Promise<Parsed> {
  return bytes.length < large ? parseRequest(bytes, request) : inThread(bytes, request)
}

type Told = { code: ErrorCode; message: string; errors?: Problem[] }
type Answer = { id: number; json?: unknown; refusal?: Told; fingerprint: string }
type Waiting = { resolve(parsed: Parsed): void; reject(error: unknown): void }
const waiting = new Map<number, Waiting>()
let thread: Worker | undefined
let asked = 0

function inThread(bytes: Buffer, request: Request): Promise<Parsed> {
  thread ??= start()
  const id = asked++
  // Memory of this size belongs to the body alone.
  thread.postMessage({ id, bytes, request }, [bytes.buffer as ArrayBuffer])
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

function start(): Worker {
  const started = new Worker(new URL('./parsing-thread.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  started.unref()
  started.on('message', ({ id, json, refusal, fingerprint }: Answer) => {
    const { resolve } = waiting.get(id) as Waiting
    waiting.delete(id)
    const { code, message, errors } = refusal ?? {}
    const error = code && new ApiError(code, message ?? '', errors && { errors })
    resolve({ json, fingerprint, ...(error && { refusal: error }) })
  })
  // The exit event follows.
  started.on('error', () => {})
  started.on('exit', () => {
    thread = undefined
    for (const { reject } of waiting.values())
      reject(tooMuch('unavailable', 'The body could not be parsed: repeat with the same key.'))
    waiting.clear()
  })
  return started
}
