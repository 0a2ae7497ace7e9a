import { join } from 'node:path'
import { Client, Connection, type ConnectionOptions } from '@temporalio/client'
import {
  type InternalConnectionOptions,
  InternalConnectionOptionsSymbol,
} from '@temporalio/client/lib/connection.js'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import { NativeConnection } from '@temporalio/worker'
import type { Context } from 'mocha'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { startChild } from '../../dev/stack/children.ts'
import { openLog } from '../../dev/stack/logs.ts'
import { freePort, loopback, waitForPort } from '../../dev/stack/ports.ts'
import { TemporalMissing } from '../../dev/stack/temporal.ts'
import { waited } from '../runner/waits.ts'
import { atExit, runFolder } from './hooks.ts'
import { findTimeSkippingServer } from './time-skipping-server.ts'

const { namespace } = declared
const keyword = 2

let shared: Promise<string> | undefined

/**
 * The process's server whose clock jumps over timers. The clock is global, so tests on it run one by one, and what one of them
 * leaves running would wake in the next. It has no schedules, versioning or visibility; use the dev server for those. The
 * connections are the suite's own, and `close` ends them: both of Temporal's clients ping a server every 30 seconds, and this one
 * hangs up on a client that goes on pinging while it asks nothing.
 * Makes the test or suite of the context pending where Java or Maven is missing.
 */
export async function timeSkipping(context: Context) {
  shared ??= waited('servers', startServer())
  const address = await shared.catch((error: unknown) => {
    if (error instanceof TemporalMissing) context.skip()
    throw error
  })
  const connection = await connect(address)
  const nativeConnection = await NativeConnection.connect({ address })
  const { testService } = connection
  return {
    client: new Client({ connection, namespace }),
    nativeConnection,
    namespace,
    /** Lets time pass. */
    sleep: (ms: number) => testService.unlockTimeSkippingWithSleep({ duration: msToTs(ms) }),
    currentTimeMs: async () => tsToMs((await testService.getCurrentTime({})).time),
    async close() {
      await connection.close()
      await nativeConnection.close()
    },
  }
}

/** A connection that knows the service of the test server, by which time passes. */
async function connect(address: string) {
  const options: InternalConnectionOptions = {
    address,
    connectTimeout: '1 minute',
    [InternalConnectionOptionsSymbol]: { supportsTestService: true },
  }
  const connection = await Connection.connect(options as ConnectionOptions)
  const { testService } = connection
  if (!testService) throw new Error('This connection has no test service.')
  return Object.assign(connection, { testService })
}

async function startServer(): Promise<string> {
  const program = await findTimeSkippingServer(notice)
  const port = await freePort()
  const say = () => {}
  const server = await startChild({
    name: 'time-skipping',
    prepare: async () => ({
      command: 'java',
      args: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', ...program, String(port)],
    }),
    ready: (signal) => waitForPort(port, { signal, withinMs: 120_000 }),
    log: openLog(join(runFolder(), 'logs', 'time-skipping.log'), 'time-skipping', say),
    say,
  })
  atExit(server.stop)
  const address = `${loopback}:${port}`
  const connection = await connect(address)
  // A start that carries an unregistered search attribute leaves half a workflow there.
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.keys(declared.searchAttributes).map((name) => [name, keyword]),
    ),
  })
  await connection.close()
  return address
}
