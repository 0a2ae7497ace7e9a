import { resolve } from '../../activities/outgoing/settle.ts'
import { invitationKind } from '../../db/calendar/invitation-life.ts'
import { restartInvitation } from '../../db/calendar/invitations.ts'
import { touchKind } from '../../db/campaigns/touch-life.ts'
import { openClock } from '../../db/clock.ts'
import { messageKind } from '../../db/conversations/message-life.ts'
import type { Db } from '../../db/database.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { restartOperation } from '../../db/operations/upkeep.ts'
import type { LetterInHand } from '../../db/outgoing/letters-in-hand.ts'
import type { Log } from '../../process/telemetry/log.ts'

export type Outcome = 'sent' | 'again'
export const isOutcome = (word: string | undefined): word is Outcome =>
  word === 'sent' || word === 'again'

/**
 * Records in the row of an unconfirmed letter what a person found out about it, as the update `resolve` does: this
 * works whether or not a workflow waits for it, and while Temporal is down.
 */
export async function resolveLetter(
  { db, log }: { db: Db; log: Log },
  { id, table, workspace, workflow, operation }: LetterInHand,
  outcome: Outcome,
) {
  const deps = { db, clock: await openClock(db), log }
  if (table === 'touches') await resolve(deps, touchKind, id, { outcome })
  else if (table === 'invitations') await resolve(deps, invitationKind, id, { outcome })
  else await resolve(deps, messageKind, id, { outcome })
  // A workflow that waits for the decision does not see it in the row until it is signalled.
  if (workflow) await enqueueSignal(db, workflow, 'changed', [], { workspace })
  // A workflow that was lost is started again, so that its letter goes and its operation ends.
  if (table === 'invitations') await restartInvitation(db, { id, workspace })
  if (operation?.waitingFor === 'restart')
    await db.transaction().execute((trx) => restartOperation(trx, operation.id))
}
