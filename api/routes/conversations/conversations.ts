import { z } from 'zod'
import { type ConversationRow, findConversation } from '../../../db/conversations/conversations.ts'
import { countConversations, mostCounted } from '../../../db/conversations/counts.ts'
import { type ConversationOrder, listConversations } from '../../../db/conversations/list.ts'
import { listMessages } from '../../../db/conversations/messages.ts'
import { listNotes, noteRows } from '../../../db/conversations/notes.ts'
import { listTasks } from '../../../db/conversations/tasks.ts'
import { changesSince } from '../../../db/events/changes.ts'
import { newId } from '../../../db/ids.ts'
import { findMerged } from '../../../db/people/people.ts'
import { importances, intents } from '../../../rules/intents.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { importanceMeans, intentMeans } from '../../shapes/intents.ts'
import { Message, MessageRead, presentMessage } from '../../shapes/message.ts'
import { personId } from '../../shapes/person-ids.ts'
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
  text,
  UpdatedSince,
  updatedSinceDescription,
  withValues,
} from '../../shapes/shapes.ts'
import { presentTask, Task } from './tasks.ts'

// Conversations as they are listed and read, with their messages, notes and tasks. One file, because the read answers all of them.

export const CloseReason = z.enum([
  'meeting_booked',
  'not_interested',
  'no_response',
  'wrong_person',
  'spam',
  'personal',
  'other',
])

export const Conversation = z
  .object({
    id: OwnId,
    person: z.string().describe('The id of the person.'),
    kind: z.string().describe(
      withValues('The kind of channel.', {
        email: 'e-mail',
        professional_network: 'a professional network',
        messenger: 'a messenger',
      }),
    ),
    lastMessageAt: z.string().describe('When the last message was received or sent.'),
    waitingSince: z.string().describe('Since when the next message has been awaited.'),
    importance: z
      .string()
      .describe(withValues('The importance of the conversation.', importanceMeans)),
    intent: z.string().describe(withValues('What the client wants.', intentMeans)),
    owner: z.string().nullable().describe('The id of the member who owns it; null means no owner.'),
    state: z.enum(['open', 'snoozed', 'closed']).describe(
      withValues('The state of the conversation.', {
        open: 'it has to be dealt with',
        snoozed: 'it is set aside until `snoozeUntil`',
        closed: 'it is closed',
      }),
    ),
    subject: z.string().describe('The subject of its first message.'),
    channel: z.string().describe('The id of its connection; empty if it no longer has one.'),
    snoozeUntil: z.string().nullable().describe('When it wakes up; null unless it is snoozed.'),
    why: z
      .string()
      .nullable()
      .describe('Why it is snoozed; null unless it is snoozed and a reason was given.'),
    closed: z.boolean().describe('Whether it is closed.'),
    reason: CloseReason.nullable().describe(
      withValues('Why it was closed; null unless it is closed.', {
        meeting_booked: 'a meeting was arranged',
        not_interested: 'the client is not interested',
        no_response: 'the client did not reply',
        wrong_person: 'the client is not the right person',
        spam: 'it is spam',
        personal: 'it is personal',
        other: 'for another reason',
      }),
    ),
    met: z.boolean().describe('Whether a meeting was arranged outside the conversation.'),
    labels: z.array(Label).describe('The labels on it.'),
    waitingFor: z.enum(['us', 'client']).describe(
      withValues('Whose message is awaited.', {
        us: 'ours: the client wrote last',
        client: "the client's: we wrote last",
      }),
    ),
    updatedAt: z.string().describe('When it last changed, including its labels, notes and tasks.'),
  })
  .meta({ id: 'Conversation' })

const ReducedConversation = Conversation.omit({ updatedAt: true }).meta({ id: 'Conversation' })

const Note = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation.'),
    text: z.string().describe('The note.'),
    author: z.string().describe('The id of the member who wrote it.'),
    at: z.string().describe('When it was written.'),
  })
  .meta({ id: 'Note' })

