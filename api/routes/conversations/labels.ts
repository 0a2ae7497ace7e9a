import { z } from 'zod'
import { listLabels } from '../../../db/conversations/labels.ts'
import { read } from '../../route.ts'
import { Label, next, readCursor, WholeList, withValues } from '../../shapes/shapes.ts'

export const routes = [
  read({
    path: '/labels',
    summary: 'List labels',
    description: 'Product tags and conversation labels, each with its number of conversations.',
    scopes: ['inbox:read'],
    reduced: true,
    query: WholeList,
    response: z.object({
      labels: z
        .array(
          Label.extend({
            kind: z.enum(['product', 'conversation']).describe(
              withValues('What it is attached to.', {
                product: 'people, as the tag of a product',
                conversation: 'conversations',
              }),
            ),
            conversations: z
              .number()
              .describe('The number of conversations that have it, or whose person has it.'),
          }),
        )
        .describe('Product tags and conversation labels, by name.'),
      products: z.array(Label).describe('The product tags alone.'),
      next,
    }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const labels = await listLabels(db, workspace.id)
      const products = labels
        .filter(({ kind }) => kind === 'product')
        .map(({ id, name }) => ({ id, name }))
      return { labels, products, next: null }
    },
  }),
]
