import { z } from 'zod'
import { listVoices } from '../../../db/workspace/voices.ts'
import { read } from '../../route.ts'
import { NoNext, OwnId, readCursor, WholeList } from '../../shapes/shapes.ts'

const Voice = z
  .object({
    id: OwnId,
    member: z.string().describe('The id of the member.'),
    name: z.string().describe('The name of the member.'),
    connection: z.string().describe('The id of the e-mail account.'),
    signature: z.string().describe('How they sign.'),
  })
  .meta({ id: 'Voice' })

export const routes = [
  read({
    path: '/senders/voices',
    summary: 'List voices',
    description: 'A voice is a member behind a mailbox, whom letters are from, and how they sign.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z.object({ voices: z.array(Voice).describe('All voices, by name.'), next: NoNext }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const rows = await listVoices(db, workspace.id)
      // The interface leaves what a voice is open: a mailbox with the member it belongs to, so there is one of each mailbox.
      const voices = rows.map((row) => ({ id: `voi_${row.connection}`, ...row }))
      return { voices, next: null }
    },
  }),
]
