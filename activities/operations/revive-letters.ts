import { restartInvitation } from '../../db/calendar/invitations.ts'
import { isToBeStarted } from '../../db/operations/outbox.ts'
import {
  listInvitationsInHand,
  listTouchesInHand,
  restartTouch,
} from '../../db/outgoing/letters-in-hand.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import type { Deps } from '../deps.ts'

const batch = 500

type Cursors = { touches: string; invitations: string }

/**
 * Starts the workflows of letters anew that were claimed and have lost theirs to Terminate, or with Temporal's data: so one that
 * was left is settled, and `resolve` finds somebody for one that is unconfirmed. Nobody is told a second time. A batch a run,
 * going round.
 */
export async function reviveLetters(
  { db, log, workflowState }: Pick<Deps, 'db' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const after = (await findSetting<Cursors>(db, 'letters-cursor')) ?? {
    touches: '',
    invitations: '',
  }
  const touches = await listTouchesInHand(db, after.touches, batch)
  for (const touch of touches)
    if (touch.workflow) await revive(touch, touch.workflow, () => restartTouch(db, touch))
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
    beat()
    if ((await workflowState(workflow)) === 'running') return
    if (await isToBeStarted(db, workspace, workflow)) return
    await restart()
    log.error(
      { letter: id, workflow, reason: reason ?? 'abandoned' },
      'on its way or unconfirmed, and its workflow is gone: it is started anew',
    )
  }
}
