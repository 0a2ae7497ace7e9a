import type { Address } from '../../rules/addresses.ts'
import type { Batch } from '../../rules/people-file/read.ts'
import {
  type ImportError,
  messages,
  type PersonFields,
  type PersonInFile,
} from '../../rules/people-file/rows.ts'
import { addOwner, cardsOf, type Emails, freshOf, type Owners } from './matching.ts'
import type { ImportMode, ImportRows } from './tables.ts'

// The outcome of each row of a batch. The plan and the import itself both use this, so they cannot disagree.

/**
 * The addresses of a batch and the present cards behind them, with the first row of the file that led to each card; resolving
 * keeps all of it up to date.
 */
export type Known = {
  owners: Owners
  emails: Emails
  cards: Map<string, PersonFields>
  rows: Map<string, number>
}
export const nothingKnown = (): Known => ({
  owners: new Map(),
  emails: new Map(),
  cards: new Map(),
  rows: new Map(),
})

export type Outcome = 'new' | 'update' | 'same' | 'duplicate' | 'matches_two'
/** The outcome of a row; `card` is its person's, `joined` the earlier row of the file that led to that card. */
export type Resolved = {
  person: PersonInFile
  outcome: Outcome
  card?: string
  joined?: number
}
export type Effects = {
  made: string[]
  /** The members that each card has gained or changed; new cards are included. */
  changed: Map<string, Set<string>>
  addresses: (Address & { person: string })[]
  outcomes: Resolved[]
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
 * Matches each row to the card that its addresses lead to, makes a card if there is none, fills empty members and adds new
 * addresses. The interface leaves repeated rows open: one that leads to the card of an earlier row of the file completes it too
 * and counts as a duplicate. A row that leads to two cards changes nothing. With `update`, given values replace the present
 * ones.
 */
export function resolveBatch(
  batch: Batch,
  known: Known,
  mode: ImportMode,
  makeId: () => string,
): Effects {
  const effects: Effects = { made: [], changed: new Map(), addresses: [], outcomes: [] }
  for (const person of batch.people)
    effects.outcomes.push({ person, ...resolveRow(person, known, mode, effects, makeId) })
  return effects
}

function resolveRow(
  row: PersonInFile,
  known: Known,
  mode: ImportMode,
  effects: Effects,
  makeId: () => string,
): Omit<Resolved, 'person'> {
  const cards = cardsOf(row.addresses, known.owners, known.emails)
  if (cards.length > 1) return { outcome: 'matches_two' }
  const [owner] = cards
  const id = owner ?? makeId()
  const card = known.cards.get(id) ?? { name: '', city: '', jobTitle: '', company: '' }
  const filled = { ...card }
  for (const name of Object.keys(card) as (keyof PersonFields)[])
    if (mode === 'update' || card[name] === '') filled[name] = row.fields[name] ?? card[name]
  const fresh = freshOf(id, row.addresses, known.owners)
  const gained = [
    ...Object.keys(card).filter((name) => filled[name as 'name'] !== card[name as 'name']),
    ...fresh.map(({ kind }) => kind),
  ]

  for (const address of fresh) {
    addOwner(known.owners, address, id)
    if (address.kind === 'email')
      known.emails.set(id, (known.emails.get(id) ?? new Set()).add(address.value))
  }
  known.cards.set(id, filled)
  effects.addresses.push(...fresh.map((address) => ({ ...address, person: id })))
  if (gained.length > 0)
    effects.changed.set(id, new Set([...(effects.changed.get(id) ?? []), ...gained]))
  const joined = known.rows.get(id)
  if (joined === undefined) known.rows.set(id, row.row)
  if (owner === undefined) {
    effects.made.push(id)
    return { outcome: 'new', card: id }
  }
  if (joined !== undefined) return { outcome: 'duplicate', card: id, joined }
  return { outcome: gained.length > 0 ? 'update' : 'same', card: id }
}

/** Adds the outcomes of a batch. */
export function countBatch(rows: ImportRows, batch: Batch, { outcomes }: Effects): ImportRows {
  const count = (wanted: Outcome) => outcomes.filter(({ outcome }) => outcome === wanted).length
  return {
    total: rows.total,
    new: rows.new + count('new'),
    update: rows.update + count('update'),
    same: rows.same + count('same'),
    duplicate: rows.duplicate + count('duplicate'),
    invalid: rows.invalid + batch.invalid.length + count('matches_two'),
  }
}

/** The problems in the rows of a batch, in their order. */
export function errorsOf(batch: Batch, { outcomes }: Effects): ImportError[] {
  const crossed = outcomes.flatMap(({ person, outcome }) =>
    outcome === 'matches_two'
      ? [{ row: person.row, column: null, code: outcome, message: messages.matches_two }]
      : [],
  )
  return [...batch.errors, ...crossed].sort((a, b) => a.row - b.row)
}
