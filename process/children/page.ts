import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { PageInput, safePage } from '../../rules/mail/html/page.ts'
import { openPool } from './pool.ts'

// A page of a mebibyte may be crafted to take minutes, so it is made safe in a child process with a time limit.

const pool = openPool({
  name: 'page',
  module: fileURLToPath(new URL('./page-child.ts', import.meta.url)),
  size: 2,
  mostWaiting: 400,
  mostWaitingOfKey: 100,
  // A page of 1 MiB takes half a second, and one of 100,000 open elements two.
  tries: 1,
  heapMb: 256,
  limits: { cpuMs: 3_000, rssMb: 500 },
  wallMs: 20_000,
})

export type SafePage = ReturnType<typeof safePage>

/**
 * Makes a page safe in a child process, in turns with the pages of other workspaces. Undefined if that takes more than the
 * limits of time and memory allow.
 * @throws AsideTrouble when the page is not at fault.
 */
export async function makeSafe(
  page: Omit<PageInput, 'marker'>,
  workspace: string,
): Promise<SafePage | undefined> {
  const input: PageInput = { ...page, marker: randomUUID() }
  const outcome = await pool.run<SafePage>({ key: workspace, kind: 'page', input })
  return outcome.broke === null ? outcome.value : undefined
}
