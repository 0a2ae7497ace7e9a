import { z } from 'zod'
import { ApiError } from '../http/errors.ts'
import { withValues } from './shapes.ts'

/** What somebody found out about a letter that may or may not have arrived. */
export const Resolution = z.strictObject({
  outcome: z.enum(['sent', 'again']).describe(
    withValues('What becomes of it.', {
      sent: 'it arrived, and counts as sent',
      again: 'it did not arrive, and is sent once more, under the same Message-ID',
    }),
  ),
})

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
