import { z } from 'zod'
import {
  type ConversationRow,
  findConversation,
  listConversations,
} from '../../../db/conversations/conversations.ts'
import { listMessages } from '../../../db/conversations/messages.ts'
import { listNotes } from '../../../db/conversations/notes.ts'
import { listTasks } from '../../../db/conversations/tasks.ts'
import { changesSince } from '../../../db/events/changes.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { Message, MessageRead, presentMessage } from '../../shapes/message.ts'
import {
  IdParams,
  iso,
  isoOrNull,
  Label,
  next,
  OwnId,
  Paging,
  page,
  readCursor,
  UpdatedSince,
  updatedSinceDescription,
  withValues,
} from '../../shapes/shapes.ts'
import { presentTask, Task } from '../../shapes/task.ts'

export const CloseReason = z.enum([
  'meeting_booked',
  'not_interested',
  'no_response',
  'wrong_person',
  'spam',
  'personal',
  'other',
])

const Conversation = z
  .object({
    id: OwnId,
    person: z.string().describe('The id of the person it is with.'),
    kind: z.string().describe(
      withValues('The kind of channel.', {
        email: 'e-mail',
        professional_network: 'a professional network',
        messenger: 'a messenger',
      }),
    ),
    lastMessageAt: z.string().describe('When the last message came in or went out.'),
    waitingSince: z.string().describe('Since when the next message is awaited.'),
    importance: z.string().describe(
      withValues('How important it is.', {
        low: 'it can wait',
        normal: 'neither low nor high',
        high: 'it should come first',
      }),
    ),
    intent: z.string().describe(
      withValues('What the client wants.', {
        quote: 'to be made an offer',
        question: 'to be told something',
        interested: 'to go on, without a certain wish',
        meeting: 'to meet',
        not_interested: 'nothing of it',
        complaint: 'something to be put right',
        unsubscribe: 'no more letters',
        out_of_office: 'nothing, they are away',
        other: 'something else, or it was not marked',
      }),
    ),
    owner: z.string().nullable().describe('The id of the member who owns it; null means no owner.'),
    state: z.enum(['open', 'snoozed', 'closed']).describe(
      withValues('Where it stands.', {
        open: 'it is to be dealt with',
        snoozed: 'it is set aside until `snoozeUntil`',
        closed: 'it is over',
      }),
    ),
    subject: z.string().describe('What it is about, from its first message.'),
    channel: z
      .string()
      .describe('The id of the connection it goes through; empty where it has none any more.'),
    snoozeUntil: z.string().nullable().describe('When it wakes; null unless it is snoozed.'),
    why: z
      .string()
      .nullable()
      .describe('Why it is snoozed; null unless it is and somebody said so.'),
    closed: z.boolean().describe('Whether it is closed.'),
    reason: CloseReason.nullable().describe(
      withValues('Why it was closed; null unless it is closed.', {
        meeting_booked: 'a meeting was arranged',
        not_interested: 'the client does not want it',
        no_response: 'nothing came back',
        wrong_person: 'somebody else is responsible',
        spam: 'it is not worth an answer',
        personal: 'it is private',
        other: 'none of these',
      }),
    ),
    met: z.boolean().describe('Whether a meeting was arranged outside the conversation.'),
    labels: z.array(Label).describe('The labels on it.'),
    waitingFor: z.enum(['us', 'client']).describe(
      withValues('Who is to write next.', {
        us: 'the client has written last',
        client: 'we have written last',
      }),
    ),
    updatedAt: z
      .string()
      .describe('When anything of it last changed, its labels, notes and tasks included.'),
  })
  .meta({ id: 'Conversation' })

const ReducedConversation = Conversation.omit({ updatedAt: true }).meta({ id: 'Conversation' })

export const Note = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation.'),
    text: z.string().describe('The note.'),
    author: z.string().describe('The id of the member who wrote it.'),
    at: z.string().describe('When it was written.'),
  })
  .meta({ id: 'Note' })

/** The single read also holds what members noted and what agents were asked to do. */
export const ConversationRead = Conversation.extend({
  notes: z.array(Note).describe('What members have noted, oldest first.'),
  tasks: z.array(Task).describe('What agents were asked to do.'),
}).meta({ id: 'ConversationRead' })

export const ReducedConversationRead = ConversationRead.omit({ updatedAt: true }).meta({
  id: 'ConversationRead',
})

const presentConversation = (row: ConversationRow): z.input<typeof Conversation> => ({
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
  updatedAt: iso(row.updatedAt),
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

const newest = 'The messages, newest first.'
const ReducedFilters = Paging.extend({
  state: z
    .enum(['open', 'snoozed', 'closed'])
    .optional()
    .describe(
      withValues('Only conversations in this state.', {
        open: 'to be dealt with',
        snoozed: 'set aside until a moment',
        closed: 'over',
      }),
    ),
  // The interface has no filters; an empty owner means that nobody owns it.
  owner: z
    .string()
    .max(255)
    .optional()
    .describe('Only conversations of this member, by id; empty or `null` for those nobody owns.'),
  label: z
    .string()
    .max(255)
    .optional()
    .describe('Only conversations with this label, by its id or name.'),
  kind: z
    .string()
    .max(40)
    .optional()
    .describe('Only conversations of this kind of channel, such as `email`.'),
  person: z.string().max(255).optional().describe('Only conversations with this person, by id.'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Only conversations with this text, case aside, as a part of their subject or of the person's name.",
    ),
})
const Filters = ReducedFilters.extend({ updatedSince: UpdatedSince.optional() })

export const routes = [
  read({
    path: '/conversations',
    summary: 'List conversations',
    description: `By their last message, newest first. ${updatedSinceDescription}`,
    scopes: ['inbox:read'],
    reduced: {
      query: ReducedFilters,
      response: z.object({
        conversations: z
          .array(ReducedConversation)
          .describe('The conversations, newest message first.'),
        next,
      }),
    },
    query: Filters,
    response: z.object({
      conversations: z.array(Conversation).describe('The conversations, newest message first.'),
      next,
    }),
    handler: async ({ query: { updatedSince, ...query } }, { db, workspace, clock }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const changes = updatedSince
        ? await changesSince(db, clock, workspace.id, updatedSince)
        : undefined
      const owner = query.owner === '' || query.owner === 'null' ? null : query.owner
      const rows = await listConversations(
        db,
        workspace.id,
        { ...query, owner, changes },
        after,
        query.limit + 1,
      )
      const { items, next } = page(rows, query.limit, (row) => [
        iso(changes ? row.updatedAt : row.lastMessageAt),
        row.id,
      ])
      return { conversations: items.map(presentConversation), next }
    },
  }),

  read({
    path: '/conversations/{id}',
    summary: 'Read a conversation',
    description: 'Answers the conversation with its notes and tasks.',
    scopes: ['inbox:read'],
    reduced: { response: ReducedConversationRead },
    params: IdParams,
    response: ConversationRead,
    handler: ({ params }, { db, workspace }) => readConversation(db, workspace.id, params.id),
  }),

  read({
    path: '/conversations/{id}/messages',
    summary: 'List the messages of a conversation',
    description: 'Newest first, with those that are still to go.',
    scopes: ['inbox:read'],
    reduced: { response: z.object({ messages: z.array(Message).describe(newest), next }) },
    params: IdParams,
    query: Paging,
    response: z.object({ messages: z.array(MessageRead).describe(newest), next }),
    handler: async ({ params, query }, { db, workspace }) => {
      found(await findConversation(db, workspace.id, params.id), 'conversation')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listMessages(db, params.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      return { messages: items.map(presentMessage), next }
    },
  }),
]
