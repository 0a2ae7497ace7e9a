import { listUnsettledInvitations, restartInvitation } from '../../db/calendar/invitations.ts'
import { isToBeStarted } from '../../db/operations/outbox.ts'
import {
  listInvitationsInHand,
  listTouchesInHand,
  parkedIn,
  startParked,
} from '../../db/outgoing/letters-in-hand.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import type { Deps } from '../deps.ts'

// Starts new workflows for letters whose workflow is gone, after a Terminate or with Temporal's data. Nothing else would start
// one, because no operation waits for these letters. Their rows keep them from being sent twice, and nobody is notified twice.

// Longer than an invitation is ever put off, and longer than an attempt lives.
const abandonedAfterMs = 20 * 60_000
const batch = 500

type Cursors = { touches: string; invitations: string }

/**
 * For letters that were claimed. If the attempt is gone, the letter is settled; if the letter is unconfirmed, it gets a
 * workflow that accepts `resolve`. Each run looks at one batch, and the next run at the batch after it.
 */
export async function reviveLetters(
  deps: Pick<Deps, 'db' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const { db, log } = deps
  const after = (await findSetting<Cursors>(db, 'letters-cursor')) ?? {
    touches: '',
    invitations: '',
  }
  const touches = await listTouchesInHand(db, after.touches, batch)
  for (const touch of touches) await revive(touch, parkedIn(touch), () => startParked(db, touch))
  const invitations = await listInvitationsInHand(db, after.invitations, batch)
  for (const invitation of invitations)
    await revive(invitation, invitation.id, () => restartInvitation(db, invitation))
  const last = (rows: { id: string }[]) => (rows.length === batch ? (rows.at(-1)?.id ?? '') : '')
  await keepSetting(db, 'letters-cursor', {
    touches: last(touches),
    invitations: last(invitations),
  })

  async function revive(
    { id, workspace, reason }: { id: string; workspace: string; reason: string | null },
    workflow: string,
    restart: () => Promise<void>,
  ) {
    if (!(await isLost(deps, workspace, workflow, beat))) return
    await restart()
    log.error(
      { letter: id, workflow, reason: reason ?? 'abandoned' },
      'the letter is being sent or unconfirmed, and its workflow is gone; starting a new one',
    )
  }
}

/**
 * For invitations that nobody has settled for a long time, queued ones included. Those that were claimed become unconfirmed.
 * Cancelling a workflow ends its invitation for good; terminating it does not.
 */
export async function reviveInvitations(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const { db, clock, log } = deps
  const before = new Date(clock.now().getTime() - abandonedAfterMs)
  for (const invitation of await listUnsettledInvitations(db, before, batch)) {
    const { id, workspace } = invitation
    if (!(await isLost(deps, workspace, id, beat))) continue
    log.error(
      { invitation: id },
      'the invitation is not settled, and its workflow is gone; starting a new one',
    )
    await restartInvitation(db, invitation)
  }
}

/** Whether a workflow is gone and the outbox holds no command to start it. */
async function isLost(
  { db, workflowState }: Pick<Deps, 'db' | 'workflowState'>,
  workspace: string,
  workflow: string,
  beat: () => void,
): Promise<boolean> {
  beat()
  return (
    (await workflowState(workflow)) !== 'running' && !(await isToBeStarted(db, workspace, workflow))
  )
}
