import { z } from 'zod'
import { listVoices } from '../../db/voices.ts'
import { read } from '../route.ts'
import { next, Paging, readCursor } from '../shapes.ts'

const Voice = z
  .object({
    id: z.string(),
    member: z.string(),
    name: z.string(),
    connection: z.string(),
    signature: z.string(),
  })
  .meta({ id: 'Voice' })

export const routes = [
  read({
    path: '/senders/voices',
    summary: 'Who letters are from: the member behind each mailbox, and how they sign',
    scopes: ['inbox:read'],
    query: Paging,
    response: z.object({ voices: z.array(Voice), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const rows = await listVoices(db, workspace.id)
      // The interface leaves what a voice is open: a mailbox with the member it belongs to, so there is one of each mailbox.
      const voices = rows.map((row) => ({ id: `voi_${row.connection}`, ...row }))
      return { voices, next: null }
    },
  }),
]
