import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import {
  findPerson,
  listPeople,
  lockPerson,
  type PersonRow,
  presentPeople,
  updatePerson,
} from '../../db/people.ts'
import { findProductIds } from '../../db/products.ts'
import { changesOf } from '../changes.ts'
import { found } from '../errors.ts'
import { PersonShape, Side, SideGiven } from '../people-shape.ts'
import { change, read } from '../route.ts'
import { IdParams, next, optional, Paging, page, readCursor } from '../shapes.ts'

export const shownPerson = async (db: Db, row: PersonRow) => (await presentPeople(db, [row]))[0]!

const Edit = z.strictObject({
  name: optional(z.string().max(200)),
  city: optional(z.string().max(200)),
  jobTitle: optional(z.string().max(200)),
  company: optional(z.string().max(200)),
})

const Filters = Paging.extend({
  q: z.string().max(200).optional(),
  label: z.string().max(255).optional(),
  side: SideGiven.optional(),
})

export const routes = [
  read({
    path: '/people',
    summary: 'People by name, the nameless first',
    scopes: ['inbox:read'],
    reduced: { query: Filters.extend({ side: Side.optional() }) },
    query: Filters,
    response: z.object({ people: z.array(PersonShape), next }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'text', 'text')
      const { q, side } = query
      // A product nobody can be tagged with: the filter matches nobody, as it does for one that nobody is tagged with.
      const label =
        query.label && ((await findProductIds(db, workspace.id, [query.label]))[0] ?? query.label)
      const rows = await listPeople(
        db,
        workspace.id,
        { ...(q && { q }), ...(label && { label }), ...(side && { side }) },
        after,
        query.limit + 1,
      )
      const { items, next } = page(rows, query.limit, (row) => [row.sortName, row.id])
      return { people: await presentPeople(db, items), next }
    },
  }),
  read({
    path: '/people/{id}',
    summary: 'One person',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: PersonShape,
    handler: async ({ params }, { db, workspace }) =>
      shownPerson(db, found(await findPerson(db, workspace.id, params.id), 'person')),
  }),
  change({
    method: 'PATCH',
    path: '/people/{id}',
    summary: "Change a person's name, city, job title or company; an empty text erases",
    scopes: ['inbox:write'],
    reduced: true,
    action: 'person.edited',
    params: IdParams,
    body: Edit,
    example: { city: 'Porto', jobTitle: 'Owner' },
    response: PersonShape,
    handler: async ({ params, body }, { db, workspace, clock, changed }) => {
      const row = found(await lockPerson(db, workspace.id, params.id), 'person')
      const edit = changesOf<z.output<typeof Edit>>(row, body)
      if (!edit) return shownPerson(db, row)
      changed(row.id, edit.before, edit.after)
      return shownPerson(db, await updatePerson(db, row.id, edit.after, clock.now()))
    },
  }),
]
