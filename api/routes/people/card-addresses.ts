import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import type { Trx } from '../../../db/database.ts'
import { lockAddresses, replaceAddresses } from '../../../db/people/cards.ts'
import { findAllOwners } from '../../../db/people/matching.ts'
import { findPerson, type PersonRow } from '../../../db/people/people.ts'
import { listAddresses } from '../../../db/people/split.ts'
import { type Address, type AddressKind, keyOf } from '../../../rules/addresses.ts'
import { changesOf } from '../changes.ts'
import type { Belonging } from './conflict.ts'

/** In words, for refusals. */
export const wording: Record<AddressKind, string> = {
  email: 'an e-mail address',
  phone: 'a phone number',
  linkedin: 'a profile address',
}

const members = { emails: 'email', phones: 'phone' } as const
type Member = keyof typeof members
export type Addresses = { [M in Member]: Address[] | undefined }

/** Locks what an edit of a person names, before the person: an id of the client's own, and old and new addresses. */
export async function lockNamed(
  trx: Trx,
  workspace: string,
  person: string,
  { externalId, ...given }: Addresses & { externalId: string | null | undefined },
) {
  const isChange = given.emails !== undefined || given.phones !== undefined
  const known = isChange ? await findPerson(trx, workspace, person) : undefined
  const present = known ? await listAddresses(trx, known.id) : []
  const addresses = [...present, ...(given.emails ?? []), ...(given.phones ?? [])]
  if (externalId || addresses.length > 0) await lockAddresses(trx, workspace, addresses, externalId)
}

/** The cards that have given addresses which this card does not have. */
export async function findStrangers(
  trx: Trx,
  card: PersonRow,
  given: Addresses,
): Promise<Belonging[]> {
  const strangers: Belonging[] = []
  for (const member of Object.keys(members) as Member[]) {
    const owners = await findAllOwners(trx, card.workspace, given[member] ?? [])
    given[member]?.forEach((address, i) => {
      const people = owners.get(keyOf(address)) ?? []
      const person = people.includes(card.id) ? undefined : people[0]
      if (person !== undefined) strangers.push({ pointer: `/${member}/${i}`, person })
    })
  }
  return strangers
}

/** Gives a locked card the given addresses in place of its own; undefined if that changes nothing. */
export async function changeAddresses(trx: Trx, card: PersonRow, given: Addresses, now: Date) {
  if (given.emails === undefined && given.phones === undefined) return undefined
  const present = await listAddresses(trx, card.id)
  const shown = (kind: AddressKind, addresses: Address[]) =>
    addresses.flatMap((address) => (address.kind === kind ? [address.given] : []))
  const before: { [M in Member]?: string[] } = {}
  const after: { [M in Member]?: string[] } = {}
  for (const [member, kind] of Object.entries(members) as [Member, AddressKind][]) {
    const wanted = given[member] && once(given[member])
    if (!wanted) continue
    const keys = (some: Address[]) => some.filter((one) => one.kind === kind).map(keyOf)
    if (!changesOf({ keys: keys(present) }, { keys: keys(wanted) })) continue
    await replaceAddresses(trx, card, kind, wanted, present, now)
    before[member] = shown(kind, present)
    after[member] = shown(kind, wanted)
  }
  if (after.emails) await readdressLetters(trx, card.id, now)
  return Object.keys(after).length > 0 ? { before, after } : undefined
}

/** Each address once, where it stands first. */
export const once = <A extends Address>(addresses: A[]): A[] =>
  addresses.filter((one, i) => addresses.findIndex((other) => keyOf(other) === keyOf(one)) === i)
