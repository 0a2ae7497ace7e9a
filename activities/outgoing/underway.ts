import { setTimeout as sleep } from 'node:timers/promises'

// Hand-overs that may outlast the activity that began them: a worker that stops waits for them. The lease of the letter shows the
// other processes that it is being sent.

const underway = new Map<string, Promise<unknown>>()

/** How many there are in this process. */
export const countUnderway = (): number => underway.size

/** The hand-over of a letter by its id, if it is one of those. */
export const findUnderway = <T>(letter: string) => underway.get(letter) as Promise<T> | undefined

/** Keeps a hand-over until it has ended. It must not fail. */
export function keepUnderway<T>(letter: string, handing: Promise<T>): Promise<T> {
  const over = handing.finally(() => underway.delete(letter))
  underway.set(letter, over)
  return over
}

/** Waits for all of this process, until `deadline` (of `performance.now()`). */
export const untilAllHandedOver = async (deadline: number): Promise<void> => {
  const leftMs = Math.max(0, deadline - performance.now())
  await Promise.race([Promise.all(underway.values()), sleep(leftMs, undefined, { ref: false })])
}
