import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Correction } from '../../rules/people-file/columns.ts'
import type { Reading, Summary } from '../../rules/people-file/read.ts'
import type { Batch } from '../../rules/people-file/rows.ts'
import type { Unreadable } from '../../rules/people-file/unreadable.ts'
import type { Read, Request } from './people-file-child.ts'
import { openPool } from './pool.ts'

// A hostile file must not harm the process that received it: a child with its own memory and a time limit reads it.

const timeLimitMs = 20_000
const pool = openPool({
  name: 'file',
  module: fileURLToPath(new URL('./people-file-child.ts', import.meta.url)),
  // Reading a file uses a whole processor, so at most two are read at once and the others wait for their turn.
  size: 2,
  mostWaiting: 400,
  mostWaitingOfKey: 100,
  // The caller waits for it, and can upload the file again.
  tries: 1,
  wallMs: timeLimitMs,
  heapMb: 512,
  limits: { cpuMs: timeLimitMs, rssMb: 700 },
})

export type FileRead = Summary & {
  /** Parsed one at a time, so that a long file never blocks the event loop for long. */
  batches(): Generator<Batch>
}

type Options = Reading & {
  /** Only recognises the columns. */
  columnsOnly?: boolean
  signal?: AbortSignal
  workspace?: string
}

/**
 * Reads a file of people in a child process, in turns with the files of other workspaces where `workspace` is given.
 * `limits` means that it could not be read within the limits of time and memory.
 * @throws AsideTrouble when the file is not at fault; the signal's reason when it is aborted.
 */
export async function readAside(
  content: Uint8Array,
  corrections: Correction[],
  options: Options = {},
): Promise<FileRead | (Unreadable & { limits?: true })> {
  const { columnsOnly = false, signal, workspace = randomUUID(), ...reading } = options
  const input: Request = { corrections, columnsOnly, ...reading }
  const job = { key: workspace, kind: 'peopleFile', input, bytes: content, signal }
  const outcome = await pool.run<Read>(job)
  if (outcome.broke !== null)
    return { unreadable: 'It cannot be read within the limits of time and memory.', limits: true }
  const { summary, batches } = outcome.value
  if ('unreadable' in summary) return summary
  return {
    ...summary,
    *batches() {
      for (const batch of batches) yield JSON.parse(batch.toString('utf8')) as Batch
    },
  }
}
