import { z } from 'zod'
import { completePerson, insertCard, lockCards } from '../../../db/people/cards.ts'
import { type Emails, findEmails, type Owners, ownersOf } from '../../../db/people/matching.ts'
import { lockPerson, type PersonRow } from '../../../db/people/people.ts'
import { type Address, type AddressKind, readAddress } from '../../../rules/addresses.ts'
import { ApiError, invalid, type Problem } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { PersonShape, presentPerson } from '../../shapes/people.ts'
import { Id, Line, optional } from '../../shapes/shapes.ts'

const wording = {
  email: 'an e-mail address',
  phone: 'a phone number',
  linkedin: 'a profile address',
}

// The interface leaves open what an empty text in email, phone or linkedin means: no address, as with a form field
// left blank.
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
    email: contact('email').describe('An e-mail address; an empty text means none.'),
    phone: contact('phone').describe(
      'A phone number, preferably with the country code; an empty text means none.',
    ),
    linkedin: contact('linkedin').describe(
      'The address of a profile in a professional network; an empty text means none.',
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
      'If an address is already known, that person is completed instead. At least one of `email`, `phone` and `linkedin` is required.',
    scopes: ['inbox:write'],
    action: 'person.created',
    body: NewPerson,
    example: { name: 'Ines Caldeira', email: 'ines@caldeira.example', company: 'Caldeira' },
    response: PersonShape.extend({
      created: z
        .boolean()
        .describe(
          'Whether the person is new; false if a known address led to an existing card, which was completed.',
        ),
    }),
    handler: async ({ body }, { db, workspace, clock, changed }) => {
      const addresses = [body.email, body.phone, body.linkedin].filter(
        (address) => address !== undefined,
      )
      const fields = { name: body.name ?? '', company: body.company ?? '' }
      const now = clock.now()
      const { owners, emails } = await lockCards(db, workspace.id, addresses)
      const row =
        body.into === undefined ? undefined : await lockPerson(db, workspace.id, body.into)
      if (body.into !== undefined && !row)
        throw invalid('/into', 'unknown_id', 'There is no such person.')
      const card = cardFor(
        row && { id: row.id, emails: await findEmails(db, [row.id]) },
        addresses,
        {
          owners,
          emails,
        },
      )
      if (card === undefined) {
        const made = await insertCard(db, workspace.id, { fields, addresses }, now)
        changed(made.id, null, made.added)
        return { ...(await presentPerson(db, made.row, now)), created: true }
      }
      const known = row ?? ((await lockPerson(db, workspace.id, card)) as PersonRow)
      const completed = await completePerson(db, known, { fields, addresses }, owners, now)
      if (completed.added)
        changed(known.id, blank(completed.added), completed.added, 'person.edited')
      return { ...(await presentPerson(db, completed.card, now)), created: false }
    },
  }),
]

const blank = (added: object) => Object.fromEntries(Object.keys(added).map((name) => [name, '']))

/**
 * The card to complete: `into`, otherwise the one that the addresses lead to, otherwise none. A shared phone number
 * leads to nobody.
 * @throws ApiError 422 naming each member whose address belongs to another card.
 */
function cardFor(
  into: { id: string; emails: Emails } | undefined,
  addresses: Address[],
  { owners, emails }: { owners: Owners; emails: Emails },
) {
  // The e-mail addresses of the card given by `into` also distinguish its person from others.
  const theirs = [...(into?.emails.get(into.id) ?? [])].map(
    (value): Address => ({ kind: 'email', value, given: value }),
  )
  const owned = addresses.flatMap((address) =>
    ownersOf(address, [...addresses, ...theirs], owners, emails).map((person) => ({
      kind: address.kind,
      person,
    })),
  )
  const card = into?.id ?? owned[0]?.person
  const hasItself = ({ kind }: { kind: AddressKind }) =>
    owned.some((other) => other.kind === kind && other.person === card)
  const strangers = owned.filter((other) => other.person !== card && !(into && hasItself(other)))
  if (strangers.length === 0) return card
  // Without into neither card is the right one: both members are named.
  const kinds = [...new Set((into ? strangers : owned).map(({ kind }) => kind))]
  const errors: Problem[] = kinds.map((kind) => ({
    pointer: `/${kind}`,
    code: into ? 'belongs_to_another' : 'matches_two',
    message: into
      ? 'belongs to another person'
      : 'leads to a different person from the other addresses',
  }))
  if (kinds.length === 1 && !into) errors[0]!.message = 'leads to several people who share it'
  throw new ApiError('validation_failed', `/${kinds[0]}: ${errors[0]!.message}`, { errors })
}
