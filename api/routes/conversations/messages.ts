import { z } from 'zod'
import { findSuppression } from '../../../db/accounts/suppressions.ts'
import {
  type Contacts,
  findReply,
  listContacts,
  listSenders,
  type Sender,
} from '../../../db/conversations/contacts.ts'
import {
  cancelQueuedMessage,
  findMessage,
  type MessageRow,
  queuedMessageRows,
} from '../../../db/conversations/messages.ts'
import { newId } from '../../../db/ids.ts'
import { messageIdOf, replySubject } from '../../../rules/outgoing.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { change, type ReadContext } from '../../route.ts'
import {
  dueOf,
  IdParams,
  iso,
  isoOrNull,
  OwnId,
  optional,
  Timestamp,
  text,
  withValues,
} from '../../shapes/shapes.ts'

const QueuedMessage = z
  .object({
    id: OwnId,
    state: z.string().describe(
      withValues('The state of the message.', {
        queued: 'it waits for its time or its turn',
        sending: 'it is being sent, or it may or may not have arrived',
        sent: "the account's server accepted it",
        failed: 'it was not sent, or it bounced',
        cancelled: 'it was cancelled before it was sent',
      }),
    ),
    sendAt: z.string().nullable().describe('When it is to be sent; null if no time was given.'),
    to: z.string().describe('The address it is sent to.'),
    conversation: z.string().describe('The id of the conversation.'),
    text: z.string().describe('The text.'),
    via: z.string().describe('The id of the connection it is sent through.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'The reason for its state, as a stable code such as `refused`, `undeliverable`, `bounced` or `unconfirmed`; null otherwise.',
      ),
    sentAt: z.string().nullable().describe('When it was sent; null until then.'),
    messageId: z
      .string()
      .nullable()
      .describe('The Message-ID of the mail; null until it is handed over.'),
  })
  .meta({ id: 'QueuedMessage' })

type Shown = Pick<
  MessageRow,
  | 'id'
  | 'state'
  | 'sendAt'
  | 'toAddress'
  | 'conversation'
  | 'text'
  | 'connection'
  | 'reason'
  | 'sentAt'
  | 'messageId'
>

const present = (row: Shown): z.input<typeof QueuedMessage> => ({
  id: row.id,
  state: row.state,
  sendAt: isoOrNull(row.sendAt),
  to: row.toAddress,
  conversation: row.conversation,
  text: row.text,
  via: row.connection ?? '',
  reason: row.reason,
  sentAt: isoOrNull(row.sentAt),
  messageId: row.messageId,
})

type Reply = NonNullable<Awaited<ReturnType<typeof findReply>>>

/** Whom a message goes to, and whether they must not be written to. @throws ApiError contact_ambiguous, no_contact. */
async function recipientOf({ db, workspace }: ReadContext, reply: Reply, to: string | undefined) {
  if (to === undefined && reply.last) return reply.last
  const handle = contactOf(await listContacts(db, reply), to)
  return { handle, suppressed: (await findSuppression(db, workspace.id, handle)) !== undefined }
}

function contactOf(contacts: Contacts, to: string | undefined): string {
  if (to !== undefined) {
    const known = contacts.all.find((address) => address.toLowerCase() === to.trim().toLowerCase())
    if (!known)
      throw invalid('/to', 'unknown_address', 'is not an address of this person or conversation')
    return known
  }
  if (contacts.last) return contacts.last
  const [first, ...more] = contacts.person
  if (first === undefined)
    throw new ApiError('no_contact', 'The person has no address on this channel.')
  if (more.length > 0)
    throw ambiguous(
      'contact_ambiguous',
      '/to',
      'The person has several addresses.',
      contacts.person,
    )
  return first
}

/** Our account for a message: the one in the call (by id or account), otherwise the conversation's. */
async function senderOf(
  { db, workspace }: ReadContext,
  { kind, sender }: Reply,
  via: string | undefined,
): Promise<Sender> {
  if (via === undefined && sender) return sender
  const senders = await listSenders(db, workspace.id, kind)
  if (via !== undefined) {
    const chosen = senders.find(
      ({ id, account }) => id === via || account.toLowerCase() === via.trim().toLowerCase(),
    )
    if (!chosen)
      throw invalid(
        '/via',
        'unknown_connection',
        `must be a connection of this workspace of the kind ${kind}`,
      )
    return chosen
  }
  const [first, ...more] = senders
  if (first && more.length === 0) return first
  throw ambiguous(
    'sender_ambiguous',
    '/via',
    first ? 'Several of our accounts match.' : 'The workspace has no account on this channel.',
    senders.map(({ id }) => id),
  )
}

