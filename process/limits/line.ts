// A limit on how much runs at once for one key. A place that is given back goes to whoever has waited longest.

export type Line = { inHand: number; readonly waiting: Set<() => void> }

export const openLine = (): Line => ({ inHand: 0, waiting: new Set() })

/** Takes one of `most` places; resolves with false if none became free within `waitMs`. */
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

/** Gives a place back. Returns whether it is free now, and not handed on to somebody who waited. */
export function leavePlace(line: Line): boolean {
  const [next] = line.waiting
  if (next) next()
  else line.inHand--
  return next === undefined
}
