import { z } from 'zod'
import { lockPerson, updatePerson } from '../../db/people.ts'
import { insertPersonTag, type PersonTag, removePersonTag } from '../../db/person-tags.ts'
import { findProductIds } from '../../db/products.ts'
import { parseWith } from '../body.ts'
import { found, invalid } from '../errors.ts'
import { PersonShape, ReducedPerson, Side, SideGiven } from '../people-shape.ts'
import { type ChangeContext, change } from '../route.ts'
import { IdParams, optional, text } from '../shapes.ts'
import { shownPerson } from './people.ts'

const Tag = z.strictObject({ label: text(255), side: SideGiven })
const ReducedTag = z.strictObject({ label: text(255), side: Side })

// The interface leaves how a pair is named on DELETE open: in the query, or in a body like the one that added it.
const Named = z.strictObject({ label: text(255).optional(), side: z.string().max(20).optional() })
const NamedInBody = z.strictObject({
  label: optional(text(255)),
  side: optional(z.string().max(20)),
})

export const routes = [
  change({
    method: 'POST',
    path: '/people/{id}/tags',
    summary: 'Tag a person with a product and a side; a removed tag is revived',
    scopes: ['inbox:write'],
    reduced: { body: ReducedTag, response: ReducedPerson },
    action: 'person.tagged',
    params: IdParams,
    body: Tag,
    response: PersonShape,
    handler: ({ params, body }, context) => move(params.id, body, insertPersonTag, context),
  }),
  change({
    method: 'DELETE',
    path: '/people/{id}/tags',
    summary: 'Remove a tag, which stays on record as removed',
    scopes: ['inbox:write'],
    reduced: { response: ReducedPerson },
    action: 'person.untagged',
    params: IdParams,
    query: Named,
    body: NamedInBody,
    response: PersonShape,
    check: ({ query, body }, { variant }) => {
      parseWith(variant === 'reduced' ? ReducedTag : Tag, pairOf(query, body), 'body')
    },
    handler: ({ params, query, body }, context) =>
      move(params.id, Tag.parse(pairOf(query, body)), removePersonTag, context),
  }),
]

type Pair = { label?: string | undefined; side?: string | undefined }
const pairOf = (query: Pair, body: Pair) => ({
  label: body.label ?? query.label,
  side: body.side ?? query.side,
})

type Move = (db: ChangeContext['db'], tag: PersonTag, now: Date) => Promise<boolean>

async function move(
  id: string,
  pair: z.output<typeof Tag>,
  write: Move,
  { db, workspace, clock, changed }: ChangeContext,
) {
  const row = found(await lockPerson(db, workspace.id, id), 'person')
  const [label] = await findProductIds(db, workspace.id, [pair.label])
  if (!label) throw invalid('/label', 'unknown_id', 'There is no such product.')
  const tag = { label, side: pair.side }
  const now = clock.now()
  if (!(await write(db, { person: row.id, ...tag }, now))) return shownPerson(db, row, now)
  const [before, after] = write === insertPersonTag ? [null, tag] : [tag, null]
  changed(row.id, before, after)
  return shownPerson(db, await updatePerson(db, row.id, {}, now), now)
}
