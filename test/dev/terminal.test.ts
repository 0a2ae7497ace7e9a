import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../../dev/stack/logs.ts'

describe('the terminal of npm start', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-terminal-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** What the terminal shows of a worker that logs these lines. */
  async function said(lines: object[]) {
    const path = join(folder, 'worker.log')
    const told: string[] = []
    const log = openLog(path, 'worker', (line) => told.push(line))
    const script = `for (const line of ${JSON.stringify(lines)}) console.log(JSON.stringify(line))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    log.follow(child)
    await once(child, 'close')
    log.close()
    return { told, path, kept: () => readFileSync(path, 'utf8').trimEnd().split('\n').length }
  }

  it('shows a warning once, however often it occurs, and where to find each of them', async () => {
    const { told, path, kept } = await said([
      { level: 30, msg: 'working' },
      ...Array.from({ length: 500 }, (_, i) => ({
        level: 40,
        msg: 'activity failed',
        err: { message: `The account con_m1 cannot be opened (imap_unreachable); attempt ${i}` },
      })),
    ])
    equal(told.length, 1, told.join('\n'))
    match(told[0] as string, /^worker: activity failed: The account .*imap_unreachable/)
    match(told[0] as string, new RegExp(`shown once; ${path} has each`))
    equal(kept(), 501)
  })

  it('shows ten different ones and then points to the log', async () => {
    const words = 'abcdefghijklmnopqrstuvwxyz'.split('')
    const { told, path } = await said(words.map((word) => ({ level: 50, msg: `trouble ${word}` })))
    deepEqual([told.length, told.at(-1)], [11, `worker: there are more lines: see ${path}`])
  })
})
