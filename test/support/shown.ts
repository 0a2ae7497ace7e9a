// Answers that a document shows, beside those that were given. A shown answer may leave members out, and `…` stands for any
// text; an array that ends with the element "…" may go on.

/** Where an answer differs from the one that is shown, in words; empty where it does not. */
export function differencesOf(shown: unknown, given: unknown, at = ''): string[] {
  if (typeof shown === 'string' && typeof given === 'string')
    return isLike(shown, given) ? [] : [differs(at, shown, given)]
  if (Array.isArray(shown) && Array.isArray(given)) return inArray(shown, given, at)
  if (isObject(shown) && isObject(given))
    return Object.entries(shown).flatMap(([name, value]) =>
      differencesOf(value, given[name], `${at}/${name}`),
    )
  return shown === given ? [] : [differs(at, shown, given)]
}

function inArray(shown: unknown[], given: unknown[], at: string): string[] {
  const goesOn = shown.at(-1) === '…'
  const first = goesOn ? shown.slice(0, -1) : shown
  if (!goesOn && shown.length !== given.length)
    return [`${at}: ${shown.length} elements are shown, and there are ${given.length}`]
  return first.flatMap((value, i) => differencesOf(value, given[i], `${at}/${i}`))
}

const isLike = (shown: string, given: string) => {
  const parts = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(given)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const differs = (at: string, shown: unknown, given: unknown) =>
  `${at || '/'}: ${JSON.stringify(shown)} is shown, and it is ${JSON.stringify(given)}`
