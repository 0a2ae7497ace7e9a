import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Touches } from '../../db/campaigns/tables.ts'
import { placeOf } from '../../rules/campaign.ts'
import type { Deployment } from '../route.ts'
import { afterFailure, presentAfterFailure } from './after-sending.ts'
import { iso, isoOrNull, OwnId, withValues } from './shapes.ts'

/** The states of a letter to one person, and the meaning of each. */
export const touchStates = {
  queued: 'it waits until it is due',
  review: 'it is written and waits until its place is agreed',
  sending: 'it is being sent, or it may or may not have arrived',
  sent: 'it was sent',
  failed: 'it was not sent, or it bounced',
}

export const Touch = z.object({
  id: OwnId,
  person: z.string().describe('The id of the person.'),
  place: z.number().describe('The place of the letter in the campaign: 1, 2 or 3.'),
  state: z
    .enum(['queued', 'review', 'sending', 'sent', 'failed'])
    .describe(withValues('The state of the letter.', touchStates)),
  reason: z
    .string()
    .nullable()
    .describe(
      withValues('The reason for its state; null if there is none to give.', {
        replied: 'the person replied',
        unsubscribed: 'the person unsubscribed',
        bounced: 'an earlier letter bounced',
        suppressed: 'the address must not be written to',
        no_contact: 'the person has no address on this channel',
        refused: 'the server refused the letter',
        undeliverable: 'no server accepted the letter within four days',
        done: 'the campaign ended',
        skipped: 'somebody decided that it is not sent',
        left_segment: 'the person left the segment of the campaign',
        held: 'the letters to this person are held',
        missing_value:
          'variables of its template have no value for the person; `missing` names them',
        template_failed:
          'its template could not make it; `variant` and `missing` name the template and its member',
        unconfirmed: 'the letter may or may not have arrived, so a person decides',
      }),
    ),
  code: z
    .string()
    .nullable()
    .describe('The status code given by the server or the report; null if there is none.'),
  dueAt: z.string().nullable().describe('When it is due.'),
  sentAt: z.string().nullable().describe('When it was sent; null until then.'),
  connection: z
    .string()
    .nullable()
    .describe('The id of the connection it is sent through; null until one is chosen.'),
  subject: z.string().nullable().describe('The subject; null until it is written.'),
  text: z.string().nullable().describe('The text; null until it is written.'),
  html: z.string().nullable().describe('The text in HTML; null if the letter is text alone.'),
  agreed: z
    .boolean()
    .describe('Whether this letter may go as it is written, whatever has become of its place.'),
  variant: z
    .string()
    .nullable()
    .describe(
      'Which variant of its place the person got: a, b, c or d; null until its template was used, and without one.',
    ),
  missing: z
    .array(z.string())
    .describe(
      'The variables of its template that have no value for the person, such as `person.city`; with the reason `template_failed`, the member of the template that failed: `subject`, `text` or `html`. Empty with any other reason.',
    ),
  messageId: z
    .string()
    .nullable()
    .describe('The Message-ID of the mail; null until it is handed over.'),
  ...afterFailure,
  workflow: z
    .object({
      id: z.string().describe('The id of the workflow.'),
      url: z.string().describe('Its page in the Temporal Web UI.'),
    })
    .nullable()
    .describe('The Temporal workflow that delivers it; null if there is none.'),
})

const unmade = new Set<string | null>(['missing_value', 'template_failed'])

export function presentTouch(
  touch: Selectable<Touches>,
  { temporalUiUrl, temporalNamespace }: Deployment,
  now: Date,
): z.input<typeof Touch> {
  const place = `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows`
  return {
    id: touch.id,
    person: touch.person,
    place: placeOf(touch.place),
    state: touch.state,
    // A hold that has ended no longer counts, even if the letter has not been sent yet.
    reason: touch.reason === 'held' && touch.dueAt <= now ? null : touch.reason,
    code: touch.code,
    dueAt: iso(touch.dueAt),
    sentAt: isoOrNull(touch.sentAt),
    connection: touch.connection,
    subject: touch.subject,
    text: touch.text,
    html: touch.html,
    agreed: touch.agreed,
    variant: touch.variant,
    missing: unmade.has(touch.reason) ? (touch.missing ?? []) : [],
    messageId: touch.messageId,
    ...presentAfterFailure(touch),
    workflow: touch.workflow
      ? { id: touch.workflow, url: `${place}/${encodeURIComponent(touch.workflow)}` }
      : null,
  }
}
