import { listRunners, replaceRunner, runnerWorkflowId } from '../../db/events/webhook-runners.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import type { Deps } from '../deps.ts'

// A start is carried out within a second, or later than others that wait.
const settlingMs = 2 * 60_000
const batch = 500

/**
 * Wakes the workflows of webhooks that have lost theirs to Terminate or Cancel: their events would stay where they are. A batch
 * a run, going round.
 */
export async function reviveWebhooks(
  { db, log, workflowState }: Pick<Deps, 'db' | 'log' | 'workflowState'>,
  beat: () => void,
) {
  const after = (await findSetting<string>(db, 'webhooks-cursor')) ?? ''
  const runners = await listRunners(db, after, settlingMs, batch)
  for (const runner of runners) {
    beat()
    if ((await workflowState(runnerWorkflowId(runner.webhook, runner.epoch))) === 'running')
      continue
    log.error({ webhook: runner.webhook }, 'its workflow is gone: it is started anew')
    await replaceRunner(db, runner)
  }
  await keepSetting(db, 'webhooks-cursor', runners.length === batch ? runners.at(-1)?.webhook : '')
}
