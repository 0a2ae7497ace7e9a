import { z } from 'zod'
import type { MessageRow } from '../../db/conversations/messages.ts'
import type { MessageInvitation } from '../../db/conversations/tables.ts'
import { afterFailure, presentAfterFailure } from './after-sending.ts'
import { iso, isoOrNull, OwnId, withValues } from './shapes.ts'

// One file: a message as it is answered, with all that hangs on it, is read by whoever adds a member to it.

/** The recipients that the server refused when it took the message. */
const Refused = z
  .array(
    z
      .object({
        address: z.string().describe('The address.'),
        code: z
          .string()
          .describe(
            "The server's status code, such as `5.1.1`; `suppressed` if it must not be written to.",
          ),
      })
      .meta({ id: 'RefusedRecipient' }),
  )
  .describe(
    'The recipients in `cc` and `bcc` that the server refused when it took the message; empty if there are none.',
  )

export const Message = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation.'),
    direction: z.string().describe(
      withValues('The direction of the message.', {
        inbound: 'from the client',
        outbound: 'from us',
      }),
    ),
    sender: z
      .object({
        name: z.string().describe('The name of the sender.'),
        handle: z.string().describe('The address of the sender.'),
      })
      .meta({ id: 'MessageSender' })
      .describe('Who sent it.'),
    subject: z.string().describe('The subject; empty if there is none.'),
    text: z.string().describe('The text.'),
    at: z
      .string()
      .describe(
        'When it was received or sent; while it waits, `sendAt` or the time at which it was queued.',
      ),
    automated: z
      .boolean()
      .describe('Whether it was written automatically: by an agent, or as an automatic reply.'),
    agent: z.string().nullable().describe('The id of the agent that wrote it; null if none did.'),
    voice: z.string().nullable().describe('The voice it was written in; null if unknown.'),
    files: z.number().describe('The number of attached files.'),
    state: z.string().describe(
      withValues('The state of the message.', {
        received: 'it was received',
        queued: 'it waits for its time or its turn',
        sending: 'it is being sent, or it may or may not have arrived',
        sent: "the account's server accepted it",
        failed: 'it was not sent, or it bounced',
        cancelled: 'it was cancelled before it was sent',
      }),
    ),
  })
  .meta({ id: 'Message' })

const Invitation = z
  .object({
    title: z.string().describe('The title of the meeting.'),
    startsAt: z.string().describe('When it starts.'),
    endsAt: z.string().describe('When it ends.'),
    organizer: z.string().describe('The address of who invites.'),
    location: z.string().nullable().describe('Where it is; null if the invitation does not say.'),
    state: z.string().describe(
      withValues('What became of it.', {
        open: 'it waits for an answer',
        accepted: 'it was accepted',
        tentative: 'it was accepted with reservations',
        declined: 'it was declined',
        cancelled: 'the organizer has cancelled the meeting',
        replaced: 'a newer message has another version of it',
      }),
    ),
  })
  .meta({ id: 'Invitation' })

/**
 * Beyond the interface: why it was not sent, what it reports, and whether the account's own server considers its
 * sender forged.
 */
export const MessageRead = Message.extend({
  reason: z
    .string()
    .nullable()
    .describe('Why it failed; `unconfirmed` if it may or may not have arrived; null otherwise.'),
  code: z
    .string()
    .nullable()
    .describe("The mail server's enhanced status code, such as `5.1.1`, or else its reply code."),
  suspect: z
    .boolean()
    .describe(
      'Whether the sender may be forged: the server of the account says so, the head names no sender clearly, or the mail lies in Junk. Such a message has no effects.',
    ),
  report: z
    .object({
      kind: z.string().describe(
        withValues('The kind of report.', {
          bounce: 'the letter could not be delivered',
          complaint: 'the recipient marked it as unwanted',
          delivery: 'the letter was delivered',
        }),
      ),
      code: z
        .string()
        .nullable()
        .describe('The status code of the report (RFC 3463); null if it has none.'),
      permanent: z.boolean().describe('Whether another attempt would fail too.'),
      recipient: z
        .string()
        .nullable()
        .describe('The address that is reported; null if the report names none.'),
      message: z
        .string()
        .nullable()
        .describe('The id of the message it is about; null if unknown.'),
      proven: z
        .boolean()
        .describe(
          'Whether it is proven to be about a letter of ours; without proof it has no effects.',
        ),
    })
    .meta({ id: 'MessageReport' })
    .nullable()
    .describe('What it reports about a letter of ours; null if it is not a report.'),
  to: z.array(z.string()).describe('The addresses it is to.'),
  cc: z.array(z.string()).describe('The addresses that got a copy.'),
  bcc: z
    .array(z.string())
    .describe('The addresses that got a copy unseen by the others; empty unless it is ours.'),
  html: z.boolean().describe('Whether it has HTML beside the text.'),
  inReplyTo: z
    .string()
    .nullable()
    .describe('The id of the message that it answers; null if it answers none that is stored.'),
  via: z
    .string()
    .nullable()
    .describe(
      'Our address through which a group or a form sent it, in which case `sender` is who wrote it; null otherwise.',
    ),
  replyTo: z
    .array(
      z
        .object({
          name: z.string().describe('The name beside the address; empty if there is none.'),
          address: z.string().describe('The address.'),
        })
        .meta({ id: 'ReplyAddress' }),
    )
    .describe('Where it asks for answers (`Reply-To`); empty if it does not say.'),
  refused: Refused,
  invitation: Invitation.nullable().describe(
    'The meeting that it invites to; null if it is no invitation. POST /messages/{id}/invitation answers it.',
  ),
  ...afterFailure,
  folder: z
    .string()
    .nullable()
    .describe(
      'The folder of the mailbox that it was read in, such as `INBOX`; null if it did not come from a mailbox.',
    ),
  removedAt: z
    .string()
    .nullable()
    .describe(
      'When its subject, text, HTML and files were removed, because the workspace keeps messages for so many days; null if they are there.',
    ),
  filesRemoved: z
    .number()
    .describe(
      'How many of its files were removed, because the workspace keeps messages or files for so many days.',
    ),
}).meta({ id: 'Message' })

const presentInvitation = (invitation: MessageInvitation): z.input<typeof Invitation> => {
  const { title, startsAt, endsAt, organizer, location, state } = invitation
  return { title, startsAt, endsAt, organizer, location, state }
}

export const presentMessage = (row: MessageRow): z.input<typeof MessageRead> => ({
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
  reason: row.reason,
  code: row.code,
  suspect: row.suspect,
  report: row.report,
  to: (row.toAddresses ?? [row.toAddress]).filter((address) => address !== ''),
  cc: row.cc,
  bcc: row.direction === 'outbound' ? row.bcc : [],
  html: row.hasHtml,
  inReplyTo: row.answers,
  via: row.via,
  replyTo: row.replyTo ?? [],
  refused: row.refused ?? [],
  invitation: row.invitation && presentInvitation(row.invitation),
  folder: row.folder,
  removedAt: isoOrNull(row.removedAt),
  filesRemoved: row.filesRemoved,
  ...presentAfterFailure(row),
})

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
