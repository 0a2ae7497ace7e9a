// The fields that a workspace gives its people itself, beside those that every person has.

export type OwnValue = string | number | boolean
/** What a value is, as JSON names it. */
export type OwnKind = 'string' | 'number' | 'boolean'
export type OwnFields = Record<string, OwnValue>
/** Fields as they are given: null removes one. */
export type GivenFields = Record<string, OwnValue | null>

export const mostFields = 100
export const longestFieldName = 60
export const longestFieldValue = 2000

/** Beyond these, one number of JavaScript stands for several that a caller may mean. */
export const largestNumber = Number.MAX_SAFE_INTEGER

/**
 * How Postgres writes a number that JSON writes with an exponent: 1e-7 is 0.0000001. Undefined if the text is not the spelling of
 * such a number.
 */
export function withoutExponent(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (whole === undefined || String(Number(text)) !== text) return undefined
  const digits = whole + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

/** Letters, digits, blanks, underscores and hyphens, and not blanks alone. */
const fieldName = /^(?! *$)[\p{L}\p{M}\p{N} _-]{1,60}$/u

/**
 * The same for programs that read the reference, whose patterns know no classes of Unicode: what is excluded is named, and it
 * excludes less beyond ASCII.
 */
const pattern = '^(?! *$)[^\\x00-\\x1f!-,./:-@\\[-\\^`{-\\x7f]{1,60}$'

/** The pattern of such a name behind a prefix, such as `fields.`. */
export const fieldNamePattern = (prefix = '') =>
  pattern.replace('^', `^${prefix.replaceAll('.', '\\.')}`)

/** The same in words. */
export const fieldNameForm = `1 to ${longestFieldName} letters, digits, spaces, _ or -`

// The prototype of an object is no field of it.
export const isFieldName = (name: string): boolean => fieldName.test(name) && name !== '__proto__'

/** A text as a value of the kind that a field has already: "40" is a number where the others are, and "040" is not. */
export function ofKind(kind: OwnKind | undefined, value: OwnValue): OwnValue {
  if (typeof value !== 'string') return value
  const number = Number(value)
  if (kind === 'number' && String(number) === value && Math.abs(number) <= largestNumber)
    return number
  return kind === 'boolean' && /^(?:true|false)$/i.test(value) ? /^t/i.test(value) : value
}

/** The fields after a change. With `complete`, those that are there already stay, and null changes nothing. */
export function mergeFields(
  present: OwnFields,
  given: GivenFields,
  mode: 'complete' | 'update',
): OwnFields {
  const merged = new Map(Object.entries(present))
  for (const [name, value] of Object.entries(given)) {
    if (mode === 'complete' && (value === null || merged.has(name))) continue
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** The fields that differ, with their old and new values; null where there is none. */
export function changedFields(before: OwnFields, after: OwnFields) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  )
  const of = (fields: OwnFields): GivenFields =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return names.length === 0 ? undefined : { before: of(before), after: of(after) }
}
