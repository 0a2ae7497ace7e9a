import { z } from 'zod'
import { readdressLetters } from '../../../db/campaigns/readdress.ts'
import {
  addAddresses,
  type FoundCards,
  givenOf,
  insertCard,
  lockCards,
  putFirst,
} from '../../../db/people/cards.ts'
import { findErased } from '../../../db/people/erased.ts'
import { keepKnown, type PersonRow, updatePerson } from '../../../db/people/people.ts'
import { nameBeside } from '../../../rules/address-cleaning.ts'
import { type Address, type AddressKind, leftOut, readAddress } from '../../../rules/addresses.ts'
import { mergeFields } from '../../../rules/own-fields.ts'
import type { ImportMode } from '../../../rules/people/import-batch.ts'
import {
  addAddresses as addKnown,
  hasAnotherId,
  type Lead,
  type Owners,
  whichCard,
} from '../../../rules/people/which-card.ts'
import { cut } from '../../../rules/text.ts'
import { ApiError, invalid, type Problem } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { ExternalId, FieldsGiven, PersonShape, presentPerson } from '../../shapes/people.ts'
import { PersonId } from '../../shapes/person-ids.ts'
import { Line, optional } from '../../shapes/shapes.ts'
import { editOf, inConflict, once, refuseErased, wording } from './card-edit.ts'
import { addTags, Tag, type Tags, tagsOf } from './tags.ts'

// Creating a person: the addresses in the body, the body, and the card that the person turns out to be. One file, because a
// refusal names the place in the body of each address that leads to somebody else.

/** An address as it was read, and the text that it was read from. */
type AddressGiven = { text: string; address: Address }
/** An address, and where it stands in the body. */
type Placed = Address & { pointer: string }

const mostOfAKind = 100
const longest = 500
const longestName = 200

function given(kind: AddressKind, text: string, context: z.RefinementCtx): AddressGiven {
  const address = readAddress(kind, text)
  if (address) return { text, address }
  context.addIssue({ code: 'custom', message: `must be ${wording[kind]}` })
  return z.NEVER
}

// The interface leaves open what an empty text in email, phone or linkedin means: no address, as with a form field
// left blank.
const contact = (kind: AddressKind) =>
  optional(z.string().max(longest)).transform((text, context) =>
    text === undefined || text.trim() === '' ? undefined : given(kind, text, context),
  )

/** All addresses of a kind, the first one first. */
const contacts = (kind: AddressKind) =>
  optional(
    z
      .array(
        z
          .string()
          .max(longest)
          .transform((text, context) => given(kind, text, context)),
      )
      .max(mostOfAKind),
  )

const members = ['email', 'emails', 'phone', 'phones', 'linkedin'] as const
type Body = { [Member in (typeof members)[number]]?: AddressGiven | AddressGiven[] | undefined }

const placesOf = (body: Body) =>
  members.flatMap((member) => {
    const value = body[member] ?? []
    return Array.isArray(value)
      ? value.map((one, i) => ({ ...one, pointer: `/${member}/${i}` }))
      : [{ ...value, pointer: `/${member}` }]
  })

/** The addresses of a body, each once: that of `email` before those of `emails`. */
export const addressesIn = (body: Body): Placed[] =>
  once(placesOf(body).map(({ address, pointer }) => ({ ...address, pointer })))

/** What was left out of the texts of a body to read the addresses. */
const cleanedIn = (body: Body) =>
  placesOf(body).flatMap(({ pointer, text, address }) => {
    const what = leftOut(address.kind, text)
    return what === undefined ? [] : [{ pointer, given: text, read: address.given, leftOut: what }]
  })

/** The name that stands before an e-mail address of a body, as in `Nadia Roth <nadia@roth.example>`; empty if there is none. */
const nameIn = (body: Body): string =>
  placesOf(body)
    .map(({ text, address }) =>
      address.kind === 'email' ? cut(nameBeside(text), longestName) : '',
    )
    .find((name) => name !== '') ?? ''

