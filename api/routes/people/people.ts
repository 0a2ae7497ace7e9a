import { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import { changesSince } from '../../../db/events/changes.ts'
import { holdIn, holdPerson, releasePerson } from '../../../db/people/holds.ts'
import { listPeople } from '../../../db/people/list.ts'
import { findPerson, lockPerson, type PersonRow, updatePerson } from '../../../db/people/people.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  PersonShape,
  presentPeople,
  presentPerson,
  ReducedPerson,
  Side,
  SideGiven,
} from '../../shapes/people.ts'
import {
  dueOf,
  IdParams,
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

const ReducedEdit = z.strictObject({
  name: optional(Line).describe('The name; an empty text erases it.'),
  city: optional(Line).describe('The city; an empty text erases it.'),
  jobTitle: optional(Line).describe('The job title; an empty text erases it.'),
  company: optional(Line).describe('The company; an empty text erases it.'),
})
// Null releases; without an end, the hold lasts until it is released.
const Edit = ReducedEdit.extend({
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
const Filters = ReducedFilters.extend({
  side: SideGiven.optional().describe(
    withValues(sideMeans, {
      buyer: 'those who buy',
      seller: 'those who sell',
      client: 'the same as `buyer`',
      partner: 'the same as `seller`',
    }),
  ),
  updatedSince: UpdatedSince.optional(),
})

export const routes = [
  read({
    path: '/people',
    summary: 'List people',
    description: `In order of name, those without a name first. ${updatedSinceDescription}`,
    scopes: ['inbox:read'],
    reduced: {
      query: ReducedFilters,
      response: z.object({ people: z.array(ReducedPerson).describe(byName), next }),
    },
    query: Filters,
    response: z.object({ people: z.array(PersonShape).describe(byName), next }),
    handler: async ({ query }, { db, workspace, clock }) => {
      const { q, side, updatedSince } = query
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
    summary: 'Read a person',
    scopes: ['inbox:read'],
    reduced: { response: ReducedPerson },
    params: IdParams,
    response: PersonShape,
    handler: async ({ params }, { db, workspace, clock }) =>
      presentPerson(
        db,
        found(await findPerson(db, workspace.id, params.id), 'person'),
        clock.now(),
      ),
  }),
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
    errors: ['time_in_past'],
    handler: async ({ params, body: { held, ...body } }, { db, workspace, clock, changed }) => {
      const row = found(await lockPerson(db, workspace.id, params.id), 'person')
      const now = clock.now()
      const edit = changesOf<z.output<typeof ReducedEdit>>(row, body)
      const hold = await changeHold(db, row, held, now)
      if (!edit && !hold) return presentPerson(db, row, now)
      changed(row.id, { ...edit?.before, ...hold?.before }, { ...edit?.after, ...hold?.after })
      return presentPerson(db, await updatePerson(db, row.id, edit?.after ?? {}, now), now)
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
