import { z } from 'zod'
import { findConversation } from '../../../db/conversations/conversations.ts'
import {
  ensureLabel,
  findLabel,
  insertConversationLabel,
  removeConversationLabel,
} from '../../../db/conversations/labels.ts'
import { insertNote } from '../../../db/conversations/notes.ts'
import { found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { Id, IdParams, iso, Label, text } from '../../shapes/shapes.ts'
import {
  ConversationRead,
  Note,
  ReducedConversationRead,
  readConversation,
} from './conversations.ts'

const mostNameCharacters = 100
const Labelled = ConversationRead.extend({ label: Label.describe('The requested label.') })
const ReducedLabelled = ReducedConversationRead.extend({ label: Labelled.shape.label })

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
    handler: async ({ params, body }, { db, workspace, member, clock, changed }) => {
      const { id } = found(await findConversation(db, workspace.id, params.id), 'conversation')
      const note = await insertNote(db, {
        conversation: id,
        text: body.text,
        author: member.id,
        at: clock.now(),
      })
      changed(id, null, { note: note.id })
      return { ...note, at: iso(note.at) }
    },
  }),

  change({
    method: 'POST',
    path: '/conversations/{id}/labels',
    summary: 'Put a label on a conversation',
    description: 'A name that is not in use yet creates a label.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedLabelled },
    action: 'conversation.labelled',
    params: IdParams,
    // Names are compared without case and outer blanks. A label with the name of a product is still a label of its
    // own: product tags are on people.
    body: z.strictObject({
      name: text(mostNameCharacters)
        .transform((name) => name.trim())
        .describe('The name of the label; it is created if it is not in use yet.'),
    }),
    response: Labelled,
    handler: async ({ params, body }, { db, workspace, changed }) => {
      const { id } = found(await findConversation(db, workspace.id, params.id), 'conversation')
      const label = await ensureLabel(db, workspace.id, body.name)
      if (await insertConversationLabel(db, id, label.id)) changed(id, null, { label })
      return { ...(await readConversation(db, workspace.id, id)), label }
    },
  }),

  change({
    method: 'DELETE',
    path: '/conversations/{id}/labels/{label}',
    summary: 'Take a label off a conversation',
    description: 'Removing a label that is not on it changes nothing.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedLabelled },
    action: 'conversation.unlabelled',
    params: IdParams.extend({
      label: Id.describe('The label, by its id or its name, URL-encoded.'),
    }),
    response: Labelled,
    // The interface leaves unknown labels open: like any label that is not on the conversation, an unknown one is not
    // there afterwards, so the answer is 200. It shows the label as requested, without an id.
    handler: async ({ params }, { db, workspace, changed }) => {
      const { id } = found(await findConversation(db, workspace.id, params.id), 'conversation')
      const label = await findLabel(db, workspace.id, params.label)
      if (label && (await removeConversationLabel(db, id, label.id))) changed(id, { label }, null)
      return {
        ...(await readConversation(db, workspace.id, id)),
        label: label ?? { id: '', name: params.label },
      }
    },
  }),
]
