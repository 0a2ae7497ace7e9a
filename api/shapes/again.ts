import { z } from 'zod'
import { ApiError } from '../http/errors.ts'

/** What both addresses say about the state that they need. */
export const whenAgain =
  'Only a letter that is `failed` can be sent anew, and only once; any other is 409 `invalid_state`. Everything is checked as for a new letter: an address that must not be written to is 422 `recipient_suppressed`.'

/** The refusal of a letter that is not sent anew. */
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
