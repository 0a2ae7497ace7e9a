import { z } from 'zod'
import { listChannels } from '../../db/channels.ts'
import { read } from '../route.ts'
import { isoOrNull, next, Paging, readCursor } from '../shapes.ts'

const Channel = z
  .object({
    id: z.string(),
    kind: z.string(),
    name: z.string(),
    account: z.string(),
    member: z.string(),
    alive: z.boolean(),
    problem: z.string().nullable(),
    checkedAt: z.string().nullable(),
  })
  .meta({ id: 'Channel' })

export const routes = [
  read({
    path: '/channels',
    summary: 'The connections, and whether each is alive',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z.object({ channels: z.array(Channel), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const rows = await listChannels(db, workspace.id)
      const channels = rows.map((row) => ({ ...row, checkedAt: isoOrNull(row.checkedAt) }))
      return { channels, next: null }
    },
  }),
]
