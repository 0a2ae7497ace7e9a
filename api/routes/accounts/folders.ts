import { z } from 'zod'
import { listFolders } from '../../../db/accounts/folders.ts'
import { read } from '../../route.ts'
import { NoNext, OwnId, readCursor, WholeList } from '../../shapes/shapes.ts'

const Folder = z.object({
  id: OwnId,
  name: z.string().describe('The name of the folder.'),
  channel: z.string().describe('The id of the connection it belongs to.'),
  conversations: z.number().describe('How many conversations lie in it.'),
})

export const routes = [
  read({
    path: '/channels/messenger-folders',
    summary: 'List the folders of messengers',
    description: 'With how many conversations lie in each.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z.object({
      folders: z.array(Folder).describe('All folders of the messenger accounts.'),
      next: NoNext,
    }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { folders: await listFolders(db, workspace.id), next: null }
    },
  }),
]
