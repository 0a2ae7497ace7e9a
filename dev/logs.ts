import type { ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Log } from './steps.ts'

const largestBytes = 20 * 1024 * 1024
const keptLines = 12
const warn = 40

export type LogFile = {
  path: string
  /** Copies what the child prints. */
  follow: (child: ChildProcess) => void
  /** What it said last and is not a log record: why it died. */
  lastLines: (count?: number) => string
  close: () => void
}

/** A child's log on disk; warnings and errors among its pino records are also said on the terminal. */
export function openLog(path: string, name: string, say: Log): LogFile {
  mkdirSync(dirname(path), { recursive: true })
  if (sizeOf(path) > largestBytes) renameSync(path, `${path}.1`)
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 })
  file.on('error', (error) => say(`${path}: ${error.message}`))
  let last: string[] = []

  function take(line: string) {
    file.write(`${line}\n`)
    const seen = compact(line)
    if (seen) say(`${name}: ${seen}`)
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

/** A pino record of a warning or worse as one line, or nothing. */
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
