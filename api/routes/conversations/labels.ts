import { z } from 'zod'
import { findConversation } from '../../../db/conversations/conversations.ts'
import {
  ensureLabel,
  findLabel,
  insertConversationLabel,
  listLabels,
  removeConversationLabel,
} from '../../../db/conversations/labels.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  Id,
  IdParams,
  Label,
  next,
  readCursor,
  text,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'
import { ConversationRead, ReducedConversationRead, readConversation } from './conversations.ts'

const mostNameCharacters = 100
const Labelled = ConversationRead.extend({ label: Label.describe('The requested label.') }).meta({
  id: 'LabelledConversation',
})
const ReducedLabelled = ReducedConversationRead.extend({ label: Labelled.shape.label }).meta({
  id: 'LabelledConversation',
})

export const routes = [
  read({
    path: '/labels',
    operationId: 'listLabels',
    summary: 'List labels',
    description: 'Product tags and conversation labels, each with its number of conversations.',
    scopes: ['inbox:read'],
    reduced: true,
    query: WholeList,
    response: z
      .object({
        labels: z
          .array(
            Label.extend({
              kind: z.enum(['product', 'conversation']).describe(
                withValues('What it is attached to.', {
                  product: 'people, as the tag of a product',
                  conversation: 'conversations',
                }),
              ),
              conversations: z
                .number()
                .describe('The number of conversations that have it, or whose person has it.'),
            }).meta({ id: 'WorkspaceLabel' }),
          )
          .describe('Product tags and conversation labels, by name.'),
        products: z.array(Label).describe('The product tags alone.'),
        next,
      })
      .meta({ id: 'LabelList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      const labels = await listLabels(db, workspace.id)
      const products = labels
        .filter(({ kind }) => kind === 'product')
        .map(({ id, name }) => ({ id, name }))
      return { labels, products, next: null }
    },
  }),
]

export const conversationLabels = [
  change({
    method: 'POST',
    path: '/conversations/{id}/labels',
    operationId: 'addLabel',
    summary: 'Put a label on a conversation',
    description: 'A name that is not in use yet creates a label.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedLabelled },
    action: 'conversation.labelled',
    params: IdParams,
    // Names are compared without case and outer blanks. A label with the name of a product is still a label of its
    // own: product tags are on people.
    body: z
      .strictObject({
        name: text(mostNameCharacters)
          .transform((name) => name.trim())
          .describe('The name of the label; it is created if it is not in use yet.'),
      })
      .meta({ id: 'NewLabel' }),
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
    operationId: 'removeLabel',
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
