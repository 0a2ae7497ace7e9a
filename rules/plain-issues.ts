import type { z } from 'zod'

// Says what is wrong with a value that does not fit its shape, as a clause after its name: "/query is missing". As the `error`
// of a zod parse, it applies wherever the shape has no message of its own.

type Issue = z.core.$ZodRawIssue

/** An object's unknown members get one line each: see unknownMembers(). */
export const plainIssue = (issue: Issue): string => {
  if (isMissing(issue)) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' && typeof issue.input === 'number'
        ? 'must be a whole number'
        : `must be ${kind(issue.expected)}, not ${kind(kindOf(issue.input))}`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'too_big':
      return bounded(issue.origin, issue.maximum, 'most', issue)
    case 'too_small':
      return bounded(issue.origin, issue.minimum, 'least', issue)
    case 'invalid_format':
      return formats[issue.format] ?? `must match ${issue['pattern'] ?? issue.format}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return unknown(issue)
    case 'invalid_union':
      return ofUnion(issue)
    case 'invalid_key':
      return issue.issues.find(({ code }) => code === 'custom')?.message ?? 'is not a known name'
    default:
      return 'is not valid'
  }
}

/** The same for whoever calls the API: an unknown member comes with those that are known. */
export const plainIssueOfCall = (issue: Issue): string =>
  issue.code === 'unrecognized_keys' ? unknown(issue, known(namesOf(issue))) : plainIssue(issue)

/** The message for each unknown member, in the order of `keys`. */
export const unknownMembers = (
  issue: z.core.$ZodIssueUnrecognizedKeys,
  what: 'member' | 'parameter' = 'member',
): string[] => {
  const said = issue.message.split('\n')
  return issue.keys.map((_, i) => (said[i] ?? notKnown).replace(notKnown, `is not a known ${what}`))
}

const notKnown = 'is not a known member'

const mostNamed = 20

/** "known are …", or nothing where none is. */
function known(names: string[]): string {
  if (names.length === 0) return ''
  const more = names.length - mostNamed
  const last = more > 0 ? [`${more} more`] : names.slice(-1)
  const others = names.slice(0, more > 0 ? mostNamed : -1)
  return others.length === 0
    ? `known is ${last[0]}`
    : `known are ${others.join(', ')} and ${last[0]}`
}

function isMissing(issue: Issue): boolean {
  if (issue.code === 'invalid_union' && 'discriminator' in issue)
    return memberOf(issue.input, String(issue.discriminator)) === undefined
  return (
    issue.input === undefined &&
    ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)
  )
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a date',
  nan: 'something else',
}
const kind = (name: string) => kinds[name] ?? name

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : 'number'
  return typeof value
}

const formats: Record<string, string> = {
  datetime: 'must be a timestamp with an offset, such as 2026-11-23T09:00:00Z',
  date: 'must be a day, such as 2026-11-23',
  time: 'must be a time of day, such as 09:00',
  email: 'must be an e-mail address',
  url: 'must be an address, such as https://example.com',
  base64: 'must be base64',
  uuid: 'must be a UUID',
}

const oneOf = (values: readonly unknown[]) => {
  const names = values.map((value) => (value === '' ? '""' : String(value)))
  return `must be ${listed(names)}`
}

const listed = (names: string[]) =>
  names.length < 2 ? (names[0] ?? 'absent') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['member', 'members'],
  file: ['byte', 'bytes'],
}

function bounded(
  origin: string,
  limit: number | bigint,
  end: 'most' | 'least',
  { exact, inclusive = true }: { exact?: boolean; inclusive?: boolean },
): string {
  const unit = units[origin]
  if (!unit) {
    if (!inclusive) return `must be ${end === 'most' ? 'less' : 'more'} than ${limit}`
    return `must be ${limit} or ${end === 'most' ? 'less' : 'more'}`
  }
  if (end === 'least' && Number(limit) === 1) return 'must not be empty'
  const count = `${limit} ${Number(limit) === 1 ? unit[0] : unit[1]}`
  return `must have ${exact ? 'exactly' : `at ${end}`} ${count}`
}

/** What is allowed for a value that fits none of several shapes, if each shape can be named in a few words. */
function ofUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if ('discriminator' in issue && Array.isArray(issue['options'])) return oneOf(issue['options'])
  const wanted = (issue.errors ?? []).flatMap((branch): (string | undefined)[] => {
    const [first] = branch
    if (!first || branch.length > 1 || first.path.length > 0) return [undefined]
    if (first.code === 'invalid_type') return [kind(first.expected)]
    if (first.code === 'invalid_value') return first.values.map(String)
    return [/^must be (?!\d)([^,]+)$/.exec(first.message)?.[1]]
  })
  const words = [...new Set(wanted)].filter((word) => word !== undefined)
  return wanted.length > 0 && words.length > 0 && !wanted.includes(undefined)
    ? `must be ${listed(words)}`
    : 'has none of the allowed forms'
}

const mostSuggested = 5

type UnknownKeys = Extract<Issue, { code: 'unrecognized_keys' }>

/** The names of a shape whose object has others. */
function namesOf(issue: UnknownKeys): string[] {
  const shape = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def
    ?.shape
  return Object.keys(shape ?? {})
}

const unknown = (issue: UnknownKeys, known = ''): string =>
  issue.keys
    .slice(0, mostSuggested)
    .map((key) => {
      const meant = didYouMean(key, namesOf(issue))
      if (known === '') return `${notKnown}${meant}`
      return meant === ''
        ? `${notKnown}; ${known}`
        : `${notKnown}${meant} ${known.replace('k', 'K')}`
    })
    .join('\n')

/** "; did you mean …?" if one of the names is a slip of the finger away, otherwise nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const far = given.length < 3 || given.length > 40 ? 0 : Math.min(3, Math.ceil(given.length / 4))
  let best: string | undefined
  let least = far + 1
  for (const name of names) {
    if (Math.abs(name.length - given.length) >= least) continue
    const apart = distance(given.toLowerCase(), name.toLowerCase())
    if (apart < least) [best, least] = [name, apart]
  }
  return best === undefined ? '' : `; did you mean ${best}?`
}

/** How many letters must be inserted, removed, changed or swapped with the next. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
