import { type Address, keyOf } from '../addresses.ts'
import { plainHeading } from './plain-heading.ts'
import { type Batch, messages } from './rows.ts'

// An address in rows of different names is that of an office or of a colleague, not of these people: it must not make one card
// of them.

/** Different names that an address stands beside, as words; three say enough. */
export type Names = string[][]

const enough = 3

/** Notes the name of a row beside each of its addresses. */
export function noteNames(names: Map<string, Names>, name: string, addresses: Address[]) {
  const words = wordsOf(name)
  if (words.length === 0) return
  for (const address of addresses) {
    const key = keyOf(address)
    const known = names.get(key)
    if (!known) names.set(key, [words])
    else if (known.length < enough && !known.some((other) => mayBeSame(other, words)))
      known.push(words)
  }
}

const wordsOf = (name: string) => plainHeading(name.slice(0, 200)).split(' ').filter(Boolean)

/** Whether two names may be those of one person, as "A. Berg" and "Berg, Anna" may be. */
export function mayBeOne(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  return (words.length === 0) === (others.length === 0) && mayBeSame(words, others)
}

function mayBeSame(one: string[], other: string[]): boolean {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  return few.every((word) => many.some((own) => own.startsWith(word) || word.startsWith(own)))
}

/**
 * The addresses that stand beside names of different people. Two names may be those of one person where one is a single word, as
 * Robert and Bob are, or where they have a word in common, as Mike Smith and Michael Smith have; three are different people.
 */
export function sharedIn(names: Map<string, Names>): Set<string> {
  const shared = new Set<string>()
  for (const [key, [one, other, third]] of names)
    if (third !== undefined || (one && other && areApart(one, other))) shared.add(key)
  return shared
}

const areApart = (one: string[], other: string[]) =>
  one.length > 1 && other.length > 1 && !one.some((word) => word.length > 1 && other.includes(word))

/**
 * A batch without the shared addresses, each of which is named at its row. A number stays with everybody who has it, but leads to
 * nobody by itself.
 */
export function withoutShared(batch: Batch, shared: ReadonlySet<string>): Batch {
  const touched = batch.people.some((one) => one.addresses.some((of) => shared.has(keyOf(of))))
  if (!touched) return batch
  const people: Batch['people'] = []
  const invalid = [...batch.invalid]
  const errors = [...batch.errors]
  for (const person of batch.people) {
    const { row } = person
    const addresses = person.addresses.filter((one) => {
      if (one.kind === 'phone' || !shared.has(keyOf(one))) return true
      const message = `${one.given} ${messages.shared_address}`
      errors.push({ row, column: null, code: 'shared_address', message })
      return false
    })
    const numbers = addresses.filter((one) => one.kind === 'phone' && shared.has(keyOf(one)))
    if (addresses.length === 0 && person.externalId === undefined) invalid.push(row)
    else
      people.push({
        ...person,
        addresses,
        ...(numbers.length > 0 && { office: numbers.map(keyOf) }),
      })
  }
  // Who has no other address wants no letters at this one.
  const stops = batch.stops.map((stop) => {
    const own = stop.emails.filter((value) => !shared.has(keyOf({ kind: 'email', value })))
    return own.length > 0 ? { ...stop, emails: own } : stop
  })
  return { ...batch, people, stops, invalid: invalid.sort((a, b) => a - b), errors }
}
