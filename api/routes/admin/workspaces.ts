import { z } from 'zod'
import { listWorkspaces } from '../../../db/workspace/workspaces.ts'
import { adminRead } from '../../route.ts'
import { CreatedAt, iso, next, OwnId, Paging, page, readCursor } from '../../shapes/shapes.ts'

const Workspace = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the workspace.'),
    timezone: z
      .string()
      .describe('The IANA name of the time zone by which days and weeks are counted.'),
    members: z.number().describe('How many people work there.'),
    connections: z.number().describe('How many accounts it has.'),
    createdAt: CreatedAt,
  })
  .meta({ id: 'AdministeredWorkspace' })

export const routes = [
  adminRead({
    path: '/workspaces',
    operationId: 'listWorkspaces',
    summary: 'List workspaces',
    description: 'The workspaces that the token sees, in the order of their ids.',
    scopes: ['workspaces'],
    query: Paging,
    response: z
      .object({
        workspaces: z.array(Workspace).describe('The workspaces.'),
        next,
      })
      .meta({ id: 'AdministeredWorkspaceList' }),
    handler: async ({ query }, { db, only }) => {
      const [after] = readCursor(query.cursor, 'text') ?? []
      const rows = await listWorkspaces(db, { only, after, limit: query.limit + 1 })
      const { items, next } = page(rows, query.limit, ({ id }) => [id])
      return {
        workspaces: items.map((row) => ({ ...row, createdAt: iso(row.createdAt) })),
        next,
      }
    },
  }),
]
