import type { Side } from '../../rules/sides.ts'
import type { Trx } from '../database.ts'

export type PersonTag = { person: string; label: string; side: Side }

/** Tags a person, or restores a tag that was removed. False if the tag is active already. */
export async function insertPersonTag(trx: Trx, tag: PersonTag, now: Date): Promise<boolean> {
  const row = await trx
    .insertInto('personTags')
    .values({ ...tag, addedAt: now })
    .onConflict((oc) =>
      oc
        .columns(['person', 'label', 'side'])
        .doUpdateSet({ addedAt: now, removedAt: null })
        .where('personTags.removedAt', 'is not', null),
    )
    .returning('person')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks an active tag as removed. False if there is none. */
export async function removePersonTag(trx: Trx, tag: PersonTag, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('personTags')
    .set({ removedAt: now })
    .where('person', '=', tag.person)
    .where('label', '=', tag.label)
    .where('side', '=', tag.side)
    .where('removedAt', 'is', null)
    .returning('person')
    .executeTakeFirst()
  return row !== undefined
}
