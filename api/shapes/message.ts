import { z } from 'zod'
import type { MessageRow } from '../../db/conversations/messages.ts'
import { iso, OwnId, withValues } from './shapes.ts'

export const Message = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation.'),
    direction: z
      .string()
      .describe(
        withValues('Which way it goes.', { inbound: 'from the client', outbound: 'from us' }),
      ),
    sender: z
      .object({
        name: z.string().describe('The name of the sender.'),
        handle: z.string().describe('The address of the sender.'),
      })
      .describe('Who it is from.'),
    subject: z.string().describe('The subject; empty where it has none.'),
    text: z.string().describe('The text.'),
    at: z
      .string()
      .describe('When it came in or went out; while it waits, `sendAt` or when it was queued.'),
    automated: z
      .boolean()
      .describe('Whether a machine wrote it: an agent, or an automatic answer.'),
    agent: z
      .string()
      .nullable()
      .describe('The id of the agent that wrote it; null where none did.'),
    voice: z.string().nullable().describe('The voice it was written in; null where none is known.'),
    files: z.number().describe('How many files are attached.'),
    state: z.string().describe(
      withValues('Where it stands.', {
        received: 'it came in',
        queued: 'it waits for its time or its turn',
        sending: 'it is being handed over, or nobody can know whether it arrived',
        sent: 'the server of the account took it',
        failed: 'it did not go, or it came back',
        cancelled: 'it was taken back before it went',
      }),
    ),
  })
  .meta({ id: 'Message' })

/** Beyond the interface: why it did not go, what it reports, and whether the account's own server disowns its sender. */
export const MessageRead = Message.extend({
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it failed; `unconfirmed` where nobody can know whether it arrived; null otherwise.',
    ),
  code: z
    .string()
    .nullable()
    .describe(
      'What the mail server said: an enhanced status code such as `5.1.1`, else its reply code.',
    ),
  suspect: z
    .boolean()
    .describe(
      "Whether the account's own server says that it is not from whom it claims to be; nothing follows from such a message.",
    ),
  report: z
    .object({
      kind: z.string().describe(
        withValues('What is reported.', {
          bounce: 'the letter could not be delivered',
          complaint: 'the recipient marked it as unwanted',
          delivery: 'the letter was delivered',
        }),
      ),
      code: z
        .string()
        .nullable()
        .describe('The status code of the report (RFC 3463); null where it gives none.'),
      permanent: z.boolean().describe('Whether another try would fail too.'),
      recipient: z
        .string()
        .nullable()
        .describe('The address that is reported; null where it is not said.'),
      message: z
        .string()
        .nullable()
        .describe('The id of the message it is about; null where that is not known.'),
      proven: z
        .boolean()
        .describe('Whether it proves to be about a letter of ours; without proof it stops nobody.'),
    })
    .nullable()
    .describe('What it reports about a letter of ours; null where it is no report.'),
}).meta({ id: 'MessageRead' })

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
})
