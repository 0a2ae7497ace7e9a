import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileResult } from './child.ts'
import { countOf, states } from './reporter.ts'

// What a run leaves behind: a table of its files, with how long each took and what it waited for, and one of its tests.

const folder = join('node_modules', '.cache', 'postroom-tests')
const ofFiles = join(folder, 'files.tsv')
const ofTests = join(folder, 'tests.tsv')
/** For a machine that has not run them yet: what takes more than five seconds. */
const known = join(import.meta.dirname, 'times.tsv')

const head = ['file', 'ms', 'cpu', 'servers', 'workers', 'sleeps', ...states]

/** Writes both tables. @returns the path of the one of files. */
export function keepTimes(results: FileResult[]): string {
  mkdirSync(folder, { recursive: true })
  const longest = results.toSorted((a, b) => b.ms - a.ms)
  const rows = longest.map(({ file, ms, cpuMs, waits, tests }) => {
    const counts = states.map((state) => countOf(tests, state))
    return [file, ms, cpuMs, waits.servers, waits.workers, waits.sleeps, ...counts]
  })
  write(ofFiles, [head, ...rows])
  const tests = longest.flatMap(({ file, tests }) =>
    tests.map(({ title, state, ms, retried }) => [file, state, ms, retried, flat(title)]),
  )
  write(ofTests, [['file', 'state', 'ms', 'retried', 'title'], ...tests])
  return ofFiles
}

/** Longest first, by the last run here, so that no long one begins when the others end. */
export function longestFirst(files: string[]): string[] {
  const times = new Map<string, number>()
  for (const path of [known, ofFiles])
    if (existsSync(path))
      for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
        const [file = '', ms] = line.split('\t')
        times.set(file, Number(ms))
      }
  return files.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))
}

const flat = (title: string) => title.replace(/\s+/g, ' ')
const write = (path: string, rows: unknown[][]) =>
  writeFileSync(path, `${rows.map((row) => row.join('\t')).join('\n')}\n`)
