import { z } from 'zod'
import { OwnId, withValues } from './shapes.ts'

/** The states of a letter to one person, and what each means. */
export const touchStates = {
  queued: 'it waits for its time',
  review: 'it is written and waits for its place to be agreed',
  sending: 'it is on its way, or nobody can know whether it arrived',
  sent: 'it went',
  failed: 'it did not go, or it came back',
}

export const Touch = z.object({
  id: OwnId,
  person: z.string().describe('The id of the person.'),
  place: z.number().describe('Which letter of the campaign it is: 1, 2 or 3.'),
  state: z
    .enum(['queued', 'review', 'sending', 'sent', 'failed'])
    .describe(withValues('Where it stands.', touchStates)),
  reason: z
    .string()
    .nullable()
    .describe(
      withValues('Why it stands as it does; null where nothing is to be said.', {
        replied: 'an answer came back',
        unsubscribed: 'they want no more letters',
        bounced: 'an earlier letter came back',
        suppressed: 'the address must not be written to',
        no_contact: 'they have no address on this channel',
        refused: 'the server refused it',
        undeliverable: 'no server took it in four days',
        done: 'the campaign was ended',
        held: 'the letters to this person are held',
        unconfirmed: 'nobody can know whether it arrived, so a person decides',
      }),
    ),
  code: z
    .string()
    .nullable()
    .describe('The status code that the server or the report gave; null where there is none.'),
  dueAt: z.string().nullable().describe('When it is to go.'),
  sentAt: z.string().nullable().describe('When it went; null before.'),
  connection: z
    .string()
    .nullable()
    .describe('The id of the connection it goes through; null while none is chosen.'),
  subject: z.string().nullable().describe('The subject; null while it is not written.'),
  text: z.string().nullable().describe('The text; null while it is not written.'),
  messageId: z
    .string()
    .nullable()
    .describe('The Message-ID of the mail; null before it is handed over.'),
  workflow: z
    .object({
      id: z.string().describe('The id of the workflow.'),
      url: z.string().describe('Its page in the Temporal Web UI.'),
    })
    .nullable()
    .describe('The Temporal workflow that delivers it; null while there is none.'),
})
