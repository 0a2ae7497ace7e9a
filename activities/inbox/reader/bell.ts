/** Calls somebody who waits. What was rung stays rung until it is heard. */
export type Bell = ReturnType<typeof openBell>

export function openBell() {
  let rung = new AbortController()
  return {
    ring: () => rung.abort(),
    wasRung: () => rung.signal.aborted,
    /** Aborted when it is rung. */
    signal: () => rung.signal,
    quiet() {
      if (rung.signal.aborted) rung = new AbortController()
    },
  }
}
