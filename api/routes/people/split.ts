import { z } from 'zod'
import { lockAddresses } from '../../../db/people/cards.ts'
import { peopleHappened } from '../../../db/people/events.ts'
import { findPerson, lockPerson } from '../../../db/people/people.ts'
import { listAddresses, shareSegments, splitCard } from '../../../db/people/split.ts'
import { type Address, keyOf, readAddress } from '../../../rules/addresses.ts'
import { ApiError, found, type Problem } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { PersonShape, presentPerson } from '../../shapes/people.ts'
import { IdParams, optional } from '../../shapes/shapes.ts'

const Addresses = optional(z.array(z.string().max(500)).max(100))
const Split = z
  .strictObject({
    emails: Addresses.describe('E-mail addresses of the card that belong to somebody else.'),
    phones: Addresses.describe('Phone numbers of the card that belong to somebody else.'),
  })
  .refine(({ emails = [], phones = [] }) => emails.length + phones.length > 0, {
    message: 'give at least one of emails and phones',
  })

const members = { emails: 'email', phones: 'phone' } as const
type Member = keyof typeof members

export const routes = [
  change({
    method: 'POST',
    path: '/people/{id}/split',
    summary: 'Split a card in two',
    description:
      'For two people who have become one card: moves the given addresses to a new card, and answers that card. Conversations that were held only with these addresses move too, and so do campaigns whose letters went to them; everything else stays.',
    scopes: ['inbox:write'],
    action: 'person.split',
    params: IdParams,
    body: Split,
    example: { emails: ['ana@example.test'] },
    response: PersonShape,
    async handler({ params, body }, { db, workspace, clock, operation, changed }) {
      const known = found(await findPerson(db, workspace.id, params.id), 'person')
      await shareSegments(db, known.id)
      await lockAddresses(db, workspace.id, await listAddresses(db, known.id))
      const card = found(await lockPerson(db, workspace.id, known.id), 'person')
      const moved = chosen(await listAddresses(db, card.id), body)
      const now = clock.now()
      const made = await splitCard(db, card, moved, now)
      const of = (kind: string) =>
        moved.flatMap((address) => (address.kind === kind ? [address.given] : []))
      const addresses = { emails: of('email'), phones: of('phone') }
      changed(card.id, addresses, { person: made.id, ...addresses })
      const event = { workspace: workspace.id, kind: 'person.created' as const, at: now }
      const given = [...(made.name ? ['name'] : []), ...new Set(moved.map(({ kind }) => kind))]
      await peopleHappened(db, { ...event, operation: operation.id }, [
        { id: made.id, members: given },
      ])
      return presentPerson(db, made, now)
    },
  }),
]

/**
 * The given addresses of the card. @throws ApiError 422 naming each that the card does not have, or if no address
 * would be left.
 */
function chosen(all: Address[], body: z.output<typeof Split>): Address[] {
  const errors: Problem[] = []
  const moved = new Map<string, Address>()
  for (const member of Object.keys(members) as Member[])
    for (const [i, text] of (body[member] ?? []).entries()) {
      const read = readAddress(members[member], text)
      const own = read && all.find((address) => keyOf(address) === keyOf(read))
      const pointer = `/${member}/${i}`
      if (own) moved.set(keyOf(own), own)
      else
        errors.push({ pointer, code: 'not_on_card', message: 'is not an address of this person' })
    }
  if (errors.length === 0 && moved.size === all.length) {
    const pointer = body.emails?.length ? '/emails' : '/phones'
    const message = 'would leave this person without any address'
    errors.push({ pointer, code: 'nothing_left', message })
  }
  const [first] = errors
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, { errors })
  return [...moved.values()]
}
