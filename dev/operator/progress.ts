// Progress on stderr, one plain line per step: stdout belongs to the answer of a command.

const startedAt = performance.now()
const silenceMs = 5_000
const laterMs = 15_000

export type Log = (line: string) => void

export const notice: Log = (line) => {
  process.stderr.write(`${line}\n`)
}

/** Prints a step of the start with the seconds since the process began. */
export const timed: Log = (line) => notice(`${secondsSince(startedAt).padStart(6)} s  ${line}`)

// The current steps, the newest last: of several, such as a build within a start, only the newest one reports.
const running: symbol[] = []

/** Runs one step, and reports now and then that it still runs. */
export async function step<T>(name: string, work: () => Promise<T>, log: Log = timed): Promise<T> {
  const from = performance.now()
  const self = Symbol(name)
  running.push(self)
  const speak = () => {
    if (running.at(-1) === self) log(`… ${name} (${secondsSince(from)} s so far)`)
    timer = setTimeout(speak, laterMs)
  }
  let timer = setTimeout(speak, silenceMs)
  try {
    const result = await work()
    log(name)
    return result
  } finally {
    clearTimeout(timer)
    running.splice(running.indexOf(self), 1)
  }
}

const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
