import { z } from 'zod'
import { changesLetters } from '../../../db/campaigns/written-with.ts'
import {
  findProduct,
  listProducts,
  lockProduct,
  updateProduct,
} from '../../../db/workspace/products.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { Condition, ConditionEdit } from '../../shapes/facts-and-conditions.ts'
import {
  IdParams,
  NoNext,
  OwnId,
  optional,
  readCursor,
  WholeList,
  Words,
  withValues,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { editsLetters, lettersEdited } from '../written-with.ts'

const Side = z.enum(['sell', 'buy', 'both'])

// goal is read as text: the reduced deployment writes any text into the same database.
const Product = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the product.'),
    description: z.string().describe('The description of the product.'),
    side: Side.describe(
      withValues('Our side of the product.', {
        sell: 'we sell it',
        buy: 'we buy it',
        both: 'we do both',
      }),
    ),
    goal: z.string().describe(
      withValues('What we want to achieve with a client.', {
        demo: 'a demonstration',
        sale: 'a sale',
        partnership: 'a partnership',
      }),
    ),
    conditions: z
      .array(Condition)
      .describe('Its conditions, as pairs of a key and a value, each with its side.'),
    markets: z.array(z.string()).describe('The countries it is for, as ISO codes.'),
  })
  .meta({ id: 'Product' })
const inWords = 'What we want to achieve with a client, in words.'
const ReducedProduct = Product.omit({ markets: true })
  .extend({
    goal: z.string().describe(inWords),
  })
  .meta({ id: 'Product' })

const ProductEdit = z
  .strictObject({
    description: optional(Words).describe('The description of the product.'),
    side: optional(Side).describe(
      withValues('Our side of the product.', {
        sell: 'we sell it',
        buy: 'we buy it',
        both: 'we do both',
      }),
    ),
    goal: optional(z.enum(['demo', 'sale', 'partnership'])).describe(
      withValues('What we want to achieve with a client.', {
        demo: 'a demonstration',
        sale: 'a sale',
        partnership: 'a partnership',
      }),
    ),
    conditions: optional(z.array(ConditionEdit).max(200)).describe(
      'Its conditions, as pairs `{key, value, side}` or `{price: "49 EUR"}`; they replace the present ones.',
    ),
  })
  .meta({ id: 'ProductUpdate' })
const ReducedProductEdit = ProductEdit.extend({
  goal: optional(z.string().max(5000)).describe(inWords),
}).meta({ id: 'ProductUpdate' })

const every = 'All products of the workspace.'
export const routes = [
  read({
    path: '/products',
    operationId: 'listProducts',
    summary: 'List products',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({ products: z.array(ReducedProduct).describe(every), next: NoNext })
        .meta({ id: 'ProductList' }),
    },
    query: WholeList,
    response: z
      .object({ products: z.array(Product).describe(every), next: NoNext })
      .meta({ id: 'ProductList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { products: (await listProducts(db, workspace.id)).map(shown), next: null }
    },
  }),
  read({
    path: '/products/{id}',
    operationId: 'getProduct',
    summary: 'Read a product',
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
    operationId: 'updateProduct',
    summary: 'Edit a product',
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