const ambiguous = (
  code: 'contact_ambiguous' | 'sender_ambiguous',
  pointer: string,
  message: string,
  candidates: string[],
) => new ApiError(code, message, { members: { candidates }, errors: [{ pointer, code, message }] })

export const routes = [
  change({
    method: 'POST',
    path: '/conversations/{id}/messages',
    summary: 'Send a message',
    description: 'Queues a message to the client, to be sent at once or at a given time.',
    scopes: ['send'],
    reduced: true,
    action: 'message.queued',
    params: IdParams,
    body: z.strictObject({
      text: text(200_000).describe('The text of the message.'),
      to: optional(z.string().min(1).max(320)).describe(
        'The address of the client to send it to; by default the one they last wrote from.',
      ),
      via: optional(z.string().min(1).max(320)).describe(
        'Our account to send it through, by the id of its connection or its address; by default that of the conversation.',
      ),
      sendAt: optional(Timestamp).describe(
        'When to send it, with an offset; by default as soon as the queue reaches it.',
      ),
    }),
    example: { text: 'Two spare sensors for each kitchen are in the offer now.' },
    response: QueuedMessage,
    errors: [
      'time_in_past',
      'contact_ambiguous',
      'sender_ambiguous',
      'no_contact',
      'recipient_suppressed',
    ],
    async add({ params, body }, context) {
      const { db, workspace, clock, operation } = context
      const conversation = found(await findReply(db, workspace.id, params.id), 'conversation')
      const now = clock.now()
      const sendAt = dueOf(body.sendAt, now, '/sendAt')
      const to = await recipientOf(context, conversation, body.to)
      const via = await senderOf(context, conversation, body.via)
      if (to.suppressed)
        throw new ApiError('recipient_suppressed', 'This address must not be written to.', {
          errors: [{ pointer: '/to', code: 'recipient_suppressed', message: 'is suppressed' }],
        })
      const message = {
        id: newId('msg'),
        workspace: workspace.id,
        conversation: conversation.id,
        senderName: via.name,
        senderHandle: via.account,
        toAddress: to.handle,
        subject: replySubject(conversation.subject),
        text: body.text,
        sendAt,
        now,
        connection: via.id,
        operation: operation.id,
      }
      context.insert(queuedMessageRows(message))
      await context.start('sendMessage', [{ operation: operation.id, message: message.id }], {
        Conversation: conversation.id,
        Person: conversation.person,
        Connection: via.id,
      })
      context.changed(message.id, undefined, {
        conversation: conversation.id,
        via: via.id,
        sendAt: sendAt && iso(sendAt),
      })
      const messageId = messageIdOf(message.id, via.account)
      return present({ ...message, state: 'queued', reason: null, sentAt: null, messageId })
    },
  }),

  // Beyond the interface: cancels a message that has not been sent yet.
  change({
    method: 'DELETE',
    path: '/messages/{id}',
    summary: 'Cancel a queued message',
    scopes: ['send'],
    action: 'message.cancelled',
    params: IdParams,
    response: QueuedMessage,
    errors: ['invalid_state'],
    async handler({ params }, context) {
      const { db, workspace } = context
      const { id } = found(await findMessage(db, workspace.id, params.id), 'message')
      const cancelled = await cancelQueuedMessage(db, id)
      // Read only once the outcome is certain: another call, or the queue, may have been faster.
      const message = found(await findMessage(db, workspace.id, id), 'message')
      if (cancelled) {
        if (message.operation) await context.signal(message.operation, 'changed')
        context.changed(message.id, { state: 'queued' }, { state: 'cancelled' })
      } else if (message.state !== 'cancelled')
        throw new ApiError(
          'invalid_state',
          `A message that is ${message.state} cannot be cancelled.`,
          {
            members: { state: message.state, allowed: [] },
          },
        )
      return present(message)
    },
  }),
]
