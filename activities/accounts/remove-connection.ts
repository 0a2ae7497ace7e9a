import { CancelledFailure, cancellationSignal } from '@temporalio/activity'
import {
  endQueued,
  findRemoved,
  forgetSecrets,
  type Revoked,
  removalDone,
} from '../../db/inbox/removed-connection.ts'
import { operationProgress, operationWaits } from '../../db/operations/operations.ts'
import { revokeConsent } from '../../oauth/revoke.ts'
import type { RemovalInput } from '../../workflows/inputs.ts'
import { attemptInHand, beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'

// A provider that does not answer for a few minutes does not keep the secrets of an account that was removed.
const mostTries = 5

/** How many letters have ended; `waits` that one is with a server now. */
export type RemovalStep = { ended: boolean; waits: boolean; letters: number }

export const removeConnectionActivities = (deps: Deps) => {
  const { db, clock, crash } = deps
  return {
    /**
     * Takes the consent for a removed connection back at its provider, in five tries at most. Safe to retry: a token that is not valid
     * any more is taken back again without harm (RFC 7009, 2.2).
     */
    async revokeConsent({ connection }: RemovalInput): Promise<Revoked | null> {
      const account = await findRemoved(db, connection)
      if (!account?.oauth) return null
      return beating(() => revokeConsent(deps, account)).catch((error) => {
        if (attemptInHand() < mostTries) throw error
        const { code } = error as { code?: unknown }
        deps.log.warn({ connection, code }, 'a consent could not be taken back')
        return 'failed' as const
      })
    },

    /**
     * Forgets the tokens of a removed connection, and ends what is queued through it, page by page. Safe to retry: they are forgotten
     * once, and a letter ends once. `ended` once nothing is queued and none is with a server.
     */
    endThroughConnection: (
      input: RemovalInput & { revoked: Revoked | null; letters: number },
    ): Promise<RemovalStep> => beating(() => endThrough(input)),
  }

  async function endThrough(
    input: RemovalInput & { revoked: Revoked | null; letters: number },
  ): Promise<RemovalStep> {
    const { operation, connection, revoked } = input
    const account = await findRemoved(db, connection)
    if (account?.oauth)
      await db
        .transaction()
        .execute((trx) => forgetSecrets(trx, account, revoked ?? 'failed', clock.now()))
    for (let { letters } = input; ; ) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The removal was stopped.')
      const page =
        account && (await db.transaction().execute((trx) => endQueued(trx, account, clock.now())))
      crash('after-page')
      const done = Object.values(page?.ended ?? {}).reduce((sum, one) => sum + one, 0)
      letters += done
      if (done > 0) {
        await operationProgress(db, operation, letters, letters)
        continue
      }
      if (page && page.inFlight > 0) {
        await operationWaits(db, operation, 'sending')
        return { ended: false, waits: true, letters }
      }
      const result = { id: connection, deleted: true as const, revoked }
      await removalDone(db, operation, result, clock.now())
      return { ended: true, waits: false, letters }
    }
  }
}
