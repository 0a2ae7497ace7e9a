// Takes turns between keys, so that the backlog of one key never delays the others.

export type Turns<T> = {
  readonly length: number
  lengthOf(key: string): number
  add(key: string, item: T): void
  /** The next item, of a key that may have one now. */
  take(may: (key: string) => boolean): T | undefined
  remove(key: string, item: T): boolean
}

export function turnsOf<T>(): Turns<T> {
  const waiting = new Map<string, T[]>()
  let length = 0

  const drop = (key: string, items: T[], place: number) => {
    length--
    items.splice(place, 1)
    if (items.length === 0) waiting.delete(key)
  }

  return {
    get length() {
      return length
    },
    lengthOf: (key) => waiting.get(key)?.length ?? 0,
    add(key, item) {
      length++
      const items = waiting.get(key)
      if (items) items.push(item)
      else waiting.set(key, [item])
    },
    take(may) {
      for (const [key, items] of waiting) {
        if (!may(key)) continue
        const [item] = items
        drop(key, items, 0)
        // This key now comes after all others.
        if (waiting.delete(key)) waiting.set(key, items)
        return item
      }
      return undefined
    },
    remove(key, item) {
      const items = waiting.get(key) ?? []
      const place = items.indexOf(item)
      if (place >= 0) drop(key, items, place)
      return place >= 0
    },
  }
}
