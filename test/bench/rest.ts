import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { procFile } from '../../dev/stack/processes.ts'
import { root } from '../../dev/stack/services.ts'

// What the stack of `npm start` costs while nobody uses it: processor time and memory of each of its processes.

/** Clock ticks a second, in which Linux counts processor time. */
const ticks = 100
const marks: [string, string][] = [
  ['Temporal Web UI', 'temporal-ui'],
  ['Temporal', 'start-dev'],
  ['GreenMail', 'greenmail'],
  ['worker', 'activities/worker'],
  ['API', 'api/server'],
  ['Postgres', 'postgres'],
  ['npm start', 'dev/up'],
]

export type Cost = {
  part: string
  processes: number
  /** Percent of one core. */
  cpu: number
  /** What the kernel counts as resident; pages that processes share count for each. */
  rssMb: number
  /** Shared pages divided among those that share them: what the parts add up to. */
  pssMb: number
}

/** Starts the stack in a folder of its own, leaves it alone for `settleSeconds`, and looks at it for `seconds`. */
export async function measureRest({ seconds = 60, settleSeconds = 30 } = {}): Promise<Cost[]> {
  if (process.platform !== 'linux') throw new Error('This reads /proc, which only Linux has.')
  const dataDir = mkdtempSync(join(tmpdir(), 'postroom-rest-'))
  const ports = ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']
  const mail = ['MAIL_SMTP_PORT', 'MAIL_HTTP_PORT', 'MAIL_IMAP_PORT']
  const env = {
    ...process.env,
    ...Object.fromEntries([...ports, ...mail].map((name) => [name, '0'])),
    DATA_DIR: join(dataDir, 'data'),
  }
  const up = spawn('dev/run', ['--max-semi-space-size=1', 'dev/up.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 2],
  })
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

export async function rest({ quick }: { quick: boolean }) {
  const found = await measureRest(quick ? { seconds: 5, settleSeconds: 1 } : {})
  const line = (part: string, ...cells: (string | number)[]) =>
    console.log(part.padEnd(16) + cells.map((cell) => String(cell).padStart(12)).join(''))
  line('at rest', 'processes', '% of a core', 'RSS MB', 'PSS MB')
  for (const { part, processes, cpu, rssMb, pssMb } of found)
    line(part, processes, cpu.toFixed(2), rssMb.toFixed(0), pssMb.toFixed(0))
}

async function serving(output: NodeJS.ReadableStream | null) {
  if (!output) return
  let text = ''
  for await (const chunk of output) {
    text += chunk
    if (text.includes('Ctrl-C stops everything.')) break
  }
  output.resume()
  if (!text.includes('Ctrl-C')) throw new Error('npm start did not start')
}

type Usage = Map<number, { part: string; cpuSeconds: number; rssMb: number; pssMb: number }>

/** Of the process and all below it. A session of Postgres that begins or ends meanwhile counts from or up to then. */
function usage(rootPid: number): Usage {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), Number(/\) \S (\d+)/.exec(procFile(Number(pid), 'stat'))?.[1])]),
  )
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === rootPid || isBelow(parents.get(pid)))
  const found: Usage = new Map()
  for (const pid of parents.keys()) if (isBelow(pid)) found.set(pid, usageOf(pid))
  return found
}

function usageOf(pid: number) {
  const command = procFile(pid, 'cmdline')
  const part = marks.find(([, mark]) => command.includes(mark))?.[0] ?? 'others'
  // After the name, which may hold spaces: the 12th and 13th field are user and system time.
  const fields = procFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const memory = procFile(pid, 'smaps_rollup')
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1]) / 1024
  const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / ticks
  return { part, cpuSeconds, rssMb: mb('Rss') || 0, pssMb: mb('Pss') || 0 }
}

function costs(before: Usage, after: Usage, seconds: number): Cost[] {
  const parts = [...new Set(marks.map(([part]) => part)), 'others']
  const found = parts.map((part) => {
    const mine = [...after].filter(([, one]) => one.part === part)
    const sum = (of: (one: [number, ReturnType<typeof usageOf>]) => number) =>
      mine.map(of).reduce((a, b) => a + b, 0)
    return {
      part,
      processes: mine.length,
      cpu:
        (100 * sum(([pid, one]) => one.cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0))) / seconds,
      rssMb: sum(([, one]) => one.rssMb),
      pssMb: sum(([, one]) => one.pssMb),
    }
  })
  const all = { part: 'all', processes: 0, cpu: 0, rssMb: 0, pssMb: 0 }
  for (const one of found) {
    all.processes += one.processes
    all.cpu += one.cpu
    all.rssMb += one.rssMb
    all.pssMb += one.pssMb
  }
  return [...found.filter(({ processes }) => processes > 0), all]
}
