import type { Log } from '../../telemetry/log.ts'

// What may go wrong many times a second is said once a minute, with how often it did.

const everyMs = 60_000

/** Warns of each kind of trouble at once, and then at most once a minute with the `count` of those in between. */
export function seldom(log: Pick<Log, 'warn'>) {
  const said = new Map<string, { at: number; count: number }>()
  return {
    warn(text: string, facts: Record<string, unknown>) {
      const last = said.get(text) ?? { at: Number.NEGATIVE_INFINITY, count: 0 }
      const now = performance.now()
      last.count++
      said.set(text, last)
      if (now - last.at < everyMs) return
      log.warn({ ...facts, ...(last.count > 1 && { count: last.count }) }, text)
      said.set(text, { at: now, count: 0 })
    },
  }
}
