import { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import { lockPerson, updatePerson } from '../../../db/people/people.ts'
import { insertPersonTag, type PersonTag, removePersonTag } from '../../../db/people/tags.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { parseWith } from '../../http/body.ts'
import { found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { PersonShape, presentPerson, ReducedPerson, Side, SideGiven } from '../../shapes/people.ts'
import { PersonParams } from '../../shapes/person-ids.ts'
import { iso, optional, text, withValues } from '../../shapes/shapes.ts'

const tagged = 'The product, by its id or exact name.'
const sided = "The person's side of the product."
const sides = { buyer: 'a client, who buys it', seller: 'a partner, who sells it' }

/** A tag as a caller gives it. */
export const Tag = z
  .strictObject({
    label: text(255).describe(tagged),
    side: SideGiven.describe(
      withValues(sided, {
        ...sides,
      }),
    ),
  })
  .meta({ id: 'NewTag' })
const ReducedTag = z
  .strictObject({
    label: text(255).describe(tagged),
    side: Side.describe(withValues(sided, sides)),
  })
  .meta({ id: 'NewTag' })

// The interface leaves open how DELETE names a pair: in the query, or in a body like the one that added it.
const Named = z.strictObject({
  label: text(255).optional().describe('The product of the tag, by its id or exact name.'),
  side: z.string().max(20).optional().describe('The side of the tag.'),
})
const NamedInBody = z
  .strictObject({
    label: optional(text(255)).describe('The product of the tag, if the address does not name it.'),
    side: optional(z.string().max(20)).describe(
      'The side of the tag, if the address does not name it.',
    ),
  })
  .meta({ id: 'TagRemoval' })

// The tags in the body of a new person.

type Given = z.output<typeof Tag>[] | undefined
export type Tags = Omit<PersonTag, 'person'>[]

/** The tags of a body, by the ids of their products. @throws ApiError 422 for a product that there is not. */
export async function tagsOf(db: Trx, workspace: string, tags: Given = []): Promise<Tags> {
  const labels = await findProductIds(
    db,
    workspace,
    tags.map(({ label }) => label),
  )
  return tags.map(({ side }, i) => {
    const label = labels[i]
    if (label) return { label, side }
    throw invalid(`/tags/${i}/label`, 'unknown_id', 'There is no such product.')
  })
}

/** Tags a person; answers the tags that are new. */
export async function addTags(db: Trx, person: string, tags: Tags, now: Date): Promise<Tags> {
  const added: Tags = []
  for (const tag of tags) if (await insertPersonTag(db, { person, ...tag }, now)) added.push(tag)
  return added
}

export const routes = [
  change({
    method: 'POST',
    path: '/people/{id}/tags',
    operationId: 'tagPerson',
    summary: 'Tag a person',
    description: 'Tags a person with a product and a side. A tag that was removed is restored.',
    scopes: ['inbox:write'],
    reduced: { body: ReducedTag, response: ReducedPerson },
    action: 'person.tagged',
    params: PersonParams,
    body: Tag,
    response: PersonShape,
    handler: ({ params, body }, context) => move(params.id, body, insertPersonTag, context),
  }),
  change({
    method: 'DELETE',
    path: '/people/{id}/tags',
    operationId: 'untagPerson',
    summary: 'Remove a tag from a person',
    description: 'The tag stays on record as removed. The address or the body names the tag.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedPerson },
    action: 'person.untagged',
    params: PersonParams,
    query: Named,
    body: NamedInBody,
    response: PersonShape,
    check: ({ query, body }, { deployment: { variant } }) => {
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
  if (!(await write(db, { person: row.id, ...tag }, now))) return presentPerson(db, row, now)
  // What was removed stays on record.
  if (write === insertPersonTag) changed(row.id, null, tag)
  else changed(row.id, tag, { ...tag, removedAt: iso(now) })
  return presentPerson(db, await updatePerson(db, row.id, {}, now), now)
}
