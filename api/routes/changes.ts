import { isDeepStrictEqual } from 'node:util'

/**
 * The changes of an edit: the members whose given value differs, with their old and new values. Undefined if nothing
 * differs, so that a PATCH with the present values leaves no trace.
 */
export function changesOf<T extends Record<string, unknown>>(now: T, wanted: Partial<T>) {
  const names = Object.keys(wanted).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(now[name], wanted[name]),
  )
  if (names.length === 0) return undefined
  const pick = (from: Partial<T>) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { before: pick(now) as Partial<T>, after: pick(wanted) as Partial<T> }
}
