import { z } from 'zod'
import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import { addAddresses, insertCard, lockCards, putFirst } from '../../../db/people/cards.ts'
import { updatePerson } from '../../../db/people/people.ts'
import { type Address, type AddressKind, readAddress } from '../../../rules/addresses.ts'
import { mergeFields } from '../../../rules/own-fields.ts'
import { change } from '../../route.ts'
import { ExternalId, FieldsGiven, PersonShape, presentPerson } from '../../shapes/people.ts'
import { Id, Line, optional } from '../../shapes/shapes.ts'
import { wording } from './card-addresses.ts'
import { editOf } from './card-edit.ts'
import { cardFor } from './card-for.ts'

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
    name: optional(Line).describe('The name; with a known `externalId`, an empty text erases it.'),
    email: contact('email').describe('An e-mail address; an empty text means none.'),
    phone: contact('phone').describe(
      'A phone number, preferably with the country code; an empty text means none.',
    ),
    linkedin: contact('linkedin').describe(
      'The address of a profile in a professional network; an empty text means none.',
    ),
    company: optional(Line).describe(
      'The company they work for, as text; with a known `externalId`, an empty text erases it.',
    ),
    externalId: optional(ExternalId).describe(
      'The id that your own system gives them, unique in the workspace.',
    ),
    fields: optional(FieldsGiven).describe(
      'Fields of your own: at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.',
    ),
    into: optional(Id).describe(
      'The id of a person to add these addresses to, instead of creating one.',
    ),
  })
  .refine((body) => body.email ?? body.phone ?? body.linkedin ?? body.externalId, {
    message: 'give at least one of email, phone, linkedin and externalId',
  })

export const routes = [
  change({
    method: 'POST',
    path: '/people',
    summary: 'Create a person',
    description:
      'If an address is already known, that person is completed instead. If the `externalId` is known, the given members replace those of that person, and given addresses come first. At least one of `email`, `phone`, `linkedin` and `externalId` is required.',
    scopes: ['inbox:write'],
    action: 'person.created',
    body: NewPerson,
    example: { name: 'Ines Caldeira', email: 'ines@caldeira.example', company: 'Caldeira' },
    response: PersonShape.extend({
      created: z
        .boolean()
        .describe(
          'Whether the person is new; false if an address or an `externalId` led to an existing card.',
        ),
    }),
    errors: ['conflict'],
    handler: async ({ body }, { db, workspace, clock, changed }) => {
      const { name, company, externalId, fields: own } = body
      const addresses = [body.email, body.phone, body.linkedin].filter(
        (address) => address !== undefined,
      )
      const now = clock.now()
      const known = await lockCards(db, workspace.id, addresses, externalId)
      const asked = { into: body.into, addresses, externalId }
      const card = await cardFor(db, workspace.id, asked, known)
      if (card === undefined) {
        const fields = {
          name: name ?? '',
          company: company ?? '',
          ...(externalId !== undefined && { externalId }),
          ...(own && { fields: mergeFields({}, own, 'update') }),
        }
        const made = await insertCard(db, workspace.id, { fields, addresses }, now)
        changed(made.id, null, made.added)
        return { ...(await presentPerson(db, made.row, now)), created: true }
      }
      // Whoever names a card by its id knows it, and replaces what stands there.
      const mode =
        externalId !== undefined && card.externalId === externalId ? 'update' : 'complete'
      const edit = editOf(card, { name, company, externalId }, own, mode)
      const fresh = await addAddresses(db, card, addresses, known.owners)
      const isMoved = mode === 'update' && (await putFirst(db, card.id, addresses))
      if (isMoved) await readdressLetters(db, card.id, now)
      if (!edit && fresh.length === 0 && !isMoved)
        return { ...(await presentPerson(db, card, now)), created: false }
      const added = Object.fromEntries(
        (isMoved ? addresses : fresh).map((address) => [address.kind, address.given]),
      )
      const none = Object.fromEntries(Object.keys(added).map((kind) => [kind, '']))
      changed(card.id, { ...none, ...edit?.before }, { ...added, ...edit?.after }, 'person.edited')
      const row = await updatePerson(db, card.id, edit?.wanted ?? {}, now)
      return { ...(await presentPerson(db, row, now)), created: false }
    },
  }),
]
