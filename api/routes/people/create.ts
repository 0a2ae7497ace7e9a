import { z } from 'zod'
import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import { addAddresses, givenOf, insertCard, lockCards, putFirst } from '../../../db/people/cards.ts'
import { type PersonRow, updatePerson } from '../../../db/people/people.ts'
import { mergeFields } from '../../../rules/own-fields.ts'
import type { Owners } from '../../../rules/people/which-card.ts'
import { type ChangeContext, change } from '../../route.ts'
import { ExternalId, FieldsGiven, PersonShape, presentPerson } from '../../shapes/people.ts'
import { Id, Line, optional } from '../../shapes/shapes.ts'
import { editOf } from './card-edit.ts'
import { cardFor } from './card-for.ts'
import {
  addressesIn,
  cleanedIn,
  contact,
  contacts,
  nameIn,
  type Placed,
} from './given-addresses.ts'
import { addTags, type Tags, tagsOf } from './given-tags.ts'
import { Tag } from './tags.ts'

const mostTags = 100
const NewPerson = z
  .strictObject({
    name: optional(Line).describe(
      'The name; by default the one before an address, as in `Ana Ruiz <ana@example.test>`. With a known `externalId`, an empty text erases it.',
    ),
    city: optional(Line).describe(
      'The city they live or work in; with a known `externalId`, an empty text erases it.',
    ),
    jobTitle: optional(Line).describe(
      'What they do at their company; with a known `externalId`, an empty text erases it.',
    ),
    email: contact('email').describe('An e-mail address; an empty text means none.'),
    emails: contacts('email').describe(
      'All e-mail addresses, in order: letters go to `email`, if it is given, otherwise to the first of these.',
    ),
    phone: contact('phone').describe(
      'A phone number, preferably with the country code; an empty text means none.',
    ),
    phones: contacts('phone').describe('All phone numbers, in order, after `phone`.'),
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
    tags: optional(z.array(Tag).max(mostTags)).describe(
      'Products to tag them with, each with a side. Tags that are there already stay.',
    ),
    into: optional(Id).describe(
      'The id of a person to add these addresses to, instead of creating one.',
    ),
  })
  .refine((body) => body.externalId ?? addressesIn(body)[0], {
    message: 'give at least one of email, emails, phone, phones, linkedin and externalId',
  })
type Given = z.output<typeof NewPerson>

export const routes = [
  change({
    method: 'POST',
    path: '/people',
    summary: 'Create a person',
    description:
      'If an address is already known, that person is completed instead. If the `externalId` is known, the given members replace those of that person, and given addresses come first. At least one of `email`, `emails`, `phone`, `phones`, `linkedin` and `externalId` is required.',
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
      cleaned: z
        .array(
          z.object({
            pointer: z.string().describe('Where the address stands in the call.'),
            given: z.string().describe('The text that was given.'),
            read: z.string().describe('The address that was read.'),
            leftOut: z.string().describe('What is no part of the address, in words.'),
          }),
        )
        .optional()
        .describe(
          'The addresses that were not read as they were given; absent if all of them were, so that the answer is the person that is read.',
        ),
    }),
    errors: ['conflict'],
    async handler({ body }, context) {
      const { db, workspace, clock } = context
      const addresses = addressesIn(body)
      const { into, externalId } = body
      const known = await lockCards(db, workspace.id, addresses, externalId)
      const card = await cardFor(db, workspace.id, { into, addresses, externalId }, known)
      const tags = await tagsOf(db, workspace.id, body.tags)
      const { row, created } =
        card === undefined
          ? await make(context, body, addresses, tags)
          : await complete(context, card, body, { addresses, tags, owners: known.owners })
      const person = await presentPerson(db, row, clock.now())
      const cleaned = cleanedIn(body)
      return { ...person, created, ...(cleaned.length > 0 && { cleaned }) }
    },
  }),
]

async function make(context: ChangeContext, body: Given, addresses: Placed[], tags: Tags) {
  const { db, workspace, clock, changed } = context
  const { company = '', city = '', jobTitle = '', externalId, fields: own } = body
  const name = body.name ?? nameIn(body)
  const now = clock.now()
  const fields = {
    ...{ name, company, city, jobTitle },
    ...(externalId !== undefined && { externalId }),
    ...(own && { fields: mergeFields({}, own, 'update') }),
  }
  const { id, row, added } = await insertCard(db, workspace.id, { fields, addresses }, now)
  const tagged = await addTags(db, id, tags, now)
  changed(id, null, { ...added, ...(tagged.length > 0 && { tags: tagged }) })
  return { row, created: true }
}

async function complete(
  { db, clock, changed }: ChangeContext,
  card: PersonRow,
  { name, company, city, jobTitle, externalId, fields: own }: Given,
  { addresses, tags, owners }: { addresses: Placed[]; tags: Tags; owners: Owners },
) {
  const now = clock.now()
  // Whoever names a card by its id knows it, and replaces what stands there.
  const mode = externalId !== undefined && card.externalId === externalId ? 'update' : 'complete'
  const edit = editOf(card, { name, company, city, jobTitle, externalId }, own, mode)
  const fresh = await addAddresses(db, card, addresses, owners)
  const isMoved = mode === 'update' && (await putFirst(db, card.id, addresses))
  if (isMoved) await readdressLetters(db, card.id, now)
  const tagged = await addTags(db, card.id, tags, now)
  if (!edit && fresh.length === 0 && !isMoved && tagged.length === 0)
    return { row: card, created: false }
  const added = {
    ...givenOf(isMoved ? addresses : fresh),
    ...(tagged.length > 0 && { tags: tagged }),
  }
  const none = Object.fromEntries(
    Object.entries(added).map(([member, value]) => [member, Array.isArray(value) ? [] : '']),
  )
  changed(card.id, { ...none, ...edit?.before }, { ...added, ...edit?.after }, 'person.edited')
  return { row: await updatePerson(db, card.id, edit?.wanted ?? {}, now), created: false }
}
