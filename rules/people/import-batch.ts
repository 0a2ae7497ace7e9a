import { type Address, type AddressKind, addressKinds, keyOf } from '../addresses.ts'
import {
  changedFields,
  mergeFields,
  mostFields,
  type OwnFields,
  type OwnKind,
  ofKind,
} from '../own-fields.ts'
import { mayBeOne } from '../people-file/alike-names.ts'
import {
  type Batch,
  type ImportError,
  messages,
  type PersonFields,
  type PersonInFile,
  type StopInFile,
} from '../people-file/rows.ts'
import type { StopReason } from '../people-file/stops.ts'
import { addAddresses, freshOf, hasAnotherId, type KnownCards, whichCard } from './which-card.ts'

// The outcome of each row of a batch. The plan and the import itself both use this, so they cannot disagree.
// One file, because a row changes what the next rows are compared with.

export type ImportRows = {
  total: number
  new: number
  update: number
  same: number
  duplicate: number
  invalid: number
  /** Absent as long as there is none. */
  erased?: number
}

/** In how many rows a file says that nobody may write to the person. */
export type ImportStops = Record<StopReason, number>

/** Whether given values only fill empty ones, or also replace others. */
export type ImportMode = 'complete' | 'update'

/** What a card says of its person, with the client's own id and fields. */
export type CardFields = PersonFields & { externalId: string | null; fields: OwnFields }

/** Person → the addresses of the card; those of a kind are in its order. */
export type Orders = Map<string, Pick<Address, 'kind' | 'value'>[]>

/**
 * The addresses of a batch and the present cards behind them, with the first row of the file that led to each card; resolving
 * keeps all of it up to date.
 */
export type Known = KnownCards & {
  orders: Orders
  cards: Map<string, CardFields>
  /** External id → card. */
  ids: Map<string, string>
  /** Name, in small letters → the first cards that have it. */
  names: Map<string, string[]>
  rows: Map<string, number>
  /** Field of the client's own → the kind of its values. */
  kinds: Map<string, OwnKind | undefined>
  /** The addresses, by `keyOf`, of people who were erased: they do not come back. */
  erased: Set<string>
}
export const nothingKnown = (): Known => ({
  owners: new Map(),
  emails: new Map(),
  orders: new Map(),
  cards: new Map(),
  ids: new Map(),
  names: new Map(),
  rows: new Map(),
  kinds: new Map(),
  erased: new Set(),
})

type Named = Pick<Address, 'kind' | 'value'>

