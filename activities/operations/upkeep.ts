import { heartbeat } from '@temporalio/activity'
import { forgetTickets } from '../../db/accounts/connect-tickets.ts'
import { forgetLetters } from '../../db/accounts/sandbox-letters.ts'
import { forgetVerifications } from '../../db/accounts/verifications.ts'
import { listUnsettledInvitations, restartInvitation } from '../../db/calendar/invitations.ts'
import { forgetPrepared } from '../../db/conversations/prepared.ts'
import { forgetUploads } from '../../db/conversations/uploads.ts'
import type { Db } from '../../db/database.ts'
import { forgetPast } from '../../db/erasure/retention.ts'
import { listRunners, replaceRunner, runnerWorkflowId } from '../../db/events/webhook-runners.ts'
import { isToBeStarted } from '../../db/operations/outbox.ts'
import { noteSweep } from '../../db/operations/standstill.ts'
import { forgetOld, listOpenOperations, markOrphaned } from '../../db/operations/upkeep.ts'
import { forgetEvidence } from '../../db/outgoing/evidence.ts'
import {
  listInvitationsInHand,
  listTouchesInHand,
  parkedIn,
  startParked,
} from '../../db/outgoing/letters-in-hand.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import { handOverRest } from '../../db/workspace/leaving.ts'
import { foldAllStored } from '../../db/workspace/quotas.ts'
import { inLanes } from '../common/lanes.ts'
import type { Deps } from '../deps.ts'

const minute = 60_000
const day = 24 * 60 * minute
// As long as the retention of workflows (temporal-dev.yml): a key must not meet a workflow that has outlived its operation's
// row.
const keepMs = 30 * day
const keepUploadMs = day
// Each of these rows holds a file.
const uploadsAtOnce = 50
const atOnce = 1_000
// A start is normally carried out within a second, or later if others are ahead of it. What has no workflow after this time has
// lost it.
const settlingMs = 2 * minute
// How many rows of a kind a run looks at, or a page of open operations has; the next one continues behind them.
const batch = 500
// How many pages of open operations a run looks at, for how long, and how many workflows it asks about at once. An answer takes some
// milliseconds, or a second where the cluster has much to do: then, a run gets less far.
const pages = 10
const sweepingMs = 40_000
const askedAtOnce = 8

export const upkeepActivities = ({ db, clock, log, workflowState }: Deps) => ({
  /**
   * Logs an error for each open operation whose workflow is closed or missing; `npm run operation -- restart KEY` starts it
   * again. Each run looks at the next thousands, in turn. Uploaded files that no message has taken within a day are deleted, a batch a
   * run. Conversations of members who have left go to their successors. Safe to retry: it only logs and counts, what
   * is deleted was past its time, and what has another owner is not given again.
   */
  async sweepOrphans(): Promise<number> {
    let found = 0
    await sweepOperations(db, clock.now(), async ({ id, workspace, waitingFor }) => {
      heartbeat()
      if ((await workflowState(id)) === 'running') return
      found++
      if (waitingFor === 'restart') return
      // Logged once; postroom_operations_orphaned counts the operation until somebody has started it again.
      const [, key] = id.split(/:(.*)/s)
      log.error(
        { operation: id },
        `the operation is open, but its workflow is closed or missing: npm run operation -- restart ${key} --workspace ${workspace}`,
      )
      await markOrphaned(db, id)
    })

    await forgetUploads(db, new Date(clock.now().getTime() - keepUploadMs), uploadsAtOnce)
    heartbeat()
    while ((await forgetPrepared(db, clock.now(), atOnce)).length === atOnce) heartbeat()
    await reviveLetters({ db, log, workflowState }, heartbeat)
    await reviveInvitations({ db, clock, log, workflowState }, heartbeat)
    await reviveWebhooks({ db, log, workflowState }, heartbeat)
    await handOverRest(db, heartbeat)
    await noteSweep(db)
    return found
  },

  /** Safe to retry: deleting old rows twice changes nothing. */
  async forgetOld(): Promise<{ events: number; operations: number; commands: number }> {
    const forgotten = await forgetOld(db, keepMs, heartbeat)
    await forgetEvidence(db, new Date(clock.now().getTime() - keepMs), heartbeat)
    await foldAllStored(db, heartbeat)
    while ((await forgetTickets(db, atOnce)).length === atOnce) heartbeat()
    while ((await forgetVerifications(db, atOnce)).length === atOnce) heartbeat()
    const letters = () => forgetLetters(db, new Date(Date.now() - keepMs), atOnce)
    while ((await letters()) === atOnce) heartbeat()
    const past = await forgetPast(db, clock.now(), heartbeat)
    log.info({ ...forgotten, ...past }, 'deleted what is past its retention')
    return forgotten
  },
})

// Starts new workflows for letters whose workflow is gone, after a Terminate or with Temporal's data. Nothing else would start
// one, because no operation waits for these letters. Their rows keep them from being sent twice, and nobody is notified twice.

// Longer than an invitation is ever put off, and longer than an attempt lives.
const abandonedAfterMs = 20 * minute

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

/**
 * Wakes webhooks whose workflow was lost to Terminate or Cancel; otherwise their events would stay undelivered. Each run looks
 * at one batch, in turn.
 */
async function reviveWebhooks(
  { db, log, workflowState }: Pick<Deps, 'db' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const after = (await findSetting<string>(db, 'webhooks-cursor')) ?? ''
  const runners = await listRunners(db, after, settlingMs, batch)
  for (const runner of runners) {
    beat()
    if ((await workflowState(runnerWorkflowId(runner.webhook, runner.epoch))) === 'running')
      continue
    log.error(
      { webhook: runner.webhook },
      'the workflow of the webhook is gone; starting a new one',
    )
    await replaceRunner(db, runner)
  }
  await keepSetting(db, 'webhooks-cursor', runners.length === batch ? runners.at(-1)?.webhook : '')
}

/**
 * Looks at open operations, in turn: those that should be running at `now` and, separately, those that sleep until later, so that
 * any number of sleeping ones does not delay the others. How far both have come is stored after each page. A round at 100,000 that
 * sleep takes twenty runs, which are forty minutes: what bounds it is asking Temporal for each, so several are asked about at once.
 */
async function sweepOperations(
  db: Db,
  now: Date,
  look: (operation: OpenOperation) => Promise<unknown>,
) {
  for (const isDue of [true, false]) {
    const name = isDue ? 'sweep-cursor' : 'sweep-cursor-later'
    const until = performance.now() + sweepingMs
    let isMore = true
    for (let page = 0; page < pages && isMore && performance.now() < until; page++) {
      const after = (await findSetting<string>(db, name)) ?? ''
      const from = { after, olderThanMs: settlingMs, limit: batch }
      const operations = await listOpenOperations(db, from, { isDue, now })
      await inLanes(operations, { atOnce: askedAtOnce }, look)
      isMore = operations.length === batch
      await keepSetting(db, name, isMore ? operations.at(-1)?.id : '')
    }
  }
}

type OpenOperation = Awaited<ReturnType<typeof listOpenOperations>>[number]
