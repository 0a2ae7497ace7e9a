import { type Address, keyOf } from '../addresses.ts'
import type { PersonFields } from '../people.ts'
import type { ImportError, ImportRows } from '../schema.ts'
import type { Batch } from './read.ts'
import { messages, type PersonInFile } from './rows.ts'

// What the rows of a batch come to. The plan and the import itself both ask here, so they cannot disagree.

/** The addresses of a batch and the cards behind them, as they are; resolving brings both up to date. */
export type Known = { owners: Map<string, string>; cards: Map<string, PersonFields> }
export type Outcome = 'new' | 'update' | 'same' | 'duplicate' | 'matches_two'
export type Effects = {
  made: string[]
  /** Cards that have gained a member or an address. */
  changed: Set<string>
  addresses: (Address & { person: string })[]
  outcomes: { person: PersonInFile; outcome: Outcome }[]
}

export const noRows = (): ImportRows => ({
  total: 0,
  new: 0,
  update: 0,
  same: 0,
  duplicate: 0,
  invalid: 0,
})

/**
 * Matches each row to the card its addresses lead to, makes one when there is none, fills what is empty there and adds the
 * addresses that are new. The interface leaves repeated rows open: one that repeats another of the file completes its card too
 * and counts as duplicate. A row that leads to two cards changes nothing.
 */
export function resolveBatch(batch: Batch, known: Known, makeId: () => string): Effects {
  const effects: Effects = { made: [], changed: new Set(), addresses: [], outcomes: [] }
  for (const person of batch.people)
    effects.outcomes.push({ person, outcome: resolveRow(person, known, effects, makeId) })
  return effects
}

function resolveRow(
  row: PersonInFile,
  known: Known,
  effects: Effects,
  makeId: () => string,
): Outcome {
  const owners = new Set(row.addresses.flatMap((address) => known.owners.get(keyOf(address)) ?? []))
  if (owners.size > 1) return 'matches_two'
  const [owner] = owners
  const id = owner ?? makeId()
  const card = known.cards.get(id) ?? { name: '', city: '', jobTitle: '', company: '' }
  const filled = { ...card }
  for (const name of Object.keys(card) as (keyof PersonFields)[])
    filled[name] ||= row.fields[name] ?? ''
  const fresh = row.addresses.filter((address) => !known.owners.has(keyOf(address)))

  for (const address of fresh) known.owners.set(keyOf(address), id)
  known.cards.set(id, filled)
  effects.addresses.push(...fresh.map((address) => ({ ...address, person: id })))
  if (owner === undefined) {
    effects.made.push(id)
    return 'new'
  }
  const gained =
    fresh.length > 0 ||
    Object.keys(card).some((name) => filled[name as 'name'] !== card[name as 'name'])
  if (gained) effects.changed.add(id)
  return row.repeated ? 'duplicate' : gained ? 'update' : 'same'
}

/** Adds what a batch came to. */
export function countBatch(rows: ImportRows, batch: Batch, { outcomes }: Effects): ImportRows {
  const count = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).length
  return {
    total: rows.total,
    new: rows.new + count('new'),
    update: rows.update + count('update'),
    same: rows.same + count('same'),
    duplicate: rows.duplicate + count('duplicate'),
    invalid: rows.invalid + batch.invalid + count('matches_two'),
  }
}

/** What is wrong in the rows of a batch, in their order. */
export function errorsOf(batch: Batch, { outcomes }: Effects): ImportError[] {
  const crossed = outcomes.flatMap(({ person, outcome }) =>
    outcome === 'matches_two'
      ? [{ row: person.row, column: null, code: outcome, message: messages.matches_two }]
      : [],
  )
  return [...batch.errors, ...crossed].sort((a, b) => a.row - b.row)
}
