import { addressKinds, readAddress } from '../../rules/addresses.ts'
import type { Trx } from '../database.ts'
import { completePerson, type Given, insertCard, lockCards } from '../people/cards.ts'
import { peopleHappened } from '../people/events.ts'
import { addOwner, cardsOf } from '../people/matching.ts'
import { lockPerson, type PersonRow } from '../people/people.ts'

/** A person as the finder returned them; an unknown value is an empty text. */
export type FoundPerson = {
  name: string
  email: string
  phone: string
  linkedin: string
  company: string
  city: string
  jobTitle: string
}

/**
 * Adds people to contacts, or completes their existing cards, by their addresses as POST /people does. Answers the card of
 * each, in order; people without a valid address are left out. The interface leaves open what happens if addresses lead to
 * several cards: the card of the first of e-mail, phone and profile counts, and it is left as it is. Records an event about
 * each card that was made or changed.
 */
export async function insertFound(
  trx: Trx,
  { workspace, operation }: { workspace: string; operation: string },
  found: FoundPerson[],
  now: Date,
): Promise<string[]> {
  const people = found.map((person) => ({
    person,
    addresses: addressKinds.flatMap((kind) => readAddress(kind, person[kind]) ?? []),
  }))
  const { owners, emails } = await lockCards(
    trx,
    workspace,
    people.flatMap(({ addresses }) => addresses),
  )
  const cards: string[] = []
  const made = new Map<string, Set<string>>()
  const edited = new Map<string, Set<string>>()
  for (const { person, addresses } of people) {
    if (addresses.length === 0) continue
    const { name, company, city, jobTitle } = person
    const fields = { name, company, city, jobTitle }
    const led = cardsOf(addresses, owners, emails)
    const card = led[0] === undefined ? undefined : await lockPerson(trx, workspace, led[0])
    const given = { fields, addresses }
    const { id, added } = card
      ? { id: card.id, added: led.length > 1 ? undefined : await completed(card, given) }
      : await insertCard(trx, workspace, given, now)
    if (added) {
      const known = card && !made.has(id) ? edited : made
      known.set(id, new Set([...(known.get(id) ?? []), ...Object.keys(added)]))
    }
    // Two entries of a page may be the same person.
    if (led.length < 2)
      for (const address of addresses) {
        addOwner(owners, address, id)
        if (address.kind === 'email')
          emails.set(id, (emails.get(id) ?? new Set()).add(address.value))
      }
    cards.push(id)
  }
  const record = (kind: 'person.created' | 'person.edited', what: Map<string, Set<string>>) =>
    peopleHappened(
      trx,
      { workspace, kind, at: now, operation },
      [...what].map(([id, members]) => ({ id, members: [...members] })),
    )
  await record('person.created', made)
  await record('person.edited', edited)
  return cards

  async function completed(card: PersonRow, given: Given) {
    return (await completePerson(trx, card, given, owners, now)).added
  }
}
