import type { Context } from 'liquidjs'

// What making one letter may take: processor time, and characters and list items that are made. liquidjs asks both at every node,
// and filters.ts at every filter.

export const letterMs = 100
/** Characters and list items that the filters and outputs of a letter may make in all. */
const mostMade = 200_000

/** @throws Error once the time is over. */
export type Time = () => void

/**
 * So much processor time of this thread, from now on. Time of the clock would blame a template for a busy machine, but it is never
 * behind, and is quicker to ask.
 */
export function timeOf(ms: number): Time {
  const began = performance.now()
  const before = spentMs()
  return () => {
    if (performance.now() - began > ms && spentMs() - before > ms)
      throw new Error('template render limit exceeded')
  }
}

function spentMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

type Made = { readonly made: number; use(some: number): void }
const madeIn = new WeakMap<Context, Made>()

/** A rendering within limits. */
export function limited(context: Context, time: Time): Context {
  let made = 0
  const amount = {
    get made() {
      return made
    },
    use(some: number) {
      made += Math.max(0, Number(some) || 0)
      if (made > mostMade) throw new Error('memory alloc limit exceeded')
    },
  }
  madeIn.set(context, amount)
  type Limiter = Context['memoryLimit']
  context.memoryLimit = amount as unknown as Limiter
  context.renderLimit = { check: time } as unknown as Limiter
  return context
}

/** How much a rendering has made so far. */
export const madeSoFar = (context: Context): number => madeIn.get(context)?.made ?? 0
