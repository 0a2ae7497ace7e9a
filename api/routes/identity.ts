import { z } from 'zod'
import { read } from '../route.ts'

export const routes = [
  read({
    path: '',
    summary: 'Who the token belongs to and what it may do',
    scopes: [],
    reduced: true,
    response: z.object({
      workspace: z.string(),
      member: z.string(),
      client: z.object({ id: z.string(), name: z.string() }),
      scopes: z.array(z.string()),
    }),
    handler: async (_, { workspace, member, client, scopes }) => ({
      workspace: workspace.id,
      member: member.id,
      client,
      scopes,
    }),
  }),
]
