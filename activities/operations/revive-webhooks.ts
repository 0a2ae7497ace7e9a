import { listRunners, replaceRunner, runnerWorkflowId } from '../../db/events/webhook-runners.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import type { Deps } from '../deps.ts'

// A start is normally carried out within a second, or later if others are ahead of it.
const settlingMs = 2 * 60_000
const batch = 500

/**
 * Wakes webhooks whose workflow was lost to Terminate or Cancel; otherwise their events would stay undelivered. Each run looks
 * at one batch, in turn.
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
    log.error(
      { webhook: runner.webhook },
      'the workflow of the webhook is gone; starting a new one',
    )
    await replaceRunner(db, runner)
  }
  await keepSetting(db, 'webhooks-cursor', runners.length === batch ? runners.at(-1)?.webhook : '')
}
