import { z } from 'zod'
import {
  type ConversationRow,
  findConversation,
  listConversations,
  listNotes,
} from '../../db/conversations.ts'
import { listMessages, type MessageRow } from '../../db/messages.ts'
import { listTasks } from '../../db/tasks.ts'
import { found } from '../errors.ts'
import { read } from '../route.ts'
import { IdParams, iso, isoOrNull, Label, next, Paging, page, readCursor } from '../shapes.ts'
import { presentTask, Task } from '../task-shape.ts'

export const Conversation = z
  .object({
    id: z.string(),
    person: z.string(),
    kind: z.string(),
    lastMessageAt: z.string(),
    waitingSince: z.string(),
    importance: z.string(),
    intent: z.string(),
    owner: z.string().nullable(),
    state: z.string(),
    subject: z.string(),
    channel: z.string(),
    snoozeUntil: z.string().nullable(),
    why: z.string().nullable(),
    closed: z.boolean(),
    reason: z.string().nullable(),
    met: z.boolean(),
    labels: z.array(Label),
    waitingFor: z.string(),
  })
  .meta({ id: 'Conversation' })

export const Note = z
  .object({
    id: z.string(),
    conversation: z.string(),
    text: z.string(),
    author: z.string(),
    at: z.string(),
  })
  .meta({ id: 'Note' })

/** The single read also holds what members noted and what agents were asked to do. */
export const ConversationRead = Conversation.extend({
  notes: z.array(Note),
  tasks: z.array(Task),
}).meta({ id: 'ConversationRead' })

export const Message = z
  .object({
    id: z.string(),
    conversation: z.string(),
    direction: z.string(),
    sender: z.object({ name: z.string(), handle: z.string() }),
    subject: z.string(),
    text: z.string(),
    at: z.string(),
    automated: z.boolean(),
    agent: z.string().nullable(),
    voice: z.string().nullable(),
    files: z.number(),
    state: z.string(),
  })
  .meta({ id: 'Message' })

/** Beyond the interface: what it reports, and whether the account's own server disowns its sender. */
const MessageRead = Message.extend({
  suspect: z.boolean(),
  report: z
    .object({
      kind: z.string(),
      code: z.string().nullable(),
      permanent: z.boolean(),
      recipient: z.string().nullable(),
      message: z.string().nullable(),
      proven: z.boolean(),
    })
    .nullable(),
}).meta({ id: 'MessageRead' })

export const presentConversation = (row: ConversationRow): z.input<typeof Conversation> => ({
  id: row.id,
  person: row.person,
  kind: row.kind,
  lastMessageAt: iso(row.lastMessageAt),
  waitingSince: iso(row.waitingSince),
  importance: row.importance,
  intent: row.intent,
  owner: row.owner,
  state: row.state,
  subject: row.subject,
  channel: row.connection ?? '',
  snoozeUntil: isoOrNull(row.snoozeUntil),
  why: row.why,
  closed: row.state === 'closed',
  reason: row.reason,
  met: row.met,
  labels: row.labels,
  waitingFor: row.waitingFor,
})

/** A conversation as its single read shows it; `db` may be a transaction. */
export async function readConversation(
  db: Parameters<typeof findConversation>[0],
  workspace: string,
  id: string,
) {
  const row = found(await findConversation(db, workspace, id), 'conversation')
  const notes = await listNotes(db, id)
  const tasks = await listTasks(db, id)
  return {
    ...presentConversation(row),
    notes: notes.map((note) => ({ ...note, at: iso(note.at) })),
    tasks: tasks.map(presentTask),
  }
}

const presentMessage = (row: MessageRow): z.input<typeof MessageRead> => ({
  id: row.id,
  conversation: row.conversation,
  direction: row.direction,
  sender: { name: row.senderName, handle: row.senderHandle },
  subject: row.subject,
  text: row.text,
  at: iso(row.at),
  automated: row.automated,
  agent: row.agent,
  voice: row.voice,
  files: row.files,
  state: row.state,
  suspect: row.suspect,
  report: row.report,
})

const Filters = Paging.extend({
  state: z.enum(['open', 'snoozed', 'closed']).optional(),
  // The interface has no filters; an empty owner means that nobody owns it.
  owner: z.string().max(255).optional(),
  label: z.string().max(255).optional(),
  kind: z.string().max(40).optional(),
  person: z.string().max(255).optional(),
  q: z.string().max(200).optional(),
})

export const routes = [
  read({
    path: '/conversations',
    summary: 'Conversations, newest first',
    scopes: ['inbox:read'],
    reduced: true,
    query: Filters,
    response: z.object({ conversations: z.array(Conversation), next }),
    handler: async ({ query }, { db, workspace }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const owner = query.owner === '' || query.owner === 'null' ? null : query.owner
      const rows = await listConversations(
        db,
        workspace.id,
        { ...query, owner },
        after,
        query.limit + 1,
      )
      const { items, next } = page(rows, query.limit, (row) => [iso(row.lastMessageAt), row.id])
      return { conversations: items.map(presentConversation), next }
    },
  }),

  read({
    path: '/conversations/{id}',
    summary: 'One conversation with its notes and tasks',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: ConversationRead,
    handler: ({ params }, { db, workspace }) => readConversation(db, workspace.id, params.id),
  }),

  read({
    path: '/conversations/{id}/messages',
    summary: 'Messages of a conversation, newest first, with what is still to go',
    scopes: ['inbox:read'],
    reduced: { response: z.object({ messages: z.array(Message), next }) },
    params: IdParams,
    query: Paging,
    response: z.object({ messages: z.array(MessageRead), next }),
    handler: async ({ params, query }, { db, workspace }) => {
      found(await findConversation(db, workspace.id, params.id), 'conversation')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listMessages(db, params.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      return { messages: items.map(presentMessage), next }
    },
  }),
]
