import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import type { Trx } from '../../../db/database.ts'
import { lockAddresses, replaceAddresses } from '../../../db/people/cards.ts'
import { findErased } from '../../../db/people/erased.ts'
import { findAllOwners } from '../../../db/people/matching.ts'
import { findPerson, type PersonRow } from '../../../db/people/people.ts'
import { listAddresses } from '../../../db/people/split.ts'
import { type Address, type AddressKind, keyOf } from '../../../rules/addresses.ts'
import { changedFields, type GivenFields, mergeFields } from '../../../rules/own-fields.ts'
import type { CardFields } from '../../../rules/people/import-batch.ts'
import { ApiError, type Problem } from '../../http/errors.ts'
import type { ChangeContext } from '../../route.ts'
import { checkedFields } from '../../shapes/people.ts'
import { changesOf } from '../changes.ts'

type Plain = Omit<CardFields, 'fields'>
type Given = { [K in keyof Plain]?: Plain[K] | undefined }

/**
 * What given members change in a card: `wanted` is what it is to hold, `before` and `after` are for the audit log, with only
 * those of the own fields that differ. With `complete`, they fill only what is empty. Undefined if nothing changes.
 * @throws ApiError 422 if the own fields would be too many.
 */
export function editOf(
  card: PersonRow,
  given: Given,
  fields: GivenFields | undefined,
  mode: 'complete' | 'update',
) {
  const usable = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (mode === 'update' || isEmpty(card, name, value)),
  )
  const plain = changesOf<Plain>(card, Object.fromEntries(usable))
  const merged = fields && checkedFields(mergeFields(card.fields, fields, mode))
  const own = merged && changedFields(card.fields, merged)
  if (!plain && !own) return undefined
  return {
    wanted: { ...plain?.after, ...(own && { fields: merged }) },
    before: { ...plain?.before, ...(own && { fields: own.before }) },
    after: { ...plain?.after, ...(own && { fields: own.after }) },
  }
}

const isEmpty = (card: PersonRow, name: string, value: unknown) =>
  Boolean(value) && !card[name as keyof Plain]

/** In words, for refusals. */
export const wording: Record<AddressKind, string> = {
  email: 'an e-mail address',
  phone: 'a phone number',
  linkedin: 'a profile address',
}

const members = { emails: 'email', phones: 'phone' } as const
type Member = keyof typeof members
type Addresses = { [M in Member]: Address[] | undefined }

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
  const ids = externalId ? [externalId] : []
  if (ids.length + addresses.length > 0) await lockAddresses(trx, workspace, addresses, ids)
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

type Belonging = { pointer: string; person: string }

/** A 409 that names a card, and the members of the body that belong to other cards. */
export function inConflict(card: string, belongings: Belonging[]) {
  const errors = belongings.map(
    ({ pointer, person }): Problem => ({
      pointer,
      code: 'belongs_to_another',
      message: `belongs to another person, ${person}`,
    }),
  )
  const people = [...new Set([card, ...belongings.map(({ person }) => person)])]
  return new ApiError('conflict', `${errors[0]?.pointer}: ${errors[0]?.message}, not to ${card}.`, {
    errors,
    members: { people },
  })
}

/**
 * Refuses addresses that somebody had who was erased.
 * @throws ApiError 422 naming each of them.
 */
export function refuseErased(
  erased: ReadonlySet<string>,
  addresses: (Pick<Address, 'kind' | 'value'> & { pointer: string })[],
) {
  const errors = addresses
    .filter((address) => erased.has(keyOf(address)))
    .map(({ pointer }): Problem => ({ pointer, code: 'erased', message: 'was erased' }))
  if (errors.length > 0)
    throw new ApiError('erased', `${errors[0]?.pointer}: the person was erased.`, { errors })
}

/** The same for the addresses that an edit gives to a card; those that it has may stay. */
export async function refuseErasedIn(
  { db, workspace, secretKey }: Pick<ChangeContext, 'db' | 'workspace' | 'secretKey'>,
  card: PersonRow,
  given: Addresses,
) {
  const placed = (Object.keys(members) as Member[]).flatMap((member) =>
    (given[member] ?? []).map((address, i) => ({ ...address, pointer: `/${member}/${i}` })),
  )
  if (placed.length === 0) return
  const present = new Set((await listAddresses(db, card.id)).map(keyOf))
  const fresh = placed.filter((address) => !present.has(keyOf(address)))
  refuseErased(await findErased(db, secretKey, workspace.id, fresh), fresh)
}
