import { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import { holdIn, holdPerson, releasePerson } from '../../../db/people/holds.ts'
import {
  findByExternalId,
  lockPerson,
  type PersonRow,
  updatePerson,
} from '../../../db/people/people.ts'
import { type Address, type AddressKind, readAddress } from '../../../rules/addresses.ts'
import { found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import {
  ExternalId,
  FieldsGiven,
  PersonShape,
  presentPerson,
  ReducedPerson,
} from '../../shapes/people.ts'
import { dueOf, IdParams, Line, optional, Timestamp } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { changeAddresses, findStrangers, lockNamed, wording } from './card-addresses.ts'
import { editOf } from './card-edit.ts'
import { inConflict } from './conflict.ts'

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

const ReducedEdit = z.strictObject({
  name: optional(Line).describe('The name; an empty text erases it.'),
  city: optional(Line).describe('The city; an empty text erases it.'),
  jobTitle: optional(Line).describe('The job title; an empty text erases it.'),
  company: optional(Line).describe('The company; an empty text erases it.'),
})
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
    .nullish()
    .describe('Holds the letters of all campaigns to this person; null releases them.'),
})

export const routes = [
  change({
    method: 'PATCH',
    path: '/people/{id}',
    summary: 'Edit a person',
    description:
      '`emails` and `phones` replace what the card has; opt-outs stay with the person. `held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same.',
    scopes: ['inbox:write'],
    reduced: { body: ReducedEdit, response: ReducedPerson },
    action: 'person.edited',
    params: IdParams,
    body: Edit,
    example: { city: 'Porto', jobTitle: 'Owner' },
    response: PersonShape,
    errors: ['time_in_past', 'conflict'],
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
