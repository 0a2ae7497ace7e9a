import type { ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Log } from '../operator/progress.ts'

const largestBytes = 20 * 1024 * 1024
const keptLines = 12
const warn = 40

export type LogFile = {
  path: string
  /** Copies the output of the child. */
  follow: (child: ChildProcess) => void
  /** The last lines that are not log records: why the child died. */
  lastLines: (count?: number) => string
  close: () => void
}

/**
 * A child's log on disk. Warnings and errors among its pino records are also printed on the terminal, each once: a problem that
 * lasts for hours must not push the panel out of sight.
 */
export function openLog(path: string, name: string, say: Log): LogFile {
  mkdirSync(dirname(path), { recursive: true })
  if (sizeOf(path) > largestBytes) renameSync(path, `${path}.1`)
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 })
  file.on('error', (error) => say(`${path}: ${error.message}`))
  let last: string[] = []
  const near = relative(process.cwd(), path)
  const shown = near.startsWith('..') ? path : near
  const report = sparing((line) => say(`${name}: ${line}`), shown)

  function take(line: string) {
    file.write(`${line}\n`)
    const seen = compact(line)
    if (seen) report(seen)
    else if (!line.startsWith('{')) last = [...last, line].slice(-keptLines)
  }

  return {
    path,
    follow(child) {
      last = []
      for (const stream of [child.stdout, child.stderr]) {
        if (stream) createInterface({ input: stream as Readable }).on('line', take)
      }
    },
    lastLines: (count = keptLines) => last.slice(-count).join('\n'),
    close: () => file.end(),
  }
}

const againMs = 60 * 60_000
const mostSaid = 10

/** Prints new lines, the same line once an hour, and at most ten lines an hour; the file has everything. */
function sparing(say: Log, path: string): Log {
  let said = new Set<string>()
  let from = performance.now()
  return (line) => {
    if (performance.now() - from > againMs) {
      said = new Set()
      from = performance.now()
    }
    // Lines are the same if they differ only in numbers, ids and addresses.
    const kind = line.replace(/\S*\d\S*/g, '#')
    if (said.has(kind) || said.size > mostSaid) return
    said.add(kind)
    if (said.size > mostSaid) say(`there are more lines: see ${path}`)
    else say(`${line} (shown once; ${path} has each)`)
  }
}

/** A pino record of level warn or above as one line; otherwise nothing. */
function compact(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const record = JSON.parse(line)
    if (!(record.level >= warn)) return undefined
    const { err = record.error } = record
    const cause = typeof err === 'string' ? err : (err?.message ?? err?.code ?? err?.type)
    return [record.msg, cause].filter(Boolean).join(': ')
  } catch {
    return undefined
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
