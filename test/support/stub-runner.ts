import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { activityInfo } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import type { Context } from 'mocha'
import type { Activities } from '../../activities/index.ts'
import type { WakeReason } from '../../rules/wakes.ts'
import { sendQueue } from '../../workflows/ids.ts'
import { bundle } from './service.ts'
import { testClient, testTemporal } from './temporal.ts'

/** The workflow ids of the runners that were played, for those who keep their histories. */
export const played: string[] = []

/**
 * The real runner of a campaign over stub activities, for as long as `work` takes; then it ends.
 * @returns how often it has planned first letters.
 */
export async function countPlannings(
  context: Context | undefined,
  work: (runner: {
    signal(reason?: WakeReason): Promise<void>
    /** How often it has looked for the next letter. */
    looks(): Promise<number>
    plannings(): Promise<number>
  }) => Promise<void>,
): Promise<number> {
  let [plannings, looks, isOver] = [0, 0, false]
  const wait = { do: 'wait', blockedBy: 'nobody_left', until: null, delayMs: 3_600_000 } as const
  const activities: Partial<Activities> = {
    claimOperation: async () => true,
    async planLetters() {
      plannings++
      return 0
    },
    async sendDue() {
      looks++
      return isOver ? { do: 'end' } : wait
    },
    endRunner: async () => ({ state: 'done' }),
  }
  await withStubs(context, activities, async (handle) => {
    await work({
      signal: (reason) => handle.signal('changed', ...(reason ? [reason] : [])),
      looks: async () => looks,
      plannings: async () => plannings,
    })
    isOver = true
    await handle.signal('changed', 'settings')
  })
  return plannings
}

/** Starts the runner on stub activities, does `work` and waits for its end. */
async function withStubs(
  context: Context | undefined,
  activities: Partial<Activities>,
  work: (handle: WorkflowHandle) => Promise<void> = async () => {},
) {
  const { address, namespace } = await testTemporal(context)
  const client = await testClient(context)
  const connection = await NativeConnection.connect({ address })
  const taskQueue = `stubs-${randomUUID()}`
  const shared = { connection, namespace, activities }
  const workflowBundle = await bundle()
  const worker = await Worker.create({ ...shared, taskQueue, workflowBundle })
  const sends = await Worker.create({ ...shared, taskQueue: sendQueue(taskQueue) })
  const workflowId = `wsp_stubs:${randomUUID()}`
  const args = [{ operation: workflowId, campaign: 'cmp_1', epoch: 1 }]
  played.push(workflowId)
  const play = async () => {
    const handle = await client.workflow.start('runCampaign', { taskQueue, workflowId, args })
    await work(handle)
    await handle.result()
  }
  await sends.runUntil(worker.runUntil(play()))
  await connection.close()
  return { client, workflowId }
}

/**
 * Runs the real runner of a campaign over stub activities, through so many sittings to its end. `padding` is carried by the
 * answer of each sitting, so that a history is full after fewer of them.
 * @returns the length of the history of each of its runs, the first one first.
 */
export async function runStubs(
  context: Context | undefined,
  sittings: number,
  padding = '',
  planned = () => {},
): Promise<number[]> {
  const runs: string[] = []
  let sat = 0
  const again = { do: 'again' as const, sent: 1, padding }
  const activities: Partial<Activities> = {
    claimOperation: async () => {
      runs.push(activityInfo().workflowExecution?.runId ?? '')
      return true
    },
    async planLetters() {
      planned()
      return 0
    },
    sendDue: async () => (++sat > sittings ? { do: 'end' } : again),
    endRunner: async () => ({ state: 'done' }),
  }
  const { client, workflowId } = await withStubs(context, activities)
  equal(sat, sittings + 1)
  return Promise.all(
    runs.map(
      async (run) => (await client.workflow.getHandle(workflowId, run).describe()).historyLength,
    ),
  )
}
