import { randomUUID } from 'node:crypto'
import { WorkflowNotFoundError } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import type { Context } from 'mocha'
import type { Deps } from '../../activities/deps.ts'
import { createActivities } from '../../activities/index.ts'
import { startRelay } from '../../activities/worker/relay.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { remoteQueue, sendQueue } from '../../workflows/ids.ts'
import { secretKey } from './given.ts'
import { testMail } from './mail.ts'
import { bundle, eventually, startService } from './service.ts'
import { timeSkipping } from './time-skipping.ts'

/**
 * How often a test on skipped time is repeated. The test server has one clock, which jumps ahead whenever anything waits: on a
 * busy machine it may pass an instant before the test has looked. What the tests show does not depend on that.
 */
export const retries = 2

/**
 * How long after an instant a test goes on that lets time pass until then. On the test server, a workflow waits for good if it is
 * told of something while its timer fires (temporalio/sdk-java#3088), and most timers fire on whole minutes: nobody acts then.
 */
const asideMs = 7_000

export type SkippedTime = Awaited<ReturnType<typeof startSkippedTime>>

/**
 * The whole service on the server whose clock jumps: real API, relay, workflows, activities, Postgres and mail. Only the time
 * is not real. The business clock is the server's plus an offset, so that a test begins on the day it says.
 */
export async function startSkippedTime(context: Context) {
  const environment = await timeSkipping(context)
  const [service, mail] = await Promise.all([startService(), testMail()])
  const { db, clock } = service
  const log = createLog('test', process.env['TEST_LOG'] || 'silent')
  let aheadMs = 0

  /** Sets the clock by the server's; between two readings it runs on with the machine's. */
  async function look() {
    clock.setHere(new Date((await environment.currentTimeMs()) + aheadMs).toISOString())
    return clock.now()
  }
  const deps: Deps = {
    db,
    clock,
    log,
    secretKey,
    publicUrl: service.url,
    crash: () => {},
    workflowState: async () => 'running',
  }
  const activities = Object.fromEntries(
    Object.entries(createActivities(deps)).map(([name, activity]) => [
      name,
      async (input: never) => {
        await look()
        return activity(input)
      },
    ]),
  )
  const taskQueue = randomUUID()
  const { client, nativeConnection: connection } = environment
  const { workflow } = client
  const { databaseUrl } = service
  async function start() {
    const relay = startRelay({ db, databaseUrl, client, taskQueue, log })
    const workflowBundle = await bundle()
    const worker = await Worker.create({ connection, taskQueue, workflowBundle, activities })
    const sends = await Worker.create({
      connection,
      taskQueue: sendQueue(taskQueue),
      workflowBundle,
      activities,
    })
    const remote = await Worker.create({
      connection,
      taskQueue: remoteQueue(taskQueue),
      activities,
    })
    const running = Promise.all([worker.run(), sends.run(), remote.run()])
    return async () => {
      worker.shutdown()
      sends.shutdown()
      remote.shutdown()
      await running
      await relay.stop()
    }
  }
  const stop = await start()

  /** Waits until nothing that was committed is still on its way to Temporal. */
  const dispatched = () =>
    eventually(
      () =>
        db
          .selectFrom('outbox')
          .select('id')
          .where('dispatchedAt', 'is', null)
          .where('deadAt', 'is', null)
          .execute(),
      (rows) => rows.length === 0,
    )

  /** Ends what a test has left running: it would go on in the next suite, and keep time from passing there. */
  async function leaveNothing() {
    const started = await db
      .selectFrom('outbox')
      .select('workflowId')
      .distinct()
      .where('kind', '=', 'start')
      .execute()
    for (const { workflowId } of started)
      await workflow
        .getHandle(workflowId)
        .terminate()
        .catch((error) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error
        })
  }

  return {
    environment,
    service,
    mail,
    now: look,
    /** Begins at an instant. What an earlier test left running would continue there: leave nothing. */
    async begin(at: string) {
      aheadMs = Date.parse(at) - (await environment.currentTimeMs())
      await look()
    },
    /** Lets time pass until just after an instant, with all that falls due in between. */
    async skipTo(at: string) {
      await dispatched()
      const ms = Date.parse(at) - (await look()).getTime()
      if (ms > 0) await environment.sleep(ms + asideMs)
      await look()
    },
    /** Waits for the end of a workflow that waits for nothing more. Its `result()` would let time pass, by years on a busy machine. */
    ended: (operation: string) =>
      eventually(
        async () => (await workflow.getHandle(operation).describe()).status.name,
        (status) => status !== 'RUNNING',
        30_000,
      ),
    handle: (operation: string) => workflow.getHandle(operation),
    async stop() {
      await stop()
      await leaveNothing()
      await service.close()
      await environment.close()
    },
  }
}
