/** A count for each key; a key whose count is zero takes no memory. */
export function countsOf() {
  const counts = new Map<string, number>()
  const add = (key: string, some: number) => {
    const count = (counts.get(key) ?? 0) + some
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  return {
    of: (key: string) => counts.get(key) ?? 0,
    up: (key: string) => add(key, 1),
    down: (key: string) => add(key, -1),
  }
}
