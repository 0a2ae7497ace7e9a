import { readdirSync } from 'node:fs'
import { procFile } from '../../dev/stack/processes.ts'

// Processor time and memory of the processes of a stack.

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
  ['IMAP server', 'imap-server/process'],
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

export type Usage = Map<number, { part: string; cpuSeconds: number; rssMb: number; pssMb: number }>

/** Of the process and all below it. A session of Postgres that begins or ends meanwhile counts from or up to then. */
export function usage(rootPid: number): Usage {
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

export function costs(before: Usage, after: Usage, seconds: number): Cost[] {
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

export function printCosts(found: Cost[]) {
  const line = (part: string, ...cells: (string | number)[]) =>
    console.log(part.padEnd(16) + cells.map((cell) => String(cell).padStart(12)).join(''))
  line('at rest', 'processes', '% of a core', 'RSS MB', 'PSS MB')
  for (const { part, processes, cpu, rssMb, pssMb } of found)
    line(part, processes, cpu.toFixed(2), rssMb.toFixed(0), pssMb.toFixed(0))
}
