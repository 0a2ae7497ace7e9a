import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Worker } from '@temporalio/worker'
import type { Activities } from '../../activities/index.ts'
import { bundle } from '../support/service.ts'
import { timeSkipping } from '../support/time-skipping.ts'

// The real runner and the real letters' workflows over stub activities: what a campaign of many people costs in history and
// memory. They run on the time-skipping server, which answers faster than the dev server and suggests continuing as new at
// the same length, but keeps all that ever ran and slows down after some 10,000. SCALE_PEOPLE=5000 takes it further.

const people = Number(process.env['SCALE_PEOPLE'] ?? 400)
const eventsLimit = 10_000
const megabyte = 1024 * 1024

describe('a runner', () => {
  it(`holds any number of people within the limits of a history (${people} here)`, async function () {
    this.timeout(60_000 + people * 500)
    const environment = await timeSkipping(this)
    const { client, nativeConnection: connection } = environment
    const taskQueue = `scale-${randomUUID()}`
    const workflowId = `wsp_scale:${randomUUID()}`
    const delivered = new Set<string>()
    const runs = new Set<string>()
    const stubs: Partial<Activities> = {
      claimOperation: async () => {
        runs.add((await client.workflow.getHandle(workflowId).describe()).runId)
        return true
      },
      planLetters: async () => 0,
      campaignStep: async () =>
        delivered.size === people
          ? { do: 'end' }
          : { do: 'deliver', touch: `tch_${taskQueue}_${delivered.size}`, person: 'per_1' },
      prepareTouch: async () => true,
      deliverTouch: async ({ touch }) => {
        ok(!delivered.has(touch), 'a letter was delivered twice')
        delivered.add(touch)
        return 'settled'
      },
      endRunner: async () => {},
    }
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: await bundle(),
      activities: stubs,
      maxCachedWorkflows: 100,
    })
    const memory: number[] = []
    const sampling = setInterval(() => memory.push(process.memoryUsage().rss / megabyte), 1000)
    const started = performance.now()

    await worker.runUntil(
      client.workflow.execute('runCampaign', {
        taskQueue,
        workflowId,
        args: [{ operation: workflowId, campaign: 'cmp_1', epoch: 1 }],
      }),
    )

    clearInterval(sampling)
    const seconds = (performance.now() - started) / 1000
    equal(delivered.size, people)
    const lengths: number[] = []
    for (const run of runs)
      lengths.push(
        (await client.workflow.getHandle(workflowId, run).fetchHistory()).events?.length ?? 0,
      )
    const longest = Math.max(...lengths)
    // One claim a run: as many runs as it continued as new, and no history near the server's limit of 51,200 events.
    ok(longest < eventsLimit, `${longest} events in one run`)
    ok(runs.size > 1, 'it never continued as new')
    const quarter = Math.ceil(memory.length / 4)
    const mean = (part: number[]) => part.reduce((sum, size) => sum + size, 0) / part.length
    const [early, late] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))]
    ok(late < early + 150, `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
    console.log(
      `      ${people} letters in ${seconds.toFixed(0)} s (${(people / seconds).toFixed(1)} a second), ${runs.size} runs, ` +
        `at most ${longest} events, memory ${early.toFixed(0)} then ${late.toFixed(0)} MB`,
    )
    await environment.teardown()
  })
})
