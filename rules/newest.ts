/** Sets an entry as the newest one of a map, and forgets the oldest one if there are more than `most`. */
export function setNewest<K, V>(entries: Map<K, V>, key: K, value: V, most: number): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > most) entries.delete(entries.keys().next().value as K)
}
