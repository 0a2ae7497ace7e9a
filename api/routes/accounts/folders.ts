import { z } from 'zod'
import { listFolders } from '../../../db/accounts/channels.ts'
import { read } from '../../route.ts'
import { NoNext, OwnId, readCursor, WholeList } from '../../shapes/shapes.ts'

const Folder = z.object({
  id: OwnId,
  name: z.string().describe('The name of the folder.'),
  channel: z.string().describe('The id of its connection.'),
  conversations: z.number().describe('The number of conversations in it.'),
})

export const routes = [
  read({
    path: '/channels/messenger-folders',
    summary: 'List the folders of messengers',
    description: 'Each folder with its number of conversations.',
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
