// A server that fails again and again is asked no more for a while, and then by one call, which finds out whether it works again.
// Everybody else hears at once until when, instead of holding a place until each call has failed by itself.

/** Failures in a row until a server rests. */
const most = 5
// Each rest is longer than the one before, until the server answers.
const restsMs = [5_000, 15_000, 60_000, 300_000]
// While one call tries, the others are told to come back after this.
const triesMs = 5_000
// The past of servers that have failed is kept up to this number.
const mostKept = 1_000

type State = { failures: number; rests: number; restsUntil: number; isTried: boolean }

export type Breaker = {
  /**
   * Does the work, which asks the server of that key.
   * @throws what `resting` answers, while the server rests; nothing was asked then.
   */
  ask<T>(key: string, work: () => Promise<T>): Promise<T>
}

export type Breaking = {
  /** Whether an error means that the server does not work, for whoever asks it. */
  isFailure(error: unknown): boolean
  /** What is thrown instead of asking. @param delayMs until the server is to be asked again. @param error what it failed with last. */
  resting(delayMs: number, error: unknown): unknown
}

export function openBreaker({ isFailure, resting }: Breaking): Breaker {
  const states = new Map<string, State & { error: unknown }>()

  return {
    async ask(key, work) {
      const state = states.get(key)
      const isResting = state !== undefined && state.failures >= most
      if (isResting) {
        const delayMs = state.isTried ? triesMs : state.restsUntil - performance.now()
        if (delayMs > 0) throw resting(Math.ceil(delayMs), state.error)
        state.isTried = true
      }
      try {
        const done = await work()
        states.delete(key)
        return done
      } catch (error) {
        if (isFailure(error)) failed(key, error, isResting)
        throw error
      } finally {
        if (isResting) state.isTried = false
      }
    },
  }

  function failed(key: string, error: unknown, isTry: boolean) {
    const state = states.get(key) ?? { failures: 0, rests: 0, restsUntil: 0, isTried: false, error }
    states.delete(key)
    states.set(key, state)
    for (const [oldest] of states) if (states.size > mostKept) states.delete(oldest)
    state.error = error
    state.failures++
    // Calls that had begun before say nothing that the first of them has not said.
    if (state.failures !== most && !isTry) return
    state.restsUntil = performance.now() + (restsMs[state.rests] ?? restsMs.at(-1) ?? 0)
    state.rests++
  }
}
