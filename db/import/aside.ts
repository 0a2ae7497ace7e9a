import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Request } from './child.ts'
import type { Correction } from './columns.ts'
import type { Batch, Summary } from './read.ts'
import type { Unreadable } from './table.ts'

// A hostile file must not hurt the process that was given it: it is read in a child with its own memory and a time limit.

const child = fileURLToPath(new URL('./child.ts', import.meta.url))
const timeLimitMs = 20_000
const heapLimitMb = 512
/** Twice what the wordiest file of 3 MB comes to. */
const outputLimit = 128 * 1024 * 1024

// Reading uses a whole processor, so two at once, and the others wait for their turn.
const mostAtOnce = 2
let running = 0
const queue: (() => void)[] = []

export type FileRead = Summary & {
  /** Parsed one at a time, so that a long file never stops the event loop for long. */
  batches(): Generator<Batch>
}

/** Reads a file of people in a child process. `limits` says that it could not be read within the limits of time and memory. */
export async function readAside(
  content: Uint8Array,
  corrections: Correction[],
  columnsOnly = false,
  signal?: AbortSignal,
): Promise<FileRead | (Unreadable & { limits?: true })> {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => queue.push(resolve))
  else running++
  try {
    const lines = await run(content, { corrections, columnsOnly }, signal)
    if (!lines)
      return { unreadable: 'It cannot be read within the limits of time and memory.', limits: true }
    const summary = JSON.parse(lines.pop()!.toString('utf8')) as Summary | Unreadable
    if ('unreadable' in summary) return summary
    return {
      ...summary,
      *batches() {
        for (const line of lines) yield JSON.parse(line.toString('utf8')) as Batch
      },
    }
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

/** The lines the child writes; undefined when it dies or is killed. */
function run(
  content: Uint8Array,
  request: Request,
  signal?: AbortSignal,
): Promise<Buffer[] | undefined> {
  return new Promise((resolve, reject) => {
    const reader = spawn(process.execPath, [`--max-old-space-size=${heapLimitMb}`, child], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    })
    const chunks: Buffer[] = []
    let size = 0
    reader.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > outputLimit) reader.kill('SIGKILL')
    })
    reader.on('error', reject)
    reader.on('close', (code) => resolve(code === 0 ? linesOf(Buffer.concat(chunks)) : undefined))
    // A child that has ended early says so by its exit code.
    reader.stdin.on('error', () => {})
    reader.stdin.write(`${JSON.stringify(request)}\n`)
    reader.stdin.end(content)
  })
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return lines
}
