import { heartbeat } from '@temporalio/activity'
import { forgetTickets } from '../../db/accounts/connect-tickets.ts'
import { forgetUploads } from '../../db/conversations/uploads.ts'
import { forgetOld, markOrphaned } from '../../db/operations/upkeep.ts'
import type { Deps } from '../deps.ts'
import { reviveInvitations, reviveLetters } from './revive-letters.ts'
import { reviveWebhooks } from './revive-webhooks.ts'
import { nextToSweep } from './sweep-turns.ts'

const minute = 60_000
const day = 24 * 60 * minute
// As long as the retention of workflows (temporal-dev.yml): a key must not meet a workflow that has outlived its operation's
// row.
const keepMs = 30 * day
const keepUploadMs = day
// Each of these rows holds a file.
const uploadsAtOnce = 50
const atOnce = 1_000

export const upkeepActivities = ({ db, clock, log, workflowState }: Deps) => ({
  /**
   * Logs an error for each open operation whose workflow is closed or missing; `npm run operation -- restart KEY` starts it
   * again. Each run looks at one batch, in turn. Uploaded files that no message has taken within a day are deleted, a batch a
   * run. Safe to retry: it only logs and counts, and what is deleted was past its time.
   */
  async sweepOrphans(): Promise<number> {
    const { operations, keep } = await nextToSweep(db, clock.now())
    let found = 0
    for (const { id, workspace, waitingFor } of operations) {
      heartbeat()
      if ((await workflowState(id)) === 'running') continue
      found++
      if (waitingFor === 'restart') continue
      // Logged once; postroom_operations_orphaned counts the operation until somebody has started it again.
      const [, key] = id.split(/:(.*)/s)
      log.error(
        { operation: id },
        `the operation is open, but its workflow is closed or missing: npm run operation -- restart ${key} --workspace ${workspace}`,
      )
      await markOrphaned(db, id)
    }
    await keep()

    await forgetUploads(db, new Date(clock.now().getTime() - keepUploadMs), uploadsAtOnce)
    heartbeat()
    await reviveLetters({ db, log, workflowState }, heartbeat)
    await reviveInvitations({ db, clock, log, workflowState }, heartbeat)
    await reviveWebhooks({ db, log, workflowState }, heartbeat)
    return found
  },

  /** Safe to retry: deleting old rows twice changes nothing. */
  async forgetOld(): Promise<{ events: number; operations: number; commands: number }> {
    const forgotten = await forgetOld(db, keepMs, heartbeat)
    while ((await forgetTickets(db, atOnce)).length === atOnce) heartbeat()
    log.info(forgotten, 'deleted what is past its retention')
    return forgotten
  },
})
