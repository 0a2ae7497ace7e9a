import { fileURLToPath } from 'node:url'
import { AsideTrouble, openPool } from '../../aside/pool.ts'
import { trouble } from '../common/trouble.ts'
import { type ReceivedMail, unreadable } from './read-mail.ts'

// A mail is read in a child process: whoever has a mail program may write one.

const pool = openPool({
  name: 'mail',
  module: fileURLToPath(new URL('../aside/child.ts', import.meta.url)),
  size: 2,
  // One of each mailbox at most, and one of each archive.
  mostWaiting: 2_000,
  heapMb: 384,
  // A mail of 32 MB takes a second of a processor, and 300 MB.
  limits: { cpuMs: 5_000, rssMb: 640 },
})

export type Read = {
  mail: ReceivedMail
  /** Why a mail is kept as it came: what reading it ended with. */
  broke: string | null
}

/**
 * Reads a mail as readMail does, in a child process, in turns with other workspaces. One that cannot be read within the limits
 * of time and memory is kept whole, as one that cannot be parsed is.
 * @throws trouble aside_unavailable, aside_busy: no fault of the mail's. The signal's reason when it is aborted.
 */
export async function readMailAside(
  raw: Buffer,
  arrivedAt: Date,
  workspace: string,
  signal?: AbortSignal,
): Promise<Read> {
  const job = { key: workspace, kind: 'mail', input: { arrivedAt }, bytes: raw, signal }
  const outcome = await pool.run<ReceivedMail>(job).catch((error: unknown) => {
    throw error instanceof AsideTrouble
      ? trouble(error.code, 'Mail cannot be taken apart just now; it is tried again.')
      : error
  })
  if (outcome.broke === null) return { mail: outcome.value, broke: null }
  return { mail: unreadable(raw), broke: outcome.broke }
}
