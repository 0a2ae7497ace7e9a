import { fileURLToPath } from 'node:url'
import type { Read } from './letter-html-child.ts'
import { openPool } from './pool.ts'

// How long a page takes to read depends on what is in it, so a child with a time limit does it, and no other call waits.

const timeLimitMs = 3_000
const pool = openPool({
  name: 'html',
  module: fileURLToPath(new URL('./letter-html-child.ts', import.meta.url)),
  size: 2,
  mostWaiting: 400,
  mostWaitingOfKey: 100,
  wallMs: 4 * timeLimitMs,
  heapMb: 256,
  limits: { cpuMs: timeLimitMs, rssMb: 400 },
})

/**
 * Reads the HTML of a letter in a child process, in turns with other workspaces; undefined if it cannot be read within the
 * limits of time and memory.
 * @throws AsideTrouble when the HTML is not at fault.
 */
export async function readHtmlAside(html: string, workspace: string): Promise<Read | undefined> {
  const job = { key: workspace, kind: 'letterHtml', input: null, bytes: Buffer.from(html) }
  const outcome = await pool.run<Read>(job)
  return outcome.broke === null ? outcome.value : undefined
}