export type RowOutcome = 'new' | 'update' | 'same' | 'duplicate' | 'matches_two' | 'erased'
/** The outcome of a row; `card` is its person's, `joined` the earlier row of the file that led to that card. */
export type Resolved = {
  person: PersonInFile
  outcome: RowOutcome
  card?: string
  joined?: number
  /** Fields of the row were left out, because the person has as many as there may be. */
  full?: boolean
}
export type Effects = {
  made: string[]
  /** The members that each card has gained or changed; new cards are included. */
  changed: Map<string, Set<string>>
  addresses: (Address & { person: string })[]
  /** The addresses of cards, where their order changes. */
  orders: Orders
  /** The cards whose e-mail addresses have another order. */
  emails: Set<string>
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
export const noStops = (): ImportStops => ({ unsubscribe: 0, bounce: 0, complaint: 0 })

/**
 * Matches each row to the card with its external id, otherwise to the one that its addresses lead to. Makes a card if there is
 * none, fills empty members and adds new addresses. The interface leaves repeated rows open: one that leads to the card of an
 * earlier row of the file completes it too and counts as a duplicate. A row that leads to two cards changes nothing. With `update`,
 * given values replace the present ones, and given addresses come before the others of their kind.
 */
export function resolveBatch(
  batch: Batch,
  known: Known,
  mode: ImportMode,
  makeId: () => string,
): Effects {
  const effects: Effects = {
    made: [],
    changed: new Map(),
    addresses: [],
    orders: new Map(),
    emails: new Set(),
    outcomes: [],
  }
  for (const given of batch.people) {
    const person = withKinds(given, known)
    effects.outcomes.push({ person, ...resolveRow(person, known, mode, effects, makeId) })
  }
  return effects
}

function resolveRow(
  row: PersonInFile,
  known: Known,
  mode: ImportMode,
  effects: Effects,
  makeId: () => string,
): Omit<Resolved, 'person'> {
  if (row.addresses.some((address) => known.erased.has(keyOf(address))))
    return { outcome: 'erased' }
  const { card: owner, isTwo } = cardOf(row, known)
  if (isTwo) return { outcome: 'matches_two' }
  const card = (owner === undefined ? undefined : known.cards.get(owner)) ?? emptyCard
  if (hasAnotherId(card, row.externalId)) return { outcome: 'matches_two' }
  const id = owner ?? makeId()
  const filled = { ...card }
  for (const name of plainMembers)
    if (mode === 'update' || card[name] === '') filled[name] = row.fields[name] ?? card[name]
  filled.externalId ??= row.externalId ?? null
  const merged = row.own
    ? mergeFields(card.fields, otherThan(card.fields, row.own), mode)
    : card.fields
  const full = Object.keys(merged).length > mostFields
  if (row.own)
    filled.fields = full ? Object.fromEntries(Object.entries(merged).slice(0, mostFields)) : merged
  const fresh = freshOf(id, row.addresses, known.owners)
  const gained = [
    ...plainMembers.filter((name) => filled[name] !== card[name]),
    ...(filled.externalId === card.externalId ? [] : ['externalId']),
    ...(changedFields(card.fields, filled.fields) ? ['fields'] : []),
    ...fresh.map(({ kind }) => kind),
  ]

  if (row.externalId !== undefined) known.ids.set(row.externalId, id)
  addAddresses(known, id, fresh)
  const first = mode === 'update' ? row.addresses : []
  const moved = putInOrder({ id, first, fresh, isNew: owner === undefined }, known, effects)
  gained.push(...moved.filter((kind) => !gained.includes(kind)))
  known.cards.set(id, filled)
  addName(known.names, filled.name, id)
  effects.addresses.push(...fresh.map((address) => ({ ...address, person: id })))
  if (gained.length > 0)
    effects.changed.set(id, new Set([...(effects.changed.get(id) ?? []), ...gained]))
  const joined = known.rows.get(id)
  if (joined === undefined) known.rows.set(id, row.row)
  if (owner === undefined) {
    effects.made.push(id)
    return { outcome: 'new', card: id, full }
  }
  if (joined !== undefined) return { outcome: 'duplicate', card: id, joined, full }
  return { outcome: gained.length > 0 ? 'update' : 'same', card: id, full }
}

/**
 * The card of a row, and whether the row leads to another one too. A number of many people leads to the one of them who has the
 * row's name.
 */
function cardOf({ addresses, office = [], fields, externalId }: PersonInFile, known: Known) {
  if (addresses.length === 0 && externalId === undefined)
    return { card: namesakeOf(fields, known), isTwo: false }
  const identified = externalId === undefined ? undefined : known.ids.get(externalId)
  const own = addresses.filter((address) => !office.includes(keyOf(address)))
  if (own.length > 0) {
    const named = identified === undefined ? undefined : { card: identified, mayShare: false }
    const { card, strangers } = whichCard({ addresses: own, named }, known)
    return { card, isTwo: strangers.length > 0 }
  }
  const { leads } = whichCard({ addresses }, known)
  const led = leads.find(({ person }) =>
    mayBeOne(known.cards.get(person)?.name ?? '', fields.name ?? ''),
  )?.person
  const card = identified ?? led
  return { card, isTwo: led !== undefined && led !== card }
}

/**
 * The card of a row that has no address of its own: one with the same name that has none either, or that an earlier row of the
 * file led to, unless it is of another company. So the same file leads to the same cards again.
 */
function namesakeOf({ name = '', company = '' }: PersonInFile['fields'], known: Known) {
  const firmOf = (id: string) => nameKey(known.cards.get(id)?.company ?? '')
  const firm = nameKey(company)
  return known.names.get(nameKey(name))?.find((id) => {
    const isBare = known.cards.get(id)?.externalId === null && !known.orders.get(id)?.length
    return (isBare || known.rows.has(id)) && (firm === '' || ['', firm].includes(firmOf(id)))
  })
}

const nameKey = (name: string) => name.toLowerCase()

/** Of one name, more cards are not looked at. */
export const mostNamesakes = 20

export function addName(names: Known['names'], name: string, id: string) {
  const key = nameKey(name)
  const known = names.get(key) ?? []
  if (key === '' || known.includes(id) || known.length >= mostNamesakes) return
  names.set(key, [...known, id])
}

/**
 * Puts addresses of a card before its others, as a call does, so that letters go to what was given last; answers the kinds whose
 * order that changes.
 */
function putInOrder(
  card: { id: string; first: Address[]; fresh: Address[]; isNew: boolean },
  known: Known,
  effects: Effects,
): AddressKind[] {
  const { id, first, fresh, isNew } = card
  const before = known.orders.get(id) ?? []
  const after = once([...first, ...before, ...fresh])
  known.orders.set(id, after)
  if (isNew) return []
  const given = new Set(first.map(({ kind }) => kind))
  const moved = addressKinds.filter((kind) => given.has(kind) && isMoved(kind, before, after))
  if (moved.length > 0) effects.orders.set(id, after)
  if (moved.includes('email')) effects.emails.add(id)
  return moved
}

const once = (addresses: Named[]) => [
  ...new Map(addresses.map((address) => [keyOf(address), address])).values(),
]

function isMoved(kind: AddressKind, before: Named[], after: Named[]) {
  const [old, wanted] = [before, after].map((some) => some.filter((one) => one.kind === kind))
  return wanted?.some(({ value }, i) => value !== old?.[i]?.value) ?? false
}

/** A cell that says what the card has, as a text or as a number, true or false, leaves it as it is. */
const otherThan = (present: OwnFields, given: OwnFields): OwnFields =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !Object.hasOwn(present, name) || String(present[name]) !== String(value),
    ),
  )

