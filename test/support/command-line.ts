import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { reap } from '../../dev/stack/processes.ts'
import { atEnd } from './hooks.ts'
import { eventually } from './service.ts'

// The command line, as a program of its own with a home of its own.

const main = join(import.meta.dirname, '..', '..', 'clients', 'cli', 'src', 'main.ts')

export type CommandLine = ReturnType<typeof commandLine>

/** Somebody's command line; `env` is theirs too. */
export function commandLine(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'postroom-home-'))
  atEnd(async () => rmSync(home, { recursive: true, force: true }))
  const { POSTROOM_URL: _, POSTROOM_TOKEN: __, POSTROOM_PROFILE: ___, ...rest } = process.env
  const start = (args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...rest, POSTROOM_HOME: home, TZ: 'UTC', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    reap(child)
    return child
  }

  /** Runs a command to its end. */
  async function run(args: string[], input = '') {
    const child = start(args)
    const exit = once(child, 'exit')
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await exit
    return { code: code as number, out, err }
  }

  return {
    home,
    run,
    /** What a command with --json answers. */
    async json(args: string[], input = '') {
      const { code, out, err } = await run([...args, '--json'], input)
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${err}`)
      return JSON.parse(out)
    },
    /** Why a command ends, as --json says it. */
    async refusal(args: string[], input = '') {
      const { code, err } = await run([...args, '--json'], input)
      const line = err.trim().split('\n').at(-1) ?? ''
      return { code, error: JSON.parse(line).error }
    },
    login: (url: string, token: string, ...more: string[]) =>
      run(['login', url, ...more], `${token}\n`),
    /** A command that goes on: its lines as they come, and Ctrl-C. */
    go(args: string[]) {
      const child = start(args)
      const said = { out: '', err: '' }
      child.stdout.on('data', (data) => {
        said.out += data
      })
      child.stderr.on('data', (data) => {
        said.err += data
      })
      const exit = once(child, 'exit')
      const lines = () => said.out.split('\n').slice(0, -1)
      return {
        said,
        lines,
        /** Waits until so many lines have come. */
        comes: (n: number) =>
          eventually(
            async () => lines(),
            ({ length }) => length >= n,
            60_000,
          ),
        /** Waits until it has said something. */
        says: (pattern: RegExp) =>
          eventually(
            async () => said.err,
            (err) => pattern.test(err),
            60_000,
          ),
        async end(signal: NodeJS.Signals = 'SIGINT') {
          child.kill(signal)
          const [code, by] = await exit
          return { code, by }
        },
      }
    },
  }
}
