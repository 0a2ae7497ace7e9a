import { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import { lockAddresses } from '../../../db/people/cards.ts'
import { holdIn, holdPerson, releasePerson } from '../../../db/people/holds.ts'
import {
  findByExternalId,
  lockPerson,
  type PersonRow,
  updatePerson,
} from '../../../db/people/people.ts'
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
import { editOf } from './card-edit.ts'
import { inConflict } from './conflict.ts'

const ReducedEdit = z.strictObject({
  name: optional(Line).describe('The name; an empty text erases it.'),
  city: optional(Line).describe('The city; an empty text erases it.'),
  jobTitle: optional(Line).describe('The job title; an empty text erases it.'),
  company: optional(Line).describe('The company; an empty text erases it.'),
})
const Edit = ReducedEdit.extend({
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
      '`held` holds the letters of all campaigns to the person, `until` a given time or until `null` releases them. Messages and replies are sent all the same.',
    scopes: ['inbox:write'],
    reduced: { body: ReducedEdit, response: ReducedPerson },
    action: 'person.edited',
    params: IdParams,
    body: Edit,
    example: { city: 'Porto', jobTitle: 'Owner' },
    response: PersonShape,
    errors: ['time_in_past', 'conflict'],
    handler: async ({ params, body: { held, externalId, fields, ...body } }, context) => {
      const { db, workspace, clock, changed } = context
      // Ids of clients are locked like addresses: they too lead to one card.
      if (externalId)
        await lockAddresses(db, workspace.id, [{ kind: 'externalId', value: externalId }])
      const row = found(await lockPerson(db, workspace.id, params.id), 'person')
      const now = clock.now()
      const other = externalId && (await findByExternalId(db, workspace.id, externalId))
      if (other && other.id !== row.id)
        throw inConflict(row.id, [{ pointer: '/externalId', person: other.id }])
      const edit = editOf(row, { ...body, externalId }, fields, 'update')
      const hold = await changeHold(db, row, held, now)
      if (!edit && !hold) return presentPerson(db, row, now)
      changed(row.id, { ...edit?.before, ...hold?.before }, { ...edit?.after, ...hold?.after })
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