/** A person whose own fields are of the kinds that those fields have on other cards: a text file knows text alone. */
function withKinds(person: PersonInFile, { kinds }: Known): PersonInFile {
  if (!person.own || kinds.size === 0) return person
  const own = Object.entries(person.own).map(([name, value]) => [
    name,
    ofKind(kinds.get(name), value),
  ])
  return { ...person, own: Object.fromEntries(own) }
}

const plainMembers = ['name', 'city', 'jobTitle', 'company'] as const
const emptyCard: CardFields = {
  name: '',
  city: '',
  jobTitle: '',
  company: '',
  externalId: null,
  fields: {},
}

/** Adds the outcomes of a batch. */
export function countBatch(rows: ImportRows, batch: Batch, { outcomes }: Effects): ImportRows {
  const count = (wanted: RowOutcome) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const erased = (rows.erased ?? 0) + count('erased')
  return {
    total: rows.total,
    new: rows.new + count('new'),
    update: rows.update + count('update'),
    same: rows.same + count('same'),
    duplicate: rows.duplicate + count('duplicate'),
    invalid: rows.invalid + batch.invalid.length + count('matches_two'),
    ...(erased > 0 && { erased }),
  }
}

/** Whom the file says that nobody may write to; `person` is absent if the row leads to no card. */
export type Stop = StopInFile & { person?: string }
export function stopsOf({ stops }: Batch, { outcomes }: Effects): Stop[] {
  if (stops.length === 0) return []
  const cards = new Map(outcomes.map(({ person, card }) => [person.row, card]))
  // Nothing writes to somebody who was erased, and nothing is kept of them.
  const erased = new Set(
    outcomes.flatMap(({ person, outcome }) => (outcome === 'erased' ? person.row : [])),
  )
  return stops.flatMap((stop) => {
    if (erased.has(stop.row)) return []
    const person = cards.get(stop.row)
    if (person !== undefined) return { ...stop, person }
    return stop.emails.length > 0 ? stop : []
  })
}

/** Adds the stops of a batch. */
export function countStops(counts: ImportStops, stops: Stop[]): ImportStops {
  const after = { ...counts }
  for (const { reason } of stops) after[reason]++
  return after
}

/** The problems in the rows of a batch, in their order. */
export function errorsOf(batch: Batch, { outcomes }: Effects): ImportError[] {
  const crossed = outcomes.flatMap(({ person: { row }, outcome, full }) => {
    const isRefused = outcome === 'matches_two' || outcome === 'erased'
    const code = isRefused ? outcome : full ? 'too_many_fields' : undefined
    return code ? [{ row, column: null, code, message: messages[code] }] : []
  })
  return [...batch.errors, ...crossed].sort((a, b) => a.row - b.row)
}