/** The single read also shows the notes of members and the tasks of agents. */
export const ConversationRead = Conversation.extend({
  notes: z.array(Note).describe('The notes of members, oldest first.'),
  tasks: z.array(Task).describe('The tasks given to agents.'),
}).meta({ id: 'ConversationDetails' })

export const ReducedConversationRead = ConversationRead.omit({ updatedAt: true }).meta({
  id: 'ConversationDetails',
})

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
  updatedAt: iso(row.updatedAt),
})

/** A conversation as its single read shows it; `db` may be a transaction. */
export async function readConversation(
  db: Parameters<typeof findConversation>[0],
  workspace: string,
  id: string,
) {
  const row = found(await findConversation(db, workspace, id), 'conversation')
  const notes = row.hasNotes ? await listNotes(db, id) : []
  const tasks = row.hasTasks ? await listTasks(db, id) : []
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
        open: 'conversations that have to be dealt with',
        snoozed: 'conversations set aside until a certain time',
        closed: 'over',
      }),
    ),
  // The interface has no filters; an empty owner means conversations without an owner.
  owner: z
    .string()
    .max(255)
    .optional()
    .describe(
      'Only conversations owned by this member, by id; empty or `null` for those without an owner.',
    ),
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
  person: personId(z.string().max(255))
    .optional()
    .describe('Only conversations with this person, by id.'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Only conversations whose subject or person's name contains this text, ignoring case.",
    ),
})
const WhichFilters = ReducedFilters.extend({
  waitingFor: z
    .enum(['us', 'client'])
    .optional()
    .describe(
      withValues('Only conversations that wait for this side.', {
        us: 'the client wrote last',
        client: 'we wrote last',
      }),
    ),
  importance: z
    .enum(importances)
    .optional()
    .describe(
      withValues('Only conversations of this importance.', {
        low: 'those that can wait',
        normal: 'those between the two',
        high: 'those that should be dealt with first',
      }),
    ),
  intent: z
    .enum(intents)
    .optional()
    .describe(withValues('Only conversations in which the client wants this.', intentMeans)),
  via: z
    .string()
    .max(255)
    .optional()
    .describe(
      'Only conversations through this account of ours: a connection, by its id or account.',
    ),
})
const orders = ['lastMessageAt', '-lastMessageAt', 'waitingSince', '-waitingSince'] as const
const Filters = WhichFilters.extend({
  sort: z
    .enum(orders)
    .optional()
    .describe(
      withValues('The order, by default `-lastMessageAt`; not together with `updatedSince`.', {
        lastMessageAt: 'by the last message, oldest first',
        '-lastMessageAt': 'by the last message, newest first',
        waitingSince: 'by how long they have waited, longest first',
        '-waitingSince': 'by how long they have waited, shortest first',
      }),
    ),
  updatedSince: UpdatedSince.optional(),
})
const Counted = WhichFilters.omit({ cursor: true, limit: true })

const orderOf = (sort: (typeof orders)[number] = '-lastMessageAt'): ConversationOrder => ({
  by: sort.endsWith('lastMessageAt') ? 'lastMessageAt' : 'waitingSince',
  newestFirst: sort.startsWith('-'),
})

/** An empty owner means conversations without one. */
const ownerOf = (owner: string | undefined) => (owner === '' || owner === 'null' ? null : owner)

const atMost = (what: string) => `${what}; at most ${mostCounted}.`

