import { z } from 'zod'
import { listAudit } from '../../db/audit.ts'
import { read } from '../route.ts'
import { iso, next, Paging, page, readCursor } from '../shapes.ts'

const Entry = z
  .object({
    id: z.string(),
    at: z.string(),
    /** Empty, like the key, where no call made the line: the operator, a person who unsubscribed, or the service did. */
    member: z.string(),
    client: z.object({ id: z.string(), name: z.string() }),
    action: z.string(),
    resource: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    key: z.string(),
  })
  .meta({ id: 'AuditEntry' })

export const routes = [
  read({
    path: '/audit',
    summary: 'Who opened access, and what was changed through it; newest first',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z.object({ entries: z.array(Entry), next }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listAudit(db, workspace.id, query.limit + 1, after)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      const entries = items.map((row) => ({
        ...row,
        at: iso(row.at),
        member: row.member ?? '',
        client: row.client ?? { id: '', name: '' },
        key: row.key ?? '',
      }))
      return { entries, next }
    },
  }),
]
