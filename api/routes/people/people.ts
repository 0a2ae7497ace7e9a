import { z } from 'zod'
import { splitLetters } from '../../../db/campaigns/split-letters.ts'
import type { Trx } from '../../../db/database.ts'
import { changesSince } from '../../../db/events/changes.ts'
import { lockAddresses } from '../../../db/people/cards.ts'
import { peopleHappened } from '../../../db/people/events.ts'
import { holdIn, holdPerson, releasePerson } from '../../../db/people/holds.ts'
import { listPeople } from '../../../db/people/list.ts'
import {
  findByExternalId,
  findPerson,
  findPersonOrMerged,
  lockPerson,
  type PersonRow,
  updatePerson,
} from '../../../db/people/people.ts'
import { listAddresses, shareSegments, splitCard } from '../../../db/people/split.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { type Address, type AddressKind, keyOf, readAddress } from '../../../rules/addresses.ts'
import { fieldNameForm, fieldNamePattern, longestFieldValue } from '../../../rules/own-fields.ts'
import { ApiError, found, type Problem } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  ExternalId,
  FieldsGiven,
  PersonShape,
  presentPeople,
  presentPerson,
  ReducedPerson,
  Side,
  SideGiven,
} from '../../shapes/people.ts'
import { PersonParams } from '../../shapes/person-ids.ts'
import {
  dueOf,
  iso,
  Line,
  next,
  optional,
  Paging,
  page,
  readCursor,
  Timestamp,
  UpdatedSince,
  updatedSinceDescription,
  withValues,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import {
  changeAddresses,
  editOf,
  findStrangers,
  inConflict,
  lockNamed,
  refuseErasedIn,
  wording,
} from './card-edit.ts'

// People: listed, read, edited and split; create.ts makes them. One file, because all of it is about the card as it stands.

const byName = 'The people in order of name, those without a name first.'
const sideMeans = 'Only people with a tag on this side; can be combined with `label`.'

const ReducedFilters = Paging.extend({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Only people for whom this text is part of their name, company, job title, city or one of their addresses, ignoring case.',
    ),
  label: z
    .string()
    .max(255)
    .optional()
    .describe('Only people who are currently tagged with this product, by its id or exact name.'),
  side: Side.optional().describe(
    withValues(sideMeans, {
      buyer: 'those who buy',
      seller: 'those who sell',
    }),
  ),
})
const mostFieldFilters = 10
const fieldPrefix = 'field.'
// Nobody has a field whose name is described but not allowed.
const described = new RegExp(fieldNamePattern(fieldPrefix), 'u')
const FieldQuery = z
  .string()
  .refine((name) => described.test(name), {
    message: `must be ${fieldPrefix}NAME with a name of ${fieldNameForm}`,
  })
  .meta({ pattern: fieldNamePattern(fieldPrefix) })

/** Only people with an address, in the form in which addresses are compared. */
const addressFilter = (kind: AddressKind) =>
  z
    .string()
    .max(500)
    .transform((text, context): Address => {
      const address = readAddress(kind, text)
      if (address) return address
      context.addIssue({ code: 'custom', message: `must be ${wording[kind]}` })
      return z.NEVER
    })
    .optional()
const addressFilters = {
  email: addressFilter('email').describe(
    'Only people with this e-mail address, whatever its spelling.',
  ),
  phone: addressFilter('phone').describe(
    'Only people with this phone number, whatever its spelling.',
  ),
  linkedin: addressFilter('linkedin').describe(
    'Only people with this profile in a professional network, whatever its spelling.',
  ),
}
const Filters = ReducedFilters.extend({
  side: SideGiven.optional().describe(
    withValues(sideMeans, {
      buyer: 'those who buy',
      seller: 'those who sell',
    }),
  ),
  externalId: z.string().max(255).optional().describe('Only the person with this id of your own.'),
  ...addressFilters,
  field: z
    .record(FieldQuery, z.string().max(longestFieldValue))
    .refine((given) => Object.keys(given).length <= mostFieldFilters, {
      message: `must have at most ${mostFieldFilters} fields`,
      params: { code: 'too_big' },
    })
    .optional()
    .describe(
      'Only people with this value in a field of your own: `field.NAME=VALUE` or `field[NAME]=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined.',
    ),
  updatedSince: UpdatedSince.optional(),
})

// The edit of a card, and its split in two.

