import { z } from 'zod'
import { findConversation } from '../../../db/conversations/conversations.ts'
import { noteRows } from '../../../db/conversations/notes.ts'
import { newId } from '../../../db/ids.ts'
import { found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { IdParams, iso, text } from '../../shapes/shapes.ts'
import { Note } from './conversations.ts'

export const routes = [
  change({
    method: 'POST',
    path: '/conversations/{id}/notes',
    summary: 'Add a note to a conversation',
    description: 'For the team; the client does not see it.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'conversation.noted',
    params: IdParams,
    body: z.strictObject({ text: text(20_000).describe('The note.') }),
    response: Note,
    add: async ({ params, body }, { db, workspace, member, clock, insert, changed }) => {
      const { id: conversation } = found(
        await findConversation(db, workspace.id, params.id),
        'conversation',
      )
      const note = {
        id: newId('not'),
        conversation,
        text: body.text,
        author: member.id,
        at: clock.now(),
      }
      insert(noteRows(note))
      changed(conversation, null, { note: note.id })
      return { ...note, at: iso(note.at) }
    },
  }),
]
