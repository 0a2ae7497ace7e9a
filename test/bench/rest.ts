import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../dev/stack/services.ts'
import { type Cost, costs, printCosts, usage } from './usage.ts'

// What the stack of `npm start` costs while nobody uses it: processor time and memory of each of its processes.

/** Starts the stack in a folder of its own, leaves it alone for `settleSeconds`, and looks at it for `seconds`. */
export async function measureRest({ seconds = 60, settleSeconds = 30 } = {}): Promise<Cost[]> {
  if (process.platform !== 'linux') throw new Error('This reads /proc, which only Linux has.')
  const dataDir = mkdtempSync(join(tmpdir(), 'postroom-rest-'))
  const up = startUp(join(dataDir, 'data'))
  try {
    await serving(up.stdout)
    await sleep(settleSeconds * 1000)
    const before = usage(up.pid as number)
    const from = performance.now()
    await sleep(seconds * 1000)
    const took = (performance.now() - from) / 1000
    return costs(before, usage(up.pid as number), took)
  } finally {
    up.kill('SIGINT')
    await once(up, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** `npm start` on a data folder, with free ports. */
export function startUp(dataDir: string, more: NodeJS.ProcessEnv = {}) {
  const ports = ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']
  const mail = ['MAIL_SMTP_PORT', 'MAIL_HTTP_PORT', 'MAIL_IMAP_PORT']
  const free = Object.fromEntries([...ports, ...mail].map((name) => [name, '0']))
  return spawn('dev/run', ['--max-semi-space-size=1', 'dev/up.ts'], {
    cwd: root,
    env: { ...process.env, ...free, DATA_DIR: dataDir, ...more },
    stdio: ['ignore', 'pipe', 2],
  })
}

export async function rest({ quick }: { quick: boolean }) {
  const found = await measureRest(quick ? { seconds: 5, settleSeconds: 1 } : {})
  printCosts(found)
}

/** Resolves when everything serves. */
export async function serving(output: NodeJS.ReadableStream | null) {
  if (!output) return
  let text = ''
  for await (const chunk of output) {
    text += chunk
    if (text.includes('Ctrl-C stops everything.')) break
  }
  output.resume()
  if (!text.includes('Ctrl-C')) throw new Error('npm start did not start')
}
