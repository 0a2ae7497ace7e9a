import type { Selectable } from 'kysely'
import type { Rests } from '../../db/accounts/tables.ts'
import { trouble } from '../common/failures.ts'

// How a letter waits for an account that rests.

// While another letter tries whether the account works again, those that wait look again this often.
const triedMs = 20_000

export type Rest = Pick<Selectable<Rests>, 'cause' | 'until' | 'probeAt' | 'isTried'>

/** How long to wait before looking again. Whatever ends the rest early wakes those who wait. */
export const waitFor = ({ probeAt, isTried }: Pick<Rest, 'probeAt' | 'isTried'>, now: Date) =>
  isTried ? triedMs : Math.max(1_000, probeAt.getTime() - now.getTime())

// The next attempt finds the account at rest, and waits.
const againMs = 1_000

/** The failure of an attempt whose account has begun to rest meanwhile, or is tried by another letter. */
export function resting(id: string, rest: Pick<Rest, 'cause' | 'until'> | undefined) {
  const cause = rest?.cause ?? 'smtp_refusing'
  const until = rest?.until ? `until ${rest.until.toISOString()}` : 'until somebody acts'
  return trouble(cause, `The account ${id} rests ${until} (${cause}).`, {
    connection: id,
    nextRetryDelay: againMs,
  })
}
