import { z } from 'zod'
import { listLabels } from '../../db/labels.ts'
import { read } from '../route.ts'
import { Label, next, Paging, readCursor } from '../shapes.ts'

export const routes = [
  read({
    path: '/labels',
    summary: 'Product tags and conversation labels, with how many conversations each has',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z.object({
      labels: z.array(
        Label.extend({ kind: z.enum(['product', 'conversation']), conversations: z.number() }),
      ),
      products: z.array(Label),
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
