import type { Db, Trx } from '../database.ts'
import type { Products } from './tables.ts'

const card = ['id', 'name', 'description', 'side', 'goal', 'conditions', 'markets'] as const

export const listProducts = (db: Db, workspace: string) =>
  db
    .selectFrom('products')
    .select(card)
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()

const one = (db: Db, workspace: string, id: string) =>
  db.selectFrom('products').select(card).where('workspace', '=', workspace).where('id', '=', id)

export const findProduct = (db: Db, workspace: string, id: string) =>
  one(db, workspace, id).executeTakeFirst()

export const lockProduct = (trx: Trx, workspace: string, id: string) =>
  one(trx, workspace, id).forNoKeyUpdate().executeTakeFirst()

export type ProductEdit = {
  description?: string
  side?: Products['side']
  goal?: string
  conditions?: Record<string, unknown>[]
}

export async function updateProduct(trx: Trx, id: string, { conditions, ...edit }: ProductEdit) {
  await trx
    .updateTable('products')
    .set({ ...edit, ...(conditions && { conditions: JSON.stringify(conditions) }) })
    .where('id', '=', id)
    .execute()
}

/** The product tags for these, each given as an id or an exact name; undefined if there is no such product. */
export async function findProductIds(db: Db, workspace: string, tags: string[]) {
  if (tags.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('workspace', '=', workspace)
    .where((eb) => eb.or([eb('id', 'in', tags), eb('name', 'in', tags)]))
    .orderBy('id')
    .execute()
  return tags.map(
    (tag) => (rows.find(({ id }) => id === tag) ?? rows.find(({ name }) => name === tag))?.id,
  )
}
