import { z } from 'zod'
import { adminRead } from '../../route.ts'
import { Application } from '../../shapes/shapes.ts'

export const routes = [
  adminRead({
    path: '',
    operationId: 'getAdminIdentity',
    summary: 'Read the identity of the token',
    description: 'Answers the application of the token, and the workspace if it sees one alone.',
    scopes: [],
    response: z
      .object({
        client: Application.describe('The application that holds the token.'),
        workspace: z
          .string()
          .nullable()
          .describe('The id of the one workspace that the token sees; null if it sees all.'),
      })
      .meta({ id: 'AdministrationIdentity' }),
    handler: async (_, { client, only }) => ({ client, workspace: only }),
  }),
]
