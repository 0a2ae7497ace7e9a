import { addressKinds, keyOf, readAddress } from './addresses.ts'
import { completePerson, insertAddresses, lockAddresses } from './cards.ts'
import type { Trx } from './database.ts'
import { findOwners, insertPerson, lockPerson } from './people.ts'

/** A person as found; what is not known is an empty text. */
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
 * Adds people to contacts, or completes the cards there are, by their addresses as POST /people does. Answers the card of
 * each, in order; who has no address that is one is left out. The interface leaves open whose addresses lead to several
 * cards: the card of the first of e-mail, phone and profile is meant, and it is left as it is.
 */
export async function insertFound(
  trx: Trx,
  workspace: string,
  found: FoundPerson[],
  now: Date,
): Promise<string[]> {
  const people = found.map((person) => ({
    person,
    addresses: addressKinds.flatMap((kind) => readAddress(kind, person[kind]) ?? []),
  }))
  const all = people.flatMap(({ addresses }) => addresses)
  await lockAddresses(trx, workspace, all)
  const owners = await findOwners(trx, workspace, all)
  const cards: string[] = []
  for (const { person, addresses } of people) {
    if (addresses.length === 0) continue
    const { name, company, city, jobTitle } = person
    const fields = { name, company, city, jobTitle }
    const owned = new Set(addresses.flatMap((address) => owners.get(keyOf(address)) ?? []))
    const [owner] = owned
    const card = owner === undefined ? undefined : await lockPerson(trx, workspace, owner)
    if (card && owned.size === 1)
      await completePerson(trx, card, { fields, addresses }, owners, now)
    const id = card?.id ?? (await insertPerson(trx, workspace, fields, now)).id
    if (!card)
      await insertAddresses(
        trx,
        workspace,
        addresses.map((address) => ({ ...address, person: id })),
      )
    // Two of a page may be the same person.
    if (owned.size < 2) for (const address of addresses) owners.set(keyOf(address), id)
    cards.push(id)
  }
  return cards
}
