import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

// The thread that watches a child's work. It runs even while the work never yields, and needs neither the parent's
// event loop nor /proc.

/**
 * `cpuMs` is the processor time one job may take: wall-clock time would blame a mail for a busy machine. `rssMb` is
 * the most memory of the whole process: buffers lie outside V8's heap, whose own limit does not count them.
 */
export type Limits = { cpuMs: number; rssMb: number }

/** The pipe on which the child says why it ends. */
const reasonFd = 3
const everyMs = 25

// The first number is that of the job, and the second says how far it has come.
// The parent is recognized by its id: it may have died before this thread looks, and then the child has another parent already.
const { state, limits, parent } = workerData as {
  state: Int32Array
  limits: Limits
  parent: number
}

for (;;) {
  Atomics.wait(state, 0, 0)
  const job = Atomics.load(state, 0)
  const before = process.cpuUsage()
  while (Atomics.load(state, 0) === job && job !== 0) {
    Atomics.wait(state, 0, job, everyMs)
    const { user, system } = process.cpuUsage(before)
    if (process.ppid !== parent) end('')
    else if (user + system > limits.cpuMs * 1000) end('time')
    else if (process.memoryUsage.rss() > limits.rssMb * 1024 * 1024) end('memory')
  }
}

function end(reason: string) {
  try {
    writeSync(reasonFd, `${reason} ${Atomics.load(state, 1)}`)
  } catch {
    // The parent is gone.
  }
  process.kill(process.pid, 'SIGKILL')
}
