import { z } from 'zod'
import type { MessageRow } from '../../db/conversations/messages.ts'
import { isoOrNull, OwnId, withValues } from './shapes.ts'

// A message of ours as the calls that queue or cancel it answer it.

export const ReducedQueuedMessage = z
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

/** The recipients that the server refused when it took the message. */
export const Refused = z
  .array(
    z.object({
      address: z.string().describe('The address.'),
      code: z
        .string()
        .describe(
          "The server's status code, such as `5.1.1`; `suppressed` if it must not be written to.",
        ),
    }),
  )
  .describe(
    'The recipients in `cc` and `bcc` that the server refused when it took the message; empty if there are none.',
  )

export const LeftOut = z
  .array(z.string())
  .describe(
    'What the HTML was given with and is sent without, such as a style sheet from elsewhere, in words; absent if there is nothing, and wherever the message is read later.',
  )

export const QueuedMessage = ReducedQueuedMessage.extend({
  subject: z.string().describe('The subject.'),
  cc: z.array(z.string()).describe('The addresses that get a copy.'),
  bcc: z.array(z.string()).describe('The addresses that get a copy unseen by the others.'),
  html: z.boolean().describe('Whether it has HTML beside the text.'),
  files: z.number().describe('The number of attached files, inline images included.'),
  refused: Refused.optional().describe(
    'The recipients in `cc` and `bcc` that the server refused when it took the message; absent if there are none.',
  ),
  leftOut: LeftOut.optional(),
}).meta({ id: 'QueuedMessage' })

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
  | 'subject'
  | 'cc'
  | 'bcc'
  | 'hasHtml'
  | 'files'
  | 'refused'
>

export const presentQueued = (row: Shown): z.input<typeof QueuedMessage> => ({
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
  subject: row.subject,
  cc: row.cc,
  bcc: row.bcc,
  html: row.hasHtml,
  files: row.files,
  ...(row.refused && row.refused.length > 0 && { refused: row.refused }),
})
