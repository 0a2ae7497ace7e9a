import { randomUUID } from 'node:crypto'
import { runWorker } from '../../activities/worker/start.ts'
import { enqueueStoredStart } from '../../db/operations/outbox.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { secretKey } from './given.ts'
import { bundle, startService, type TestService } from './service.ts'

type Line = { level: number; msg: string; [fact: string]: unknown }
type Where = { address: string; namespace: string }

/** For the suite in which it is called: each of its tests has a service of its own, and workers of it where it says. */
export function relayOfEachTest() {
  let service: TestService
  let stops: (() => Promise<unknown>)[]
  let lines: Line[]
  beforeEach(async () => {
    service = await startService()
    stops = []
    lines = []
  })
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop()
    await service.close()
  })

  return {
    service: () => service,
    /** Runs after the test, the last one first. */
    afterwards: (stop: () => Promise<unknown>) => void stops.push(stop),
    /** A worker of the service, on a server or a namespace of the test's choice. */
    work({ address, namespace }: Where) {
      const { db, clock, url: publicUrl, databaseUrl } = service
      const write = (line: string) => lines.push(JSON.parse(line))
      const deps = {
        ...{ db, clock, secretKey, publicUrl },
        log: createLog('test', 'info', { write }),
        crash: () => {},
      }
      const launch = async () => {
        const made = await bundle()
        // Awaited, so that the statements of its start are known to be a test's.
        return await runWorker({
          schedules: false,
          deps,
          databaseUrl,
          connection: { address },
          namespace,
          taskQueue: `test-${randomUUID()}`,
          only: ['rows', 'send', 'remote'],
          bundle: made,
        })
      }
      const running = launch()
      stops.push(() => running.then((worker) => worker.stop()))
      return running
    },
    /** What was logged that matches. */
    said: (text: RegExp) => lines.filter(({ msg }) => text.test(msg)),
    outbox: () => service.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    start: (workflowId: string, type = 'sweep') =>
      enqueueStoredStart(service.db, { type, workflowId, args: [], attributes: {} }),
  }
}