const mostTags = 100
export const NewPerson = z
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
    into: optional(PersonId).describe(
      'The id of a person to add these addresses to, instead of creating one.',
    ),
  })
  .refine((body) => body.externalId ?? addressesIn(body)[0], {
    message: 'give at least one of email, emails, phone, phones, linkedin and externalId',
  })
  .meta({ id: 'NewPerson' })
export type Given = z.output<typeof NewPerson>

export const routes = [
  change({
    method: 'POST',
    path: '/people',
    operationId: 'createPerson',
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
          z
            .object({
              pointer: z.string().describe('Where the address stands in the call.'),
              given: z.string().describe('The text that was given.'),
              read: z.string().describe('The address that was read.'),
              leftOut: z.string().describe('What is no part of the address, in words.'),
            })
            .meta({ id: 'CleanedAddress' }),
        )
        .optional()
        .describe(
          'The addresses that were not read as they were given; absent if all of them were, so that the answer is the person that is read.',
        ),
    }).meta({ id: 'CreatedPerson' }),
    errors: ['conflict', 'erased'],
    async handler({ body }, context) {
      const { db, workspace, clock, secretKey, changed } = context
      const { externalId, into } = body
      const addresses = addressesIn(body)
      const known = await lockCards(db, workspace.id, addresses, {
        ...(externalId !== undefined && { externalIds: [externalId] }),
        ...(into !== undefined && { people: [into] }),
      })
      refuseErased(await findErased(db, secretKey, workspace.id, addresses), addresses)
      // Whoever names a card by its id knows it, and replaces what stands there.
      const knows = externalId !== undefined && known.ids.has(externalId)
      const written = await writePerson(context, body, known, knows ? 'update' : 'complete')
      const { row, created, change } = written
      if (change)
        changed(row.id, change.before, change.after, created ? 'person.created' : 'person.edited')
      const person = await presentPerson(db, row, clock.now())
      const cleaned = cleanedIn(body)
      return { ...person, created, ...(cleaned.length > 0 && { cleaned }) }
    },
  }),
]

type Writing = Pick<ChangeContext, 'db' | 'workspace' | 'clock'>

/** The card of a person, whether it is new, and the members that it was given or that changed; no `change` if none did. */
type Written = {
  row: PersonRow
  created: boolean
  change?: { before: object | null; after: object }
}

/**
 * Makes the card of a person, or completes the one that they have. `known` is locked, and knows of what was written afterwards.
 * @throws ApiError before anything is written.
 */
export async function writePerson(
  context: Writing,
  body: Given,
  known: FoundCards,
  mode: ImportMode,
): Promise<Written> {
  const addresses = addressesIn(body)
  const card = cardFor(body, addresses, known)
  const tags = await tagsOf(context.db, context.workspace.id, body.tags)
  const written =
    card === undefined
      ? await make(context, body, addresses, tags)
      : await complete(context, card, body, { addresses, tags, owners: known.owners, mode })
  const { row } = written
  known.cards.set(row.id, row)
  if (row.externalId !== null) known.ids.set(row.externalId, row.id)
  addKnown(known, row.id, addresses)
  return written
}

async function make(
  { db, workspace, clock }: Writing,
  body: Given,
  addresses: Placed[],
  tags: Tags,
): Promise<Written> {
  const { company = '', city = '', jobTitle = '', externalId, fields: own } = body
  const name = body.name ?? nameIn(body)
  const now = clock.now()
  const fields = {
    name,
    company,
    city,
    jobTitle,
    ...(externalId !== undefined && { externalId }),
    ...(own && { fields: mergeFields({}, own, 'update') }),
  }
  const { id, row, added } = await insertCard(db, workspace.id, { fields, addresses }, now)
  const tagged = await addTags(db, id, tags, now)
  const after = { ...added, ...(tagged.length > 0 && { tags: tagged }) }
  return { row, created: true, change: { before: null, after } }
}