const mostAddresses = 100
const addressesOf = (kind: AddressKind) =>
  optional(
    z
      .array(
        z
          .string()
          .max(500)
          .transform((text, context): Address => {
            const address = readAddress(kind, text)
            if (address) return address
            context.addIssue({ code: 'custom', message: `must be ${wording[kind]}` })
            return z.NEVER
          }),
      )
      .max(mostAddresses),
  )

const ReducedEdit = z
  .strictObject({
    name: optional(Line).describe('The name; an empty text erases it.'),
    city: optional(Line).describe('The city; an empty text erases it.'),
    jobTitle: optional(Line).describe('The job title; an empty text erases it.'),
    company: optional(Line).describe('The company; an empty text erases it.'),
  })
  .meta({ id: 'PersonUpdate' })
const Edit = ReducedEdit.extend({
  emails: addressesOf('email').describe(
    'All e-mail addresses, in order: letters go to the first one. Those left out are removed.',
  ),
  phones: addressesOf('phone').describe('All phone numbers, in order. Those left out are removed.'),
  externalId: ExternalId.nullish().describe(
    'The id that your own system gives them, unique in the workspace; null removes it.',
  ),
  fields: optional(FieldsGiven).describe(
    'Fields of your own, added to those that are there; null removes one. A person has at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`.',
  ),
  // Null releases; without an end, the hold lasts until it is released.
  held: z
    .strictObject({
      until: optional(Timestamp).describe(
        'When the hold ends; by default it lasts until it is released.',
      ),
      why: optional(z.string().max(500)).describe('Why, for the team to read.'),
    })
    .meta({ id: 'NewHold' })
    .nullish()
    .describe('Holds the letters of all campaigns to this person; null releases them.'),
}).meta({ id: 'PersonUpdate' })

const Addresses = optional(z.array(z.string().max(500)).max(100))
const Split = z
  .strictObject({
    emails: Addresses.describe('E-mail addresses of the card that belong to somebody else.'),
    phones: Addresses.describe('Phone numbers of the card that belong to somebody else.'),
  })
  .refine(({ emails = [], phones = [] }) => emails.length + phones.length > 0, {
    message: 'give at least one of emails and phones',
  })
  .meta({ id: 'PersonSplit' })

const members = { emails: 'email', phones: 'phone' } as const
type Member = keyof typeof members

