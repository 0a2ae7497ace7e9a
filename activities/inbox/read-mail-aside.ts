import { fileURLToPath } from 'node:url'
import { AsideTrouble, openPool } from '../../process/children/pool.ts'
import { type ReceivedMail, unreadable } from '../../rules/mail/received.ts'
import { trouble } from '../common/failures.ts'

// Mail is read in a child process, because anybody with a mail program may send one.

const pool = openPool({
  name: 'mail',
  module: fileURLToPath(new URL('../children/child.ts', import.meta.url)),
  size: 2,
  // How many mails of one mailbox, and of one archive, are read at once.
  mostWaiting: 2_000,
  heapMb: 384,
  // A mail of 40 MiB takes a second of processor time and 400 MB of memory.
  limits: { cpuMs: 5_000, rssMb: 640 },
})

export type Read = {
  mail: ReceivedMail
  /** Why a mail is kept as it came: how reading it failed. */
  broke: string | null
}

/**
 * Reads a mail like readMail, but in a child process, taking turns with other workspaces. A mail that cannot be read within the
 * limits of time and memory is kept whole, like one that cannot be parsed.
 * @throws trouble aside_unavailable or aside_busy, which are not the mail's fault, and the signal's reason when it is aborted.
 */
export async function readMailAside(
  raw: Buffer,
  arrivedAt: Date,
  workspace: string,
  signal?: AbortSignal,
  zone = 'UTC',
): Promise<Read> {
  const job = { key: workspace, kind: 'mail', input: { arrivedAt, zone }, bytes: raw, signal }
  const outcome = await pool.run<ReceivedMail>(job).catch((error: unknown) => {
    throw error instanceof AsideTrouble
      ? trouble(error.code, 'Mail cannot be parsed at the moment; the activity is retried.')
      : error
  })
  if (outcome.broke === null) return { mail: outcome.value, broke: null }
  return { mail: unreadable(raw), broke: outcome.broke }
}
