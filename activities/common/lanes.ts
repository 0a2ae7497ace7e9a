/** How much is done at once, and for how long something more is begun. */
export type Lanes = { atOnce: number; forMs?: number }

/**
 * Does `work` for each item, several at once and in their order; answers for how many it was begun. What `work` throws ends all:
 * nothing more is begun, and it is thrown once all that was begun has ended.
 */
export async function inLanes<T>(
  items: readonly T[],
  { atOnce, forMs = Infinity }: Lanes,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const until = performance.now() + forMs
  let begun = 0
  const failures: unknown[] = []
  const lane = async () => {
    while (begun < items.length && failures.length === 0 && performance.now() < until)
      await work(items[begun++] as T).catch((error) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return begun
}
