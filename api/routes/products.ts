import { z } from 'zod'
import { changesLetters } from '../../db/campaign-words.ts'
import { findProduct, listProducts, lockProduct, updateProduct } from '../../db/products.ts'
import { editsLetters, lettersEdited } from '../campaign-words.ts'
import { changesOf } from '../changes.ts'
import { found } from '../errors.ts'
import { Condition, ConditionEdit } from '../pairs.ts'
import { change, read } from '../route.ts'
import { IdParams, next, optional, Paging, readCursor, Words } from '../shapes.ts'

// goal is read as text: the reduced deployment writes any into the same database.
const Product = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    side: z.string(),
    goal: z.string(),
    conditions: z.array(Condition),
    markets: z.array(z.string()),
  })
  .meta({ id: 'Product' })
const ReducedProduct = Product.omit({ markets: true })

const ProductEdit = z.strictObject({
  description: optional(Words),
  side: optional(z.enum(['sell', 'buy', 'both'])),
  goal: optional(z.enum(['demo', 'sale', 'partnership'])),
  conditions: optional(z.array(ConditionEdit).max(200)),
})
const ReducedProductEdit = ProductEdit.extend({ goal: optional(z.string().max(5000)) })

export const routes = [
  read({
    path: '/products',
    summary: 'All products',
    scopes: ['inbox:read'],
    reduced: { response: z.object({ products: z.array(ReducedProduct), next }) },
    query: Paging,
    response: z.object({ products: z.array(Product), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { products: (await listProducts(db, workspace.id)).map(shown), next: null }
    },
  }),
  read({
    path: '/products/{id}',
    summary: 'One product with its conditions and markets',
    scopes: ['inbox:read'],
    reduced: { response: ReducedProduct },
    params: IdParams,
    response: Product,
    handler: async ({ params }, { db, workspace }) =>
      shown(found(await findProduct(db, workspace.id, params.id), 'product')),
  }),
  change({
    method: 'PATCH',
    path: '/products/{id}',
    summary: "Change a product's description, side, goal or conditions",
    description: editsLetters,
    scopes: ['inbox:write'],
    reduced: { body: ReducedProductEdit, response: ReducedProduct },
    action: 'product.edited',
    params: IdParams,
    body: ProductEdit,
    response: Product,
    handler: async ({ params, body }, context) => {
      const { db, workspace, changed } = context
      const now = shown(found(await lockProduct(db, workspace.id, params.id), 'product'))
      const edit = changesOf(now, body)
      if (!edit) return now
      if (changesLetters('products', edit.before, edit.after))
        await lettersEdited(context, { table: 'products', id: now.id })
      await updateProduct(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      return { ...now, ...edit.after }
    },
  }),
]

type Row = NonNullable<Awaited<ReturnType<typeof findProduct>>>

const shown = (row: Row) => ({ ...row, conditions: z.array(Condition).parse(row.conditions) })
