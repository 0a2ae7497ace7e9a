import { z } from 'zod'
import { listLabels } from '../../../db/conversations/labels.ts'
import { read } from '../../route.ts'
import { Label, next, readCursor, WholeList, withValues } from '../../shapes/shapes.ts'

export const routes = [
  read({
    path: '/labels',
    summary: 'List labels',
    description: 'Product tags and conversation labels, with how many conversations each has.',
    scopes: ['inbox:read'],
    reduced: true,
    query: WholeList,
    response: z.object({
      labels: z
        .array(
          Label.extend({
            kind: z.enum(['product', 'conversation']).describe(
              withValues('What it is put on.', {
                product: 'people, as the tag of a product',
                conversation: 'conversations',
              }),
            ),
            conversations: z
              .number()
              .describe('How many conversations have it, or are with people who have it.'),
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
