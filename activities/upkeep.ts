import { heartbeat } from '@temporalio/activity'
import { findSetting, keepSetting } from '../db/settings.ts'
import { forgetOld, listOpenOperations, markOrphaned } from '../db/upkeep.ts'
import type { Deps } from './deps.ts'
import { reviveInvitations } from './revive-invitations.ts'
import { reviveLetters } from './revive-letters.ts'
import { reviveWebhooks } from './revive-webhooks.ts'

const minute = 60_000
const day = 24 * 60 * minute
const batch = 500
// A start is carried out within a second; what has no workflow after this has lost it.
const settlingMs = 2 * minute
// As long as the retention of workflows (temporal-dev.yml): a key must not meet a workflow that outlived its row.
const keepMs = 30 * day

export const upkeepActivities = ({ db, clock, log, workflowState }: Deps) => ({
  /**
   * Alarms on open operations whose workflow is closed or missing; `npm run operation -- restart KEY` starts them again. A
   * batch a run, going round. Safe to retry: it changes nothing but what it says.
   */
  async sweepOrphans(): Promise<number> {
    const cursor = (await findSetting<string>(db, 'sweep-cursor')) ?? ''
    const operations = await listOpenOperations(db, cursor, settlingMs, batch)
    let found = 0
    for (const { id, waitingFor } of operations) {
      heartbeat()
      if ((await workflowState(id)) === 'running') continue
      found++
      log.error(
        { operation: id },
        'open, but its workflow is closed or missing: npm run operation -- restart KEY',
      )
      if (waitingFor !== 'restart') await markOrphaned(db, id)
    }
    await keepSetting(db, 'sweep-cursor', operations.length === batch ? operations.at(-1)?.id : '')

    await reviveLetters({ db, log, workflowState }, heartbeat)
    await reviveInvitations({ db, clock, log, workflowState })
    await reviveWebhooks({ db, log, workflowState }, heartbeat)
    return found
  },

  /** Safe to retry: what is gone is gone. */
  async forgetOld(): Promise<void> {
    log.info(await forgetOld(db, keepMs), 'forgot what is past its time')
  },
})
