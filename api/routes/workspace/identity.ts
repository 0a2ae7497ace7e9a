import { z } from 'zod'
import { read } from '../../route.ts'
import { withValues } from '../../shapes/shapes.ts'

export const routes = [
  read({
    path: '',
    summary: 'Read the identity of the token',
    description:
      'Answers the workspace, the member and the application of the token, and its scopes.',
    scopes: [],
    reduced: true,
    response: z.object({
      workspace: z.string().describe('The id of the workspace.'),
      member: z.string().describe('The id of the member the token belongs to.'),
      client: z
        .object({
          id: z.string().describe('The id of the application.'),
          name: z.string().describe('The name of the application.'),
        })
        .describe('The application that holds the token.'),
      scopes: z.array(z.string()).describe(
        withValues('What the token may do.', {
          'inbox:read': 'read everything',
          'inbox:write': 'change everything but segments and campaigns',
          'campaigns:write': 'change segments and campaigns',
          send: 'send something to clients',
        }),
      ),
    }),
    handler: async (_, { workspace, member, client, scopes }) => ({
      workspace: workspace.id,
      member: member.id,
      client,
      scopes,
    }),
  }),
]
