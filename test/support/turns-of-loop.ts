// The turns of this thread's event loop, by the processor time they take. A turn that takes long keeps everybody waiting. The clock
// would also count what other processes of a busy machine do meanwhile.

const everyMs = 2

export type Turns = {
  /** The processor time of the longest turn since the last time it was asked, in ms. */
  longest(): number
  stop(): void
}

export function watchTurns(): Turns {
  let longest = 0
  let before = spentMs()
  const look = () => {
    const now = spentMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  const timer = setInterval(look, everyMs)
  return {
    longest() {
      look()
      const most = longest
      longest = 0
      return most
    },
    stop: () => clearInterval(timer),
  }
}

function spentMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
