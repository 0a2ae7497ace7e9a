import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { reap } from './processes.ts'
import type { Answered, Steps } from './steps-child.ts'

// Takes the steps of a start in a child process that ends with the start: what they load would otherwise stay in memory for as
// long as everything runs. A step that is needed later starts another.

const file = join(import.meta.dirname, 'steps-child.ts')

let child: ChildProcess | undefined
let isOver = false
let last = 0
const open = new Map<number, PromiseWithResolvers<unknown>>()

/** @throws Error with the message of the one that the step threw. */
export async function take<K extends keyof Steps>(
  name: K,
  ...args: Parameters<Steps[K]>
): Promise<Awaited<ReturnType<Steps[K]>>> {
  const id = ++last
  const answer = Promise.withResolvers<unknown>()
  open.set(id, answer)
  child ??= start()
  child.send({ id, name, args })
  try {
    return (await answer.promise) as Awaited<ReturnType<Steps[K]>>
  } finally {
    open.delete(id)
    if (isOver && open.size === 0) end()
  }
}

/** From now on the child ends when no step is being taken. */
export function stepsTaken() {
  isOver = true
  if (open.size === 0) end()
}

function end() {
  if (child?.connected) child.disconnect()
  child = undefined
}

function start() {
  // In a session of its own, so that Ctrl-C does not end it in the middle of a step.
  const started = fork(file, {
    execArgv: [],
    serialization: 'advanced',
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  reap(started)
  const lost = (why: string) => {
    if (child !== started) return
    child = undefined
    for (const { reject } of open.values())
      reject(new Error(`The steps of the start ended: ${why}`))
  }
  started.on('error', (error) => lost(error.message))
  started.on('exit', (code, signal) => lost(signal ?? `exit code ${code}`))
  started.on('message', ({ id, result, problem }: Answered) => {
    const answer = open.get(id)
    if (problem !== undefined) answer?.reject(new Error(problem))
    else answer?.resolve(result)
  })
  return started
}
