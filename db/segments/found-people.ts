import { addressKinds, keyOf, readAddress } from '../../rules/addresses.ts'
import { addAddresses, whichCard } from '../../rules/people/which-card.ts'
import type { Trx } from '../database.ts'
import { keyOfOperation } from '../operations/operations.ts'
import { beginCards, bringCards } from '../people/card-words.ts'
import { completePerson, type Given, insertCard, lockCards } from '../people/cards.ts'
import { findErased } from '../people/erased.ts'
import { peopleHappened } from '../people/events.ts'
import { lockPerson, type PersonRow } from '../people/people.ts'
import type { SecretKey } from '../secrets.ts'

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
 * each, in order; people without a valid address, and those who were erased, are left out. The interface leaves open what happens if addresses lead to
 * several cards: the card of the first of e-mail, phone and profile counts, and it is left as it is. Records an event about
 * each card that was made or changed.
 */
export async function insertFound(
  trx: Trx,
  {
    workspace,
    operation,
    secretKey,
  }: { workspace: string; operation: string; secretKey: SecretKey },
  found: FoundPerson[],
  now: Date,
): Promise<string[]> {
  const people = found.map((person) => ({
    person,
    addresses: addressKinds.flatMap((kind) => readAddress(kind, person[kind]) ?? []),
  }))
  const all = people.flatMap(({ addresses }) => addresses)
  const known = await lockCards(trx, workspace, all)
  const erased = await findErased(trx, secretKey, workspace, all)
  const cards: string[] = []
  await beginCards(trx)
  const made = new Map<string, Set<string>>()
  const edited = new Map<string, Set<string>>()
  for (const { person, addresses } of people) {
    if (addresses.length === 0 || addresses.some((one) => erased.has(keyOf(one)))) continue
    const { name, company, city, jobTitle } = person
    const fields = { name, company, city, jobTitle }
    const { card: led, strangers } = whichCard({ addresses }, known)
    const isOne = strangers.length === 0
    const card = led === undefined ? undefined : await lockPerson(trx, workspace, led)
    const given = { fields, addresses }
    const { id, added } = card
      ? { id: card.id, added: isOne ? await completed(card, given) : undefined }
      : await insertCard(trx, workspace, given, now)
    if (added) {
      const changed = card && !made.has(id) ? edited : made
      changed.set(id, new Set([...(changed.get(id) ?? []), ...Object.keys(added)]))
    }
    if (isOne) addAddresses(known, id, addresses)
    cards.push(id)
  }
  await bringCards(trx, workspace, [...made.keys(), ...edited.keys()])
  const record = (kind: 'person.created' | 'person.edited', what: Map<string, Set<string>>) =>
    peopleHappened(
      trx,
      { workspace, kind, at: now, operation, by: { client: null, key: keyOfOperation(operation) } },
      [...what].map(([id, members]) => ({ id, members: [...members] })),
    )
  await record('person.created', made)
  await record('person.edited', edited)
  return cards

  async function completed(card: PersonRow, given: Given) {
    return (await completePerson(trx, card, given, known.owners, now)).added
  }
}
