import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { parseRequest, type Request } from './parsing.ts'

// Runs in the thread of parsing.ts. The threads that answer calls come first: on Linux each thread has a priority of
// its own.

try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW)
} catch {
  // This system has no such priorities.
}

parentPort?.on(
  'message',
  ({ id, bytes, request }: { id: number; bytes: Uint8Array; request: Request }) => {
    const { json, refusal, fingerprint, memory } = parseRequest(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      request,
    )
    // An error loses its members when it is passed between threads.
    const sent = refusal && { code: refusal.code, message: refusal.message, errors: refusal.errors }
    parentPort?.postMessage({ id, json, refusal: sent, fingerprint }, memory)
  },
)
