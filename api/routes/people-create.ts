import { z } from 'zod'
import { type Address, keyOf, readAddress } from '../../db/addresses.ts'
import { completePerson, insertAddresses, lockAddresses } from '../../db/cards.ts'
import { findOwners, insertPerson, lockPerson } from '../../db/people.ts'
import type { AddressKind } from '../../db/schema.ts'
import { ApiError, invalid, type Problem } from '../errors.ts'
import { PersonShape } from '../people-shape.ts'
import { change } from '../route.ts'
import { Id, Line, optional } from '../shapes.ts'
import { shownPerson } from './people.ts'

const wording = {
  email: 'an e-mail address',
  phone: 'a phone number',
  linkedin: 'a profile address',
}

// The interface leaves open what an empty text in email, phone or linkedin means: no address, as in a form left blank.
const contact = (kind: AddressKind) =>
  optional(z.string().max(500)).transform((text, ctx): Address | undefined => {
    if (text === undefined || text.trim() === '') return undefined
    const address = readAddress(kind, text)
    if (!address) ctx.addIssue({ code: 'custom', message: `must be ${wording[kind]}` })
    return address
  })

const NewPerson = z
  .strictObject({
    name: optional(Line).describe('The name.'),
    email: contact('email').describe('An e-mail address; an empty text is none.'),
    phone: contact('phone').describe(
      'A phone number, best with the country code; an empty text is none.',
    ),
    linkedin: contact('linkedin').describe(
      'The address of a profile in a professional network; an empty text is none.',
    ),
    company: optional(Line).describe('The company they work for, as text.'),
    into: optional(Id).describe(
      'The id of a person to add these addresses to, instead of creating one.',
    ),
  })
  .refine((body) => body.email ?? body.phone ?? body.linkedin, {
    message: 'give at least one of email, phone and linkedin',
  })

export const routes = [
  change({
    method: 'POST',
    path: '/people',
    summary: 'Create a person',
    description:
      'Where an address is known already, that person is completed instead. At least one of `email`, `phone` and `linkedin` is needed.',
    scopes: ['inbox:write'],
    action: 'person.created',
    body: NewPerson,
    example: { name: 'Ines Caldeira', email: 'ines@caldeira.example', company: 'Caldeira' },
    response: PersonShape.extend({
      created: z
        .boolean()
        .describe(
          'Whether the person is new; false when a known address led to an existing card, which was completed.',
        ),
    }),
    handler: async ({ body }, { db, workspace, clock, changed }) => {
      const addresses = [body.email, body.phone, body.linkedin].filter(
        (address) => address !== undefined,
      )
      const fields = { name: body.name ?? '', company: body.company ?? '' }
      const now = clock.now()
      await lockAddresses(db, workspace.id, addresses)
      const owners = await findOwners(db, workspace.id, addresses)
      const card = cardFor(body.into, addresses, owners)
      if (card === undefined) {
        const row = await insertPerson(db, workspace.id, fields, now)
        await insertAddresses(
          db,
          workspace.id,
          addresses.map((address) => ({ ...address, person: row.id })),
        )
        const person = await shownPerson(db, row, now)
        const { name, email, phone, linkedin, company } = person
        changed(row.id, null, { name, email, phone, linkedin, company })
        return { ...person, created: true }
      }
      const row = await lockPerson(db, workspace.id, card)
      if (!row) throw invalid('/into', 'unknown_id', 'There is no such person.')
      const completed = await completePerson(db, row, { fields, addresses }, owners, now)
      if (completed.added) changed(row.id, blank(completed.added), completed.added)
      return { ...(await shownPerson(db, completed.card, now)), created: false }
    },
  }),
]

const blank = (added: object) => Object.fromEntries(Object.keys(added).map((name) => [name, '']))

/**
 * The card that is meant: `into`, else the one its addresses lead to, else none.
 * @throws ApiError 422 naming each member whose address belongs to another card.
 */
function cardFor(into: string | undefined, addresses: Address[], owners: Map<string, string>) {
  const owned = addresses.flatMap((address) => {
    const person = owners.get(keyOf(address))
    return person ? [{ kind: address.kind, person }] : []
  })
  const card = into ?? owned[0]?.person
  const strangers = owned.filter(({ person }) => person !== card)
  if (strangers.length === 0) return card
  // Without into neither card is the right one: both members are named.
  const named = into ? strangers : owned
  const errors: Problem[] = named.map(({ kind }) => ({
    pointer: `/${kind}`,
    code: into ? 'belongs_to_another' : 'matches_two',
    message: into
      ? 'belongs to another person'
      : 'leads to another person than the other addresses',
  }))
  throw new ApiError('validation_failed', `/${named[0]!.kind}: ${errors[0]!.message}`, { errors })
}