export const routes = [
  read({
    path: '/people',
    operationId: 'listPeople',
    summary: 'List people',
    description: `In order of name, those without a name first. ${updatedSinceDescription}`,
    scopes: ['inbox:read'],
    reduced: {
      query: ReducedFilters,
      response: z
        .object({ people: z.array(ReducedPerson).describe(byName), next })
        .meta({ id: 'PersonList' }),
    },
    query: Filters,
    response: z
      .object({ people: z.array(PersonShape).describe(byName), next })
      .meta({ id: 'PersonList' }),
    handler: async ({ query }, { db, workspace, clock }) => {
      const { q, side, updatedSince, externalId, email, phone, linkedin, field = {} } = query
      const after = readCursor(query.cursor, updatedSince ? 'time' : 'text', 'text')
      const changes = updatedSince && (await changesSince(db, clock, workspace.id, updatedSince))
      // No person can have a tag of an unknown product, so the filter matches nobody, as for a product without tags.
      const label =
        query.label && ((await findProductIds(db, workspace.id, [query.label]))[0] ?? query.label)
      const rows = await listPeople(
        db,
        workspace.id,
        {
          ...(q && { q }),
          ...(label && { label }),
          ...(side && { side }),
          ...(externalId !== undefined && { externalId }),
          addresses: [email, phone, linkedin].filter((address) => address !== undefined),
          fields: Object.entries(field).map(([name, value]) => [
            name.slice(fieldPrefix.length),
            value,
          ]),
          ...(changes && { changes }),
        },
        after,
        query.limit + 1,
      )
      const { items, next } = page(rows, query.limit, (row) => [
        changes ? iso(row.updatedAt) : row.sortName,
        row.id,
      ])
      return { people: await presentPeople(db, items, clock.now()), next }
    },
  }),
  read({
    path: '/people/{id}',
    operationId: 'getPerson',
    summary: 'Read a person',
    description:
      'Wherever the id of a person is taken, in paths, queries and bodies, `ext:` and their `externalId` is taken too: `/people/ext:crm-4711`. The id of a card that has become part of another one answers that one.',
    scopes: ['inbox:read'],
    reduced: { response: ReducedPerson },
    params: PersonParams,
    response: PersonShape,
    handler: async ({ params }, { db, workspace, clock }) => {
      const { row, isMerged } = found(
        await findPersonOrMerged(db, workspace.id, params.id),
        'person',
      )
      const person = await presentPerson(db, row, clock.now())
      return { ...person, ...(isMerged && { mergedInto: row.id }) }
    },
  }),

  change({
    method: 'PATCH',
    path: '/people/{id}',
    operationId: 'updatePerson',
    summary: 'Edit a person',
    description:
      '`emails` and `phones` replace what the card has; opt-outs stay with the person. `held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same.',
    scopes: ['inbox:write'],
    reduced: { body: ReducedEdit, response: ReducedPerson },
    action: 'person.edited',
    params: PersonParams,
    body: Edit,
    example: { city: 'Porto', jobTitle: 'Owner' },
    response: PersonShape,
    errors: ['time_in_past', 'conflict', 'erased'],
    handler: async ({ params, body }, context) => {
      const { held, externalId, fields, emails, phones, ...plain } = body
      const { db, workspace, clock, changed } = context
      const addresses = { emails, phones }
      await lockNamed(db, workspace.id, params.id, { externalId, ...addresses })
      const row = found(await lockPerson(db, workspace.id, params.id), 'person')
      const now = clock.now()
      const other = externalId && (await findByExternalId(db, workspace.id, externalId))
      const strangers = await findStrangers(db, row, addresses)
      if (other && other.id !== row.id) strangers.push({ pointer: '/externalId', person: other.id })
      if (strangers.length > 0) throw inConflict(row.id, strangers)
      await refuseErasedIn(context, row, addresses)
      const edit = editOf(row, { ...plain, externalId }, fields, 'update')
      const hold = await changeHold(db, row, held, now)
      const moved = await changeAddresses(db, row, addresses, now)
      if (!edit && !hold && !moved) return presentPerson(db, row, now)
      changed(
        row.id,
        { ...edit?.before, ...hold?.before, ...moved?.before },
        { ...edit?.after, ...hold?.after, ...moved?.after },
      )
      return presentPerson(db, await updatePerson(db, row.id, edit?.wanted ?? {}, now), now)
    },
  }),

  change({
    method: 'POST',
    path: '/people/{id}/split',
    operationId: 'splitPerson',
    summary: 'Split a card in two',
    description:
      'For two people who have become one card: moves the given addresses to a new card, and answers that card. Conversations that were held only with these addresses move too, and so do campaigns whose letters went to them; everything else stays.',
    scopes: ['inbox:write'],
    action: 'person.split',
    params: PersonParams,
    body: Split,
    example: { emails: ['ana@example.test'] },
    response: PersonShape,
    async handler({ params, body }, { db, workspace, clock, operation, client, changed }) {
      const known = found(await findPerson(db, workspace.id, params.id), 'person')
      await shareSegments(db, known.id)
      await lockAddresses(db, workspace.id, await listAddresses(db, known.id))
      const card = found(await lockPerson(db, workspace.id, known.id), 'person')
      const moved = chosen(await listAddresses(db, card.id), body)
      const now = clock.now()
      const made = await splitCard(db, card, moved, now)
      await splitLetters(db, card.id, made.id, moved)
      const of = (kind: string) =>
        moved.flatMap((address) => (address.kind === kind ? [address.given] : []))
      const addresses = { emails: of('email'), phones: of('phone') }
      changed(card.id, addresses, { person: made.id, ...addresses })
      const event = { workspace: workspace.id, kind: 'person.created' as const, at: now }
      const given = [...(made.name ? ['name'] : []), ...new Set(moved.map(({ kind }) => kind))]
      const by = { client, key: operation.key }
      await peopleHappened(db, { ...event, operation: operation.id, by }, [
        { id: made.id, members: given },
      ])
      return presentPerson(db, made, now)
    },
  }),
]

/** Holds or releases a person's letters; undefined if that changes nothing. */
async function changeHold(
  trx: Trx,
  row: PersonRow,
  held: z.output<typeof Edit>['held'],
  now: Date,
) {
  if (held === undefined) return undefined
  const known = holdIn(row, now)
  const wanted = held && {
    until: dueOf(held.until ?? undefined, now, '/held/until'),
    why: held.why ?? '',
  }
  const edit = changesOf<{ held: typeof wanted | undefined }>(
    { held: known ?? null },
    { held: wanted },
  )
  if (!edit) return undefined
  if (wanted) await holdPerson(trx, row.id, wanted, now)
  else await releasePerson(trx, row.id)
  return edit
}

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
