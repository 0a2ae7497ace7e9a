import { z } from 'zod'
import { adminRead } from '../../route.ts'

export const routes = [
  adminRead({
    path: '',
    summary: 'Read the identity of the token',
    description: 'Answers the application of the token, and the workspace if it sees one alone.',
    scopes: [],
    response: z.object({
      client: z
        .object({
          id: z.string().describe('The id of the application.'),
          name: z.string().describe('The name of the application.'),
        })
        .describe('The application that holds the token.'),
      workspace: z
        .string()
        .nullable()
        .describe('The id of the one workspace that the token sees; null if it sees all.'),
    }),
    handler: async (_, { client, only }) => ({ client, workspace: only }),
  }),
]
