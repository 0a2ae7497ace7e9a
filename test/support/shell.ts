import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'

export type Shell = {
  /** Runs commands as if they were typed in, and returns their output and the exit status of the last one. */
  run(commands: string): Promise<{ status: number; out: string; trouble: string }>
  end(): void
}

/** One bash, in which variables and functions stay from one run to the next. A pipe fails where any part of it does. */
export function startShell(cwd: string): Shell {
  const child = spawn('bash', ['--norc', '--noprofile', '-o', 'pipefail', '-s'], { cwd })
  let out = ''
  let trouble = ''
  let look = () => {}
  let fail = (_: Error) => {}
  child.once('exit', () => fail(new Error(`bash has ended: ${trouble}`)))
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    trouble += text
  })
  return {
    run(commands) {
      const mark = randomUUID()
      out = ''
      trouble = ''
      return new Promise((resolve, reject) => {
        look = () => {
          const end = new RegExp(`\\n${mark} (\\d+)\\n$`).exec(out)
          if (end) resolve({ status: Number(end[1]), out: out.slice(0, end.index), trouble })
        }
        fail = reject
        child.stdin.write(`${commands}\nprintf '\\n%s %s\\n' ${mark} $?\n`)
      })
    },
    end: () => child.stdin.end(),
  }
}

/** Whether these programs are installed. */
export const hasPrograms = (...names: string[]): boolean =>
  names.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0)
