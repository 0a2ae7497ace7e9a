import { z } from 'zod'
import { listFolders } from '../../db/folders.ts'
import { read } from '../route.ts'
import { next, Paging, readCursor } from '../shapes.ts'

const Folder = z.object({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  conversations: z.number(),
})

export const routes = [
  read({
    path: '/channels/messenger-folders',
    summary: 'Folders of the messenger accounts, with how many conversations lie in each',
    scopes: ['inbox:read'],
    query: Paging,
    response: z.object({ folders: z.array(Folder), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { folders: await listFolders(db, workspace.id), next: null }
    },
  }),
]
