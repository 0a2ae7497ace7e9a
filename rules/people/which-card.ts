import { type Address, keyOf } from '../addresses.ts'

// Decides whose card it is, given the addresses of a person: from a call, a row of a file, a people finder, or the sender of a
// message. An e-mail or profile address belongs to one person. A phone number may be that of an office: it does not join cards with
// different e-mail addresses; their people share it.

type Named = Pick<Address, 'kind' | 'value'>

/** keyOf(address) → the ids of everybody who has it, the oldest card first. */
export type Owners = Map<string, string[]>
/** Person → the e-mail addresses of the card, in its order. */
export type Emails = Map<string, Set<string>>
/** Who has the addresses in question, and the e-mail addresses of all these people. */
export type KnownCards = { owners: Owners; emails: Emails }

type Asked<A extends Address> = {
  addresses: A[]
  /**
   * The card that the caller names beside the addresses, by its id or by the client's own id. `mayShare` says whether its person may
   * share a number with others: yes in a call, which means the card that it names. No in a row of a file, where the id or the number
   * may have slipped into the wrong line, so that a number of somebody else makes the row doubtful.
   */
  named?: { card: string; mayShare: boolean } | undefined
}

/** An address, and the card of a person who has it. */
export type Lead<A extends Address = Address> = { address: A; person: string }

/**
 * The named card, or else the first one that an address leads to, in the order of the addresses; undefined for a new person.
 * `strangers` are the leads to other cards; the caller decides what follows from them.
 */
export function whichCard<A extends Address>(
  { addresses, named }: Asked<A>,
  known: KnownCards,
): { card: string | undefined; leads: Lead<A>[]; strangers: Lead<A>[] } {
  // The e-mail addresses that the named card has also distinguish its person from others.
  const evidence = named?.mayShare ? emailsOf(named.card, known) : []
  const leads = addresses.flatMap((address) =>
    ownersOf(address, [...addresses, ...evidence], known).map((person) => ({ address, person })),
  )
  const card = named?.card ?? leads[0]?.person
  const itsOwn = new Set(leads.flatMap((lead) => (lead.person === card ? keyOf(lead.address) : [])))
  const strangers = leads.filter(
    ({ address, person }) => person !== card && !(named?.mayShare && itsOwn.has(keyOf(address))),
  )
  return { card, leads, strangers }
}

/** The oldest card with this address, where nothing else is known of the person; `strangers` are those who share it. */
export const cardWith = (address: Address, owners: Owners) =>
  whichCard({ addresses: [address] }, { owners, emails: new Map() })

/** Whether the client's own id on the card differs from the given one: then they are two people. */
export const hasAnotherId = (
  card: { externalId: string | null } | undefined,
  externalId: string | undefined,
): boolean => externalId !== undefined && (card?.externalId ?? externalId) !== externalId

const emailsOf = (card: string, { emails }: KnownCards): Address[] =>
  [...(emails.get(card) ?? [])].map((value) => ({ kind: 'email', value, given: value }))

/**
 * Whose an address is, given the addresses that it came with: a number that is only shared leads to nobody, and an address that
 * several people have leads to the one who has another of the given addresses.
 */
function ownersOf(address: Address, addresses: Address[], { owners, emails }: KnownCards) {
  const known = owners.get(keyOf(address)) ?? []
  if (address.kind !== 'phone') return known
  const others = addresses.filter(({ kind }) => kind !== 'phone')
  const sure = new Set(others.flatMap((other) => owners.get(keyOf(other)) ?? []))
  const theirs = known.filter((person) => sure.has(person))
  if (theirs.length > 0) return theirs
  const given = valuesOf(addresses)
  return known.filter((person) => {
    const of = emails.get(person)
    return given.length === 0 || !of || given.some((email) => of.has(email))
  })
}

/** The e-mail addresses among them. */
export const valuesOf = (addresses: Named[]): string[] =>
  addresses.flatMap(({ kind, value }) => (kind === 'email' ? [value] : []))

/** The addresses that the card does not have yet. */
export const freshOf = (card: string, addresses: Address[], owners: Owners): Address[] =>
  addresses.filter((address) => !owners.get(keyOf(address))?.includes(card))

export function addOwner(owners: Owners, address: Named, person: string) {
  const key = keyOf(address)
  const known = owners.get(key)
  if (!known) owners.set(key, [person])
  else if (!known.includes(person)) known.push(person)
}

/** Notes that a card has these addresses now: the next person of a page or of a file may be the same one. */
export function addAddresses({ owners, emails }: KnownCards, card: string, addresses: Address[]) {
  for (const address of addresses) {
    addOwner(owners, address, card)
    if (address.kind === 'email')
      emails.set(card, (emails.get(card) ?? new Set()).add(address.value))
  }
}
