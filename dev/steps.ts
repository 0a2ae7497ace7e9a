// Progress on stderr, one plain line a step: stdout belongs to what a command answers.

const startedAt = performance.now()
const silenceMs = 5_000

export type Log = (line: string) => void

export const notice: Log = (line) => {
  process.stderr.write(`${line}\n`)
}

/** Names a step of the start with the seconds since the process began. */
export const timed: Log = (line) => notice(`${secondsSince(startedAt).padStart(6)} s  ${line}`)

/** Runs one step, and says that it still goes on when it is silent for long. */
export async function step<T>(name: string, work: () => Promise<T>, log: Log = timed): Promise<T> {
  const from = performance.now()
  const heartbeat = setInterval(() => log(`… ${name} (${secondsSince(from)} s so far)`), silenceMs)
  try {
    const result = await work()
    log(name)
    return result
  } finally {
    clearInterval(heartbeat)
  }
}

const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
