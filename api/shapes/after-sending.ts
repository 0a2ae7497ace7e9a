import { z } from 'zod'
import { ApiError } from '../http/errors.ts'
import { withValues } from './shapes.ts'

/** What both addresses say about the state that they need. */
export const whenAgain =
  'Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`.'

/** The refusal of a letter that is not sent again. */
export const notAgain = (state: string, why: string) =>
  new ApiError('invalid_state', why, { members: { state, allowed: ['failed'] } })

/** What became of a letter that did not arrive. */
export const afterFailure = {
  said: z
    .string()
    .optional()
    .describe(
      'What the server or the report said about its failure, in its own words; absent without.',
    ),
  again: z
    .string()
    .optional()
    .describe('The id of the letter as which it was sent anew; absent if it was not.'),
}

export const presentAfterFailure = ({
  said,
  again,
}: {
  said: string | null
  again: string | null
}) => ({ ...(said !== null && { said }), ...(again !== null && { again }) })

/** What somebody found out about a letter that may or may not have arrived. */
export const Resolution = z
  .strictObject({
    outcome: z.enum(['sent', 'again']).describe(
      withValues('What becomes of it.', {
        sent: 'it arrived, and counts as sent',
        again: 'it did not arrive, and is sent once more, under the same Message-ID',
      }),
    ),
  })
  .meta({ id: 'Resolution' })

/** What both addresses say about the state that they need. */
export const whenUnconfirmed =
  'Only a letter that is `sending` with the reason `unconfirmed` can be resolved; any other is 409 `invalid_state`. Look in the Sent folder of the account or ask the recipient before you decide.'

/** The refusal of a letter that is not unconfirmed. */
export const notUnconfirmed = (what: string, { state }: { state: string }) =>
  new ApiError(
    'invalid_state',
    `Only a ${what} that is sending with the reason unconfirmed can be resolved.`,
    { members: { state, allowed: [] } },
  )
