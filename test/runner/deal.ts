import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { reap } from '../../dev/stack/processes.ts'
import type { FileResult, Options, Order } from './child.ts'
import { noWaits } from './waits.ts'

// No file takes so long by far. One that hangs is ended, and the others go on.
const longestMs = 20 * 60_000
const lastLines = 40

export type DealOptions = Options & {
  processes: number
  env: NodeJS.ProcessEnv
  /** No further file is dealt once a test has failed. */
  bail: boolean
  /** Called with each file's result as it comes. */
  onResult: (result: FileResult) => void
}

/**
 * Deals the files, in their order, to so many processes: each gets the next one when it has done its last. A process that dies
 * is a failure of the file that it was at, and another one takes its place.
 */
export async function deal(files: string[], options: DealOptions) {
  const left = [...files]
  const hands = Math.min(options.processes, files.length)
  await Promise.all(Array.from({ length: hands }, hand))

  async function hand() {
    let child: Child | undefined
    for (let file = left.shift(); file; file = left.shift()) {
      child ??= startChild(options.env)
      const result = await child.run(file, options)
      if ('died' in result) child = undefined
      const known = 'died' in result ? failureOf(file, result.died) : result
      if (options.bail && hasFailed(known)) left.length = 0
      options.onResult(known)
    }
    await child?.end()
  }
}

export const hasFailed = ({ tests }: Pick<FileResult, 'tests'>) =>
  tests.some(({ state }) => state === 'failed')

const failureOf = (file: string, error: string): FileResult => ({
  file,
  tests: [{ title: `${file} comes to its end`, state: 'failed', ms: 0, retried: 0, error }],
  ms: 0,
  cpuMs: 0,
  waits: noWaits(),
})

type Child = ReturnType<typeof startChild>

function startChild(env: NodeJS.ProcessEnv) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'child.ts'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  })
  reap(child)
  let said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said = [...said, ...chunk.toString().split('\n')].slice(-lastLines)
      if (process.env['TEST_LOG']) process.stderr.write(chunk)
    })
  const gone = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  )
  const send = (order: Order) => child.send(order)

  return {
    async run(file: string, { timeout, forbidOnly }: Options) {
      said = []
      let late = false
      const timer = setTimeout(() => {
        late = true
        child.kill('SIGKILL')
      }, longestMs)
      const answered = new Promise<FileResult>((resolve) => child.once('message', resolve))
      send({ file, options: { timeout, forbidOnly } })
      const result = await Promise.race([answered, gone])
      clearTimeout(timer)
      if (typeof result !== 'string') return result
      const why = late ? `It has not ended within ${longestMs / 60_000} minutes` : `It ended`
      return { died: `${why} (${result}). The last lines it wrote:\n${said.join('\n')}` }
    },
    async end() {
      send('end')
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
      await gone
      clearTimeout(timer)
    },
  }
}
