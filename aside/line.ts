// The places of one key, and those who wait for one. Whoever leaves hands its place to the one that has waited longest.

export type Line = { inHand: number; readonly waiting: Set<() => void> }

export const openLine = (): Line => ({ inHand: 0, waiting: new Set() })

/** Takes one of `most` places, and answers whether there was one within `waitMs`. */
export async function takePlace(line: Line, most: number, waitMs: number): Promise<boolean> {
  if (line.inHand < most) {
    line.inHand++
    return true
  }
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer)
      line.waiting.delete(take)
      resolve(isTaken)
    }
    const take = () => settle(true)
    const timer = setTimeout(() => settle(false), waitMs)
    line.waiting.add(take)
  })
}

/** Leaves a place, and answers whether it is free now: one that is handed on is not counted anew. */
export function leavePlace(line: Line): boolean {
  const [next] = line.waiting
  if (next) next()
  else line.inHand--
  return next === undefined
}
