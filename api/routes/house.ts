import { z } from 'zod'
import { findHouse } from '../../db/workspaces.ts'
import { found } from '../errors.ts'
import { read } from '../route.ts'
import { iso } from '../shapes.ts'

export const routes = [
  read({
    path: '/house',
    summary: 'The rules all agents share',
    scopes: ['inbox:read'],
    reduced: true,
    response: z.object({ rules: z.string(), updatedAt: z.string() }),
    handler: async (_, { db, workspace }) => {
      const house = found(await findHouse(db, workspace.id), 'workspace')
      return { rules: house.houseRules, updatedAt: iso(house.houseUpdatedAt) }
    },
  }),
]
