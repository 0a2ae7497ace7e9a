import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { activityInfo } from '@temporalio/activity'
import { NativeConnection, Worker } from '@temporalio/worker'
import type { Context } from 'mocha'
import type { Activities } from '../../activities/index.ts'
import { sendQueue } from '../../workflows/ids.ts'
import { bundle } from './service.ts'
import { testClient, testTemporal } from './temporal.ts'

/**
 * Runs the real runner of a campaign over stub activities, through so many sittings to its end. `padding` is carried by the
 * answer of each sitting, so that a history is full after fewer of them.
 * @returns the length of the history of each of its runs, the first one first.
 */
export async function runStubs(
  context: Context,
  sittings: number,
  padding = '',
): Promise<number[]> {
  const { address, namespace } = await testTemporal(context)
  const client = await testClient(context)
  const connection = await NativeConnection.connect({ address })
  const runs: string[] = []
  const taskQueue = `stubs-${randomUUID()}`
  let sat = 0
  const again = { do: 'again' as const, sent: 1, padding }
  const activities: Partial<Activities> = {
    claimOperation: async () => {
      runs.push(activityInfo().workflowExecution?.runId ?? '')
      return true
    },
    planLetters: async () => 0,
    sendDue: async () => (++sat > sittings ? { do: 'end' } : again),
    endRunner: async () => ({ state: 'done' }),
  }
  const shared = { connection, namespace, activities }
  const workflowBundle = await bundle()
  const worker = await Worker.create({ ...shared, taskQueue, workflowBundle })
  const sends = await Worker.create({ ...shared, taskQueue: sendQueue(taskQueue) })
  const workflowId = `wsp_stubs:${randomUUID()}`
  const args = [{ operation: workflowId, campaign: 'cmp_1', epoch: 1 }]
  const options = { taskQueue, workflowId, args }
  await sends.runUntil(worker.runUntil(client.workflow.execute('runCampaign', options)))
  await connection.close()
  equal(sat, sittings + 1)
  return Promise.all(
    runs.map(
      async (run) => (await client.workflow.getHandle(workflowId, run).describe()).historyLength,
    ),
  )
}
