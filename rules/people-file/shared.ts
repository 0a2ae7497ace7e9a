import { type Address, keyOf } from '../addresses.ts'
import { mayBeSame, wordsOf } from './alike-names.ts'
import { type Batch, messages } from './rows.ts'

// An address in rows of different names is that of an office or of a colleague, not of these people: it must not make one card
// of them.

/** Different names that an address stands beside, as words; three say enough. */
export type Names = string[][]

const enough = 3

/** Notes the name of a row beside each of its addresses. */
export function noteNames(names: Map<string, Names>, name: string, addresses: Address[]) {
  const words = wordsOf(name)
  // A letter or two, such as "X", stand where a name is not known.
  if (words.every((word) => /^[a-z]$/.test(word))) return
  for (const address of addresses) {
    const key = keyOf(address)
    const known = names.get(key)
    if (!known) names.set(key, [words])
    else if (known.length < enough && !known.some((other) => mayBeSame(other, words)))
      known.push(words)
  }
}

/**
 * The addresses that stand beside names of different people. A single word beside a whole name may be a note about the same person;
 * three different names are different people. Two single words beside a number are not enough either, as people share numbers anyway.
 */
export function sharedIn(names: Map<string, Names>): Set<string> {
  const shared = new Set<string>()
  for (const [key, [one, other, third]] of names)
    if (third !== undefined || (one && other && areApart(key, one, other))) shared.add(key)
  return shared
}

const areApart = (key: string, one: string[], other: string[]) =>
  one.length > 1 ? other.length > 1 : other.length === 1 && !key.startsWith('phone ')

/**
 * A batch without the shared addresses, each of which is named at its row. A number stays with everybody who has it, but leads to
 * nobody by itself. Whoever has no other address is still somebody, if the row has a name.
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
    const isSomebody = person.externalId !== undefined || person.fields.name !== undefined
    if (addresses.length === 0 && !isSomebody) invalid.push(row)
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
