// How the time of something grows with the size of its input. Two sizes are compared with one another, each at its best of a
// few, so that a slow machine does not look like a slow program.

// What grows with the square of its input takes seconds for the largest one. Less than this is the machine's doing.
const floorMs = 60
const leastMs = 0.2
/** Ten times the size may take this many times as long: thrice what is linear, a third of what is quadratic. */
const most = 33
const tries = 5

/** How long this thread computes for something, in milliseconds: what others do on the machine meanwhile does not count. */
export function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Why the time of `work` grows faster than its size over the sizes, each ten times the last; undefined where it does not. */
export function growsFaster(
  sizes: number[],
  inputOf: (size: number) => string,
  work: (input: string) => unknown,
): string | undefined {
  let before: { input: string; ms: number } | undefined
  for (const size of sizes) {
    const input = inputOf(size)
    let ms = timeOf(() => work(input))
    for (let i = 1; before && i < tries && isSlow(ms, before.ms); i++) {
      const last = before
      ms = Math.min(
        ms,
        timeOf(() => work(input)),
      )
      last.ms = Math.max(
        leastMs,
        Math.max(
          last.ms,
          timeOf(() => work(last.input)),
        ),
      )
    }
    if (before && isSlow(ms, before.ms))
      return `${before.input.length} characters take ${before.ms.toFixed(1)} ms, ${input.length} ${ms.toFixed(1)} ms`
    before = { input, ms: Math.max(ms, leastMs) }
  }
  return undefined
}

const isSlow = (ms: number, before: number) => ms > floorMs && ms > before * most
