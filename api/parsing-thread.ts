import { parentPort } from 'node:worker_threads'
import { parseRequest, type Request } from './parsing.ts'

// What the thread of parsing.ts runs.

parentPort?.on(
  'message',
  ({ id, bytes, request }: { id: number; bytes: Uint8Array; request: Request }) => {
    const { json, refusal, fingerprint } = parseRequest(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      request,
    )
    // An error loses its members on the way.
    const told = refusal && { code: refusal.code, message: refusal.message, errors: refusal.errors }
    parentPort?.postMessage({ id, json, refusal: told, fingerprint })
  },
)
