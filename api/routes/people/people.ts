import { z } from 'zod'
import { changesSince } from '../../../db/events/changes.ts'
import { listPeople } from '../../../db/people/list.ts'
import { findPerson } from '../../../db/people/people.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { fieldNameForm, fieldNamePattern, longestFieldValue } from '../../../rules/own-fields.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import {
  PersonShape,
  presentPeople,
  presentPerson,
  ReducedPerson,
  Side,
  SideGiven,
} from '../../shapes/people.ts'
import {
  IdParams,
  iso,
  next,
  Paging,
  page,
  readCursor,
  UpdatedSince,
  updatedSinceDescription,
  withValues,
} from '../../shapes/shapes.ts'

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
const Filters = ReducedFilters.extend({
  side: SideGiven.optional().describe(
    withValues(sideMeans, {
      buyer: 'those who buy',
      seller: 'those who sell',
      client: 'the same as `buyer`',
      partner: 'the same as `seller`',
    }),
  ),
  externalId: z.string().max(255).optional().describe('Only the person with this id of your own.'),
  field: z
    .record(FieldQuery, z.string().max(longestFieldValue))
    .refine((given) => Object.keys(given).length <= mostFieldFilters, {
      message: `must have at most ${mostFieldFilters} fields`,
      params: { code: 'too_big' },
    })
    .optional()
    .describe(
      'Only people with this value in a field of your own: `field.NAME=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined.',
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
      const { q, side, updatedSince, externalId, field = {} } = query
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
]
