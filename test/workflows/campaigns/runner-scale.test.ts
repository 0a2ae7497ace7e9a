import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import type { Activities } from '../../../activities/index.ts'
import { sendQueue } from '../../../workflows/ids.ts'
import { bundle } from '../../support/service.ts'
import { type TestTemporal, testClient, testTemporal } from '../../support/temporal.ts'

// The real runner over stub activities: what a long campaign costs in history and memory.

const sittings = Number(process.env['SCALE_SITTINGS'] ?? 900)
// The server ends a run at 51,200; it suggests a new one from 4,096 on.
const eventsLimit = 5_000
const growthLimit = 150
const megabyte = 1024 * 1024

describe('a runner', function () {
  this.timeout(120_000 + sittings * 1000)
  let temporal: TestTemporal
  let connection: NativeConnection
  let client: Client
  before(async function () {
    temporal = await testTemporal(this)
    connection = await NativeConnection.connect({ address: temporal.address })
    client = await testClient(this)
  })
  after(() => connection?.close())

  it(`serves any number of sittings within a history and its memory (${sittings} here)`, async () => {
    const memory: number[] = []
    const started = performance.now()
    const sampling = setInterval(() => {
      memory.push(process.memoryUsage().rss / megabyte)
      if (memory.length % 60 === 0) console.log(`      ${memory.at(-1)?.toFixed(0)} MB`)
    }, 1000)
    const runs = await run()
    clearInterval(sampling)

    const seconds = (performance.now() - started) / 1000
    ok(runs.length > 1, 'it never continued as new')
    const lengths = await Promise.all(runs.map(lengthOf))
    const longest = Math.max(...lengths)
    ok(longest < eventsLimit, `${longest} events in one run`)
    const quarter = Math.ceil(memory.length / 4)
    const mean = (part: number[]) => part.reduce((sum, size) => sum + size, 0) / part.length
    const [early, late] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))]
    ok(late < early + growthLimit, `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
    console.log(
      `      ${sittings} sittings in ${seconds.toFixed(0)} s (${(sittings / seconds).toFixed(1)} a second), ${runs.length} runs, ` +
        `at most ${longest} events, memory ${early.toFixed(0)} then ${late.toFixed(0)} MB`,
    )
  })

  /** Runs a campaign to its end; returns its runs, first to last. */
  async function run(): Promise<{ workflowId: string; runId: string }[]> {
    const runs: { workflowId: string; runId: string }[] = []
    const taskQueue = `scale-${randomUUID()}`
    const workflowBundle = await bundle()
    let sat = 0
    const stubs: Partial<Activities> = {
      claimOperation: async () => {
        const { workflowExecution } = activityInfo()
        if (workflowExecution) runs.push(workflowExecution)
        return true
      },
      planLetters: async () => 0,
      sendDue: async () => (++sat > sittings ? { do: 'end' } : { do: 'again', sent: 1 }),
      endRunner: async () => ({ state: 'done' }),
    }
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue,
      workflowBundle,
      activities: stubs,
      maxCachedWorkflows: 100,
    })
    const sends = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: sendQueue(taskQueue),
      activities: stubs,
    })
    const workflowId = `wsp_scale:${randomUUID()}`
    const ended = worker.runUntil(
      client.workflow.execute('runCampaign', {
        taskQueue,
        workflowId,
        args: [{ operation: workflowId, campaign: 'cmp_1', epoch: 1 }],
      }),
    )
    await sends.runUntil(ended)
    equal(sat, sittings + 1)
    return runs
  }

  async function lengthOf({ workflowId, runId }: { workflowId: string; runId: string }) {
    return (await client.workflow.getHandle(workflowId, runId).describe()).historyLength
  }
})
