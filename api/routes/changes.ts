import { isDeepStrictEqual } from 'node:util'

/**
 * What an edit changes: the members whose value is given and differs, as they were and as they are to be. Undefined when
 * nothing does, so that a PATCH which says what is so already leaves no trace.
 */
export function changesOf<T extends Record<string, unknown>>(now: T, wanted: Partial<T>) {
  const names = Object.keys(wanted).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(now[name], wanted[name]),
  )
  if (names.length === 0) return undefined
  const pick = (from: Partial<T>) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { before: pick(now) as Partial<T>, after: pick(wanted) as Partial<T> }
}
