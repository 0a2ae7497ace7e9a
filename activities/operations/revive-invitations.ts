import { listUnsettledInvitations, restartInvitation } from '../../db/calendar/invitations.ts'
import { isToBeStarted } from '../../db/operations/outbox.ts'
import type { Deps } from '../deps.ts'

// Longer than any try is put off, and than an attempt lives.
const abandonedAfterMs = 20 * 60_000
const batch = 500

/**
 * Starts the workflows of invitations anew that have lost theirs: nobody else would, because no operation waits for them. The
 * row holds once-only; what was claimed and never settled becomes unconfirmed. Cancel ends one for good, Terminate does not.
 */
export async function reviveInvitations(
  { db, clock, log, workflowState }: Pick<Deps, 'db' | 'clock' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const before = new Date(clock.now().getTime() - abandonedAfterMs)
  for (const invitation of await listUnsettledInvitations(db, before, batch)) {
    const { id, workspace } = invitation
    beat()
    if ((await workflowState(id)) === 'running') continue
    if (await isToBeStarted(db, workspace, id)) continue
    log.error({ invitation: id }, 'not settled, and its workflow is gone: it is started anew')
    await restartInvitation(db, invitation)
  }
}
