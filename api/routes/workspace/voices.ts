import { z } from 'zod'
import { listVoices } from '../../../db/workspace/members.ts'
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
    description:
      'A voice is a mailbox with the member in whose name its letters are written, and how that member signs.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z.object({
      voices: z.array(Voice).describe('All voices, in order of name.'),
      next: NoNext,
    }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const rows = await listVoices(db, workspace.id)
      // The interface leaves open what a voice is: a mailbox with the member it belongs to, so each mailbox has one.
      const voices = rows.map((row) => ({ id: `voi_${row.connection}`, ...row }))
      return { voices, next: null }
    },
  }),
]