async function complete(
  { db, clock }: Writing,
  card: PersonRow,
  { name, company, city, jobTitle, externalId, fields: own }: Given,
  {
    addresses,
    tags,
    owners,
    mode,
  }: { addresses: Placed[]; tags: Tags; owners: Owners; mode: ImportMode },
): Promise<Written> {
  const now = clock.now()
  const edit = editOf(card, { name, company, city, jobTitle, externalId }, own, mode)
  const fresh = await addAddresses(db, card, addresses, owners)
  const isMoved = mode === 'update' && (await putFirst(db, card.id, addresses))
  if (isMoved) await readdressLetters(db, card.id, now)
  const tagged = await addTags(db, card.id, tags, now)
  if (!edit && fresh.length === 0 && !isMoved && tagged.length === 0) {
    if (card.fromMail) await keepKnown(db, card.workspace, [card.id])
    return { row: { ...card, fromMail: false }, created: false }
  }
  const added = {
    ...givenOf(isMoved ? addresses : fresh),
    ...(tagged.length > 0 && { tags: tagged }),
  }
  const none = Object.fromEntries(
    Object.entries(added).map(([member, value]) => [member, Array.isArray(value) ? [] : '']),
  )
  const row = await updatePerson(db, card.id, edit?.wanted ?? {}, now)
  const change = { before: { ...none, ...edit?.before }, after: { ...added, ...edit?.after } }
  return { row, created: false, change }
}

/**
 * The card that a person turns out to be: `into`, otherwise the one with the external id, otherwise the one that the addresses
 * lead to, otherwise none. A shared phone number leads to nobody.
 * @throws ApiError 422 naming each member whose address belongs to another card; 409 if the external id is that of one.
 */
function cardFor(
  { into, externalId }: Pick<Given, 'into' | 'externalId'>,
  addresses: Placed[],
  known: FoundCards,
): PersonRow | undefined {
  const identified = externalId === undefined ? undefined : known.ids.get(externalId)
  const named = into ?? identified
  const row = named === undefined ? undefined : known.cards.get(named)
  if (into !== undefined && !row) throw invalid('/into', 'unknown_id', 'There is no such person.')
  if (row && identified !== undefined && identified !== row.id)
    throw inConflict(row.id, [{ pointer: '/externalId', person: identified }])
  const led = whichCard({ addresses, named: row && { card: row.id, mayShare: true } }, known)
  if (led.strangers.length > 0) {
    if (!row || identified === undefined) throw notOne(led, into !== undefined)
    throw inConflict(row.id, led.strangers.map(belonging))
  }
  const card = row ?? (led.card === undefined ? undefined : known.cards.get(led.card))
  if (card && hasAnotherId(card, externalId)) throw hasAnother(card)
  return card
}

const belonging = ({ address, person }: Lead<Placed>) => ({ pointer: address.pointer, person })

/** A 422 that names the members. Without `into` neither card is the right one: both members are named. */
function notOne({ leads, strangers }: ReturnType<typeof whichCard<Placed>>, into: boolean) {
  const pointers = [...new Set((into ? strangers : leads).map(({ address }) => address.pointer))]
  const errors: Problem[] = pointers.map((pointer) => ({
    pointer,
    code: into ? 'belongs_to_another' : 'matches_two',
    message: into
      ? 'belongs to another person'
      : 'leads to a different person from the other addresses',
  }))
  if (pointers.length === 1 && !into) errors[0]!.message = 'leads to several people who share it'
  return new ApiError('validation_failed', `${pointers[0]}: ${errors[0]!.message}`, { errors })
}

const hasAnother = ({ id, externalId }: PersonRow) =>
  new ApiError('conflict', `/externalId: ${id}, to whom the rest leads, has another one.`, {
    errors: [
      {
        pointer: '/externalId',
        code: 'has_another',
        message: `is not that of ${id}, which is ${externalId}`,
      },
    ],
    members: { people: [id] },
  })
