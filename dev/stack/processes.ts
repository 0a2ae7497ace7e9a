import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // An orphan stays a zombie where process 1 does not collect them, as in many containers.
  return !/\) [ZX] /.test(procFile(pid, 'stat'))
}

/** The command line of a process, or '' if there is none. A process id alone proves nothing, since ids are reused. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return procFile(pid, 'cmdline').replaceAll('\0', ' ').trim()
  const found = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => undefined)
  return found?.stdout.trim() ?? ''
}

/** The nearest process above this one whose command line matches, at most two generations up. */
export async function ancestor(pattern: RegExp): Promise<number | undefined> {
  const parent = process.ppid
  if (pattern.test(await commandLine(parent))) return parent
  const grandparent = await parentOf(parent)
  return grandparent && pattern.test(await commandLine(grandparent)) ? grandparent : undefined
}

async function parentOf(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    return Number(/\) \S (\d+)/.exec(procFile(pid, 'stat'))?.[1]) || undefined
  }
  const found = await run('ps', ['-o', 'ppid=', '-p', String(pid)]).catch(() => undefined)
  return Number(found?.stdout) || undefined
}

export function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** Asks a process to end, and kills it if it has not ended after `graceMs`. Resolves when it is gone. */
export async function end(pid: number, signal: NodeJS.Signals, graceMs: number) {
  for (const [sent, waitMs] of [
    [signal, graceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!signalled(pid, sent)) return
    const deadline = Date.now() + waitMs
    while (isAlive(pid)) {
      if (Date.now() > deadline) break
      await sleep(25)
    }
    if (!isAlive(pid)) return
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/**
 * Which process id belongs to which part, kept in DATA_DIR/pids so that the start after a SIGKILL can end the
 * processes left behind.
 */
export function pidFiles(dataDir: string) {
  const folder = join(dataDir, 'pids')
  return {
    write(name: string, pid: number) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), String(pid))
    },
    /** To be called when all of them have ended. */
    clear: () => rmSync(folder, { recursive: true, force: true }),
    /** The process id, if that process still runs and its command line shows that it is the right one. */
    async running(name: string, mark: string): Promise<number | undefined> {
      try {
        const pid = Number(readFileSync(join(folder, name), 'utf8'))
        return pid && pid !== process.pid && (await commandLine(pid)).includes(mark)
          ? pid
          : undefined
      } catch {
        return undefined
      }
    },
  }
}

// Ends the children when their parent is gone, for whatever reason: a pipe closes even on SIGKILL. SIGINT means a
// fast shutdown to Postgres and a clean one to the others.
const reaperScript = `
pids= folder=
while IFS= read -r line; do
  case $line in
    pids*) pids=\${line#pids} ;;
    folder\\ *) folder=\${line#folder } ;;
  esac
done
[ -n "$pids" ] && kill -INT $pids 2>/dev/null && sleep 2 && kill -KILL $pids 2>/dev/null
[ -n "$folder" ] && rm -rf "$folder"
exit 0`

let reaper: ChildProcess | undefined
const watched = new Set<number>()

/** From now on the child does not outlive this process. */
export function reap(child: ChildProcess) {
  const pid = child.pid
  if (!pid) return
  watched.add(pid)
  child.once('exit', () => {
    watched.delete(pid)
    tellReaper(`pids ${[...watched].join(' ')}`)
  })
  tellReaper(`pids ${[...watched].join(' ')}`)
}

/** From now on the folder does not outlive this process. */
export const reapFolder = (folder: string) => tellReaper(`folder ${folder}`)

function tellReaper(line: string) {
  if (!reaper) {
    reaper = spawn('/bin/sh', ['-c', reaperScript], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    reaper.on('error', () => {})
    reaper.stdin?.on('error', () => {})
    reaper.unref()
    ;(reaper.stdin as unknown as { unref(): void }).unref()
  }
  reaper.stdin?.write(`${line}\n`)
}

/** Resolves with a sentence about how the child ended. */
export async function ended(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? `exit code ${child.exitCode}`
}
