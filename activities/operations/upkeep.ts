import { heartbeat } from '@temporalio/activity'
import { forgetOld, markOrphaned } from '../../db/operations/upkeep.ts'
import type { Deps } from '../deps.ts'
import { reviveInvitations, reviveLetters } from './revive-letters.ts'
import { reviveWebhooks } from './revive-webhooks.ts'
import { nextToSweep } from './sweep-turns.ts'

const minute = 60_000
const day = 24 * 60 * minute
// As long as the retention of workflows (temporal-dev.yml): a key must not meet a workflow that outlived its row.
const keepMs = 30 * day

export const upkeepActivities = ({ db, clock, log, workflowState }: Deps) => ({
  /**
   * Alarms on open operations whose workflow is closed or missing; `npm run operation -- restart KEY` starts them again. A
   * batch a run, going round. Safe to retry: it changes nothing but what it says.
   */
  async sweepOrphans(): Promise<number> {
    const { operations, keep } = await nextToSweep(db, clock.now())
    let found = 0
    for (const { id, workspace, waitingFor } of operations) {
      heartbeat()
      if ((await workflowState(id)) === 'running') continue
      found++
      if (waitingFor === 'restart') continue
      // Told once; postroom_operations_orphaned counts it until somebody has started it again.
      const [, key] = id.split(/:(.*)/s)
      log.error(
        { operation: id },
        `open, but its workflow is closed or missing: npm run operation -- restart ${key} --workspace ${workspace}`,
      )
      await markOrphaned(db, id)
    }
    await keep()

    await reviveLetters({ db, log, workflowState }, heartbeat)
    await reviveInvitations({ db, clock, log, workflowState }, heartbeat)
    await reviveWebhooks({ db, log, workflowState }, heartbeat)
    return found
  },

  /** Safe to retry: what is gone is gone. */
  async forgetOld(): Promise<{ events: number; operations: number; commands: number }> {
    const forgotten = await forgetOld(db, keepMs, heartbeat)
    log.info(forgotten, 'forgot what is past its time')
    return forgotten
  },
})
