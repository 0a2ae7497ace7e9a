import { z } from 'zod'
import { findHouse } from '../../../db/workspace/workspaces.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { iso, UpdatedAt } from '../../shapes/shapes.ts'

export const routes = [
  read({
    path: '/house',
    summary: 'Read the house rules',
    description: 'The rules for all agents of the workspace.',
    scopes: ['inbox:read'],
    reduced: true,
    response: z.object({
      rules: z.string().describe('The rules for all agents.'),
      updatedAt: UpdatedAt,
    }),
    handler: async (_, { db, workspace }) => {
      const house = found(await findHouse(db, workspace.id), 'workspace')
      return { rules: house.houseRules, updatedAt: iso(house.houseUpdatedAt) }
    },
  }),
]
