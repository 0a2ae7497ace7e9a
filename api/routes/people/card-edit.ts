import type { PersonRow } from '../../../db/people/people.ts'
import { changedFields, type GivenFields, mergeFields } from '../../../rules/own-fields.ts'
import type { CardFields } from '../../../rules/people/import-batch.ts'
import { checkedFields } from '../../shapes/people.ts'
import { changesOf } from '../changes.ts'

type Plain = Omit<CardFields, 'fields'>
type Given = { [K in keyof Plain]?: Plain[K] | undefined }

/**
 * What given members change in a card: `wanted` is what it is to hold, `before` and `after` are for the audit log, with only
 * those of the own fields that differ. With `complete`, they fill only what is empty. Undefined if nothing changes.
 * @throws ApiError 422 if the own fields would be too many.
 */
export function editOf(
  card: PersonRow,
  given: Given,
  fields: GivenFields | undefined,
  mode: 'complete' | 'update',
) {
  const usable = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (mode === 'update' || isEmpty(card, name, value)),
  )
  const plain = changesOf<Plain>(card, Object.fromEntries(usable))
  const merged = fields && checkedFields(mergeFields(card.fields, fields, mode))
  const own = merged && changedFields(card.fields, merged)
  if (!plain && !own) return undefined
  return {
    wanted: { ...plain?.after, ...(own && { fields: merged }) },
    before: { ...plain?.before, ...(own && { fields: own.before }) },
    after: { ...plain?.after, ...(own && { fields: own.after }) },
  }
}

const isEmpty = (card: PersonRow, name: string, value: unknown) =>
  Boolean(value) && !card[name as keyof Plain]
