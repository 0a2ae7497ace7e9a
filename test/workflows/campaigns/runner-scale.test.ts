import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { activityInfo } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker'
import type { Activities } from '../../../activities/index.ts'
import { bundleWorkflows } from '../../../activities/worker/start.ts'
import { remoteQueue, sendQueue } from '../../../workflows/ids.ts'
import { bundle } from '../../support/service.ts'
import { type TestTemporal, testClient, testTemporal } from '../../support/temporal.ts'

// The real runner over stub activities: what a campaign of many people costs in history and memory. The dev server takes
// some 20 letters a second, so that SCALE_PEOPLE=100000 takes an hour and a half.

const people = Number(process.env['SCALE_PEOPLE'] ?? 500)
const shortLetters = fileURLToPath(new URL('../../support/short-letters.ts', import.meta.url))
const peopleOfRealLetters = 250
// The server ends a run at 51,200; it suggests a new one from 4,096 on.
const eventsLimit = 5_000
const growthLimit = 150
const megabyte = 1024 * 1024

describe('a runner', function () {
  this.timeout(120_000 + people * 1000)
  let temporal: TestTemporal
  let connection: NativeConnection
  let client: Client
  before(async function () {
    temporal = await testTemporal(this)
    connection = await NativeConnection.connect({ address: temporal.address })
    client = await testClient(this)
  })
  after(() => connection?.close())

  it(`delivers one letter to each of ${peopleOfRealLetters} people, across runs`, async () => {
    const delivered: string[] = []
    const given: string[] = []
    const runs = await run(await bundle(), peopleOfRealLetters, given, {
      prepareTouch: async () => true,
      deliverTouch: async ({ touch }) => {
        delivered.push(touch)
        return 'settled'
      },
    })
    deepEqual(delivered, given)
    ok(runs.length > 1, 'it never continued as new')
  })

  it(`serves any number of people within a history and its memory (${people} here)`, async () => {
    const given: string[] = []
    const memory: number[] = []
    const started = performance.now()
    const sampling = setInterval(() => {
      memory.push(process.memoryUsage().rss / megabyte)
      if (memory.length % 60 === 0)
        console.log(`      ${given.length} letters, ${memory.at(-1)?.toFixed(0)} MB`)
    }, 1000)
    const runs = await run(await bundleWorkflows(shortLetters), people, given)
    clearInterval(sampling)

    const seconds = (performance.now() - started) / 1000
    const lengths = await Promise.all(runs.map(lengthOf))
    const longest = Math.max(...lengths)
    ok(longest < eventsLimit, `${longest} events in one run`)
    const quarter = Math.ceil(memory.length / 4)
    const mean = (part: number[]) => part.reduce((sum, size) => sum + size, 0) / part.length
    const [early, late] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))]
    ok(late < early + growthLimit, `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
    console.log(
      `      ${people} letters in ${seconds.toFixed(0)} s (${(people / seconds).toFixed(1)} a second), ${runs.length} runs, ` +
        `at most ${longest} events, memory ${early.toFixed(0)} then ${late.toFixed(0)} MB`,
    )
  })

  /** Runs a campaign to its end; returns its runs, first to last, and fills `given` with the letters in order. */
  async function run(
    workflowBundle: WorkflowBundle,
    size: number,
    given: string[],
    letters: Partial<Activities> = {},
  ): Promise<{ workflowId: string; runId: string }[]> {
    const runs: { workflowId: string; runId: string }[] = []
    const taskQueue = `scale-${randomUUID()}`
    const stubs: Partial<Activities> = {
      claimOperation: async () => {
        const { workflowExecution } = activityInfo()
        if (workflowExecution) runs.push(workflowExecution)
        return true
      },
      planLetters: async () => 0,
      campaignStep: async () => {
        if (given.length === size) return { do: 'end' }
        const touch = `tch_${taskQueue}_${given.length}`
        given.push(touch)
        return { do: 'deliver', touch, person: 'per_1' }
      },
      endRunner: async () => ({ state: 'done' }),
      ...letters,
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
    const remote = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue: remoteQueue(taskQueue),
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
    await Promise.all([sends.runUntil(ended), remote.runUntil(ended)])
    equal(given.length, size)
    return runs
  }

  async function lengthOf({ workflowId, runId }: { workflowId: string; runId: string }) {
    return (await client.workflow.getHandle(workflowId, runId).describe()).historyLength
  }
})