export const routes = [
  read({
    path: '/conversations',
    operationId: 'listConversations',
    summary: 'List conversations',
    description: `In order of their last message, newest first, or in that of \`sort\`. ${updatedSinceDescription}`,
    scopes: ['inbox:read'],
    reduced: {
      query: ReducedFilters,
      response: z
        .object({
          conversations: z
            .array(ReducedConversation)
            .describe('The conversations, newest message first.'),
          next,
        })
        .meta({ id: 'ConversationList' }),
    },
    query: Filters,
    response: z
      .object({
        conversations: z.array(Conversation).describe('The conversations, in the order asked for.'),
        next,
      })
      .meta({ id: 'ConversationList' }),
    handler: async ({ query: { updatedSince, sort, ...query } }, { db, workspace, clock }) => {
      if (updatedSince && sort)
        throw new ApiError('invalid_query', 'sort: updatedSince has an order of its own', {
          errors: [
            {
              parameter: 'sort',
              code: 'invalid_value',
              message: 'cannot be given with updatedSince, which has an order of its own',
            },
          ],
        })
      const order = orderOf(sort)
      const after = readCursor(query.cursor, 'time', 'text')
      const changes = updatedSince
        ? await changesSince(db, clock, workspace.id, updatedSince)
        : undefined
      const listed = (filters: Omit<typeof query, 'cursor' | 'limit'>) =>
        listConversations(
          db,
          workspace.id,
          { ...filters, owner: ownerOf(query.owner), changes },
          after,
          query.limit + 1,
          order,
        )
      let rows = await listed(query)
      if (rows.length === 0 && query.person !== undefined) {
        // The id of a card that has become part of another one leads to that.
        const merged = (await findMerged(db, workspace.id, [query.person])).get(query.person)
        if (merged !== undefined) rows = await listed({ ...query, person: merged })
      }
      const { items, next } = page(rows, query.limit, (row) => [
        iso(changes ? row.updatedAt : row[order.by]),
        row.id,
      ])
      return { conversations: items.map(presentConversation), next }
    },
  }),

  read({
    path: '/conversations/counts',
    operationId: 'countConversations',
    summary: 'Count conversations',
    description:
      'How many conversations there are to be dealt with, with the filters of `GET /conversations`. All but `snoozed` count open ones.',
    scopes: ['inbox:read'],
    query: Counted,
    response: z
      .object({
        open: z.number().int().describe(atMost('The open ones')),
        waitingForUs: z
          .number()
          .int()
          .describe(atMost('The open ones in which the client wrote last')),
        snoozed: z.number().int().describe(atMost('Those that are set aside until a certain time')),
        unowned: z.number().int().describe(atMost('The open ones that nobody owns')),
        byOwner: z
          .array(
            z
              .object({
                member: z.string().describe('The id of the member.'),
                count: z.number().int().describe(atMost('The open ones that they own')),
              })
              .meta({ id: 'OwnerCount' }),
          )
          .describe('The members who own open ones, most first.'),
        byLabel: z
          .array(
            z
              .object({
                label: z.string().describe('The id of the label.'),
                count: z.number().int().describe(atMost('The open ones that carry it')),
              })
              .meta({ id: 'LabelCount' }),
          )
          .describe(
            `The labels of open ones, most first. If more than ${mostCounted} are open, the newest ${mostCounted} are looked at.`,
          ),
        more: z.boolean().describe(`Whether a number is ${mostCounted} because there are more.`),
      })
      .meta({ id: 'ConversationCounts' }),
    handler: ({ query }, { db, workspace }) =>
      countConversations(db, workspace.id, { ...query, owner: ownerOf(query.owner) }),
  }),

  read({
    path: '/conversations/{id}',
    operationId: 'getConversation',
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
    operationId: 'listMessages',
    summary: 'List the messages of a conversation',
    description: 'Newest first, including those that have not been sent yet.',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({ messages: z.array(Message).describe(newest), next })
        .meta({ id: 'MessageList' }),
    },
    params: IdParams,
    query: Paging,
    response: z
      .object({ messages: z.array(MessageRead).describe(newest), next })
      .meta({ id: 'MessageList' }),
    handler: async ({ params, query }, { db, workspace }) => {
      found(await findConversation(db, workspace.id, params.id), 'conversation')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listMessages(db, params.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      return { messages: items.map(presentMessage), next }
    },
  }),

  change({
    method: 'POST',
    path: '/conversations/{id}/notes',
    operationId: 'addNote',
    summary: 'Add a note to a conversation',
    description: 'For the team; the client does not see it.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'conversation.noted',
    params: IdParams,
    body: z.strictObject({ text: text(20_000).describe('The note.') }).meta({ id: 'NewNote' }),
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
