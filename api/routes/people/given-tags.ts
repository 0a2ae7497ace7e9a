import type { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import { insertPersonTag, type PersonTag } from '../../../db/people/tags.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { invalid } from '../../http/errors.ts'
import type { Tag } from './tags.ts'

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
