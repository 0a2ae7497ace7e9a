import { Client, Connection } from '@temporalio/client'
import type { Context } from 'mocha'
import { applyCluster } from '../../dev/operator/cluster.ts'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { startTemporal, type Temporal, type TemporalOptions } from '../../dev/stack/temporal.ts'
import { TemporalMissing } from '../../dev/stack/temporal-find.ts'
import { atEnd, runFolder } from './hooks.ts'

export type TestTemporal = Temporal & { namespace: string }

let shared: Promise<TestTemporal> | undefined

/**
 * The run's dev server, in memory. Each caller uses its own task queue.
 * Given the test's or the hook's context, it makes the suite pending where no server can be had.
 */
export async function testTemporal(context?: Context): Promise<TestTemporal> {
  shared ??= startTestTemporal()
  return shared.catch(pending(context))
}

let connected: Client | undefined

/** A client of the run's dev server, as an operator has one. */
export async function testClient(context?: Context): Promise<Client> {
  const { address, namespace } = await testTemporal(context)
  connected ??= new Client({ connection: Connection.lazy({ address }), namespace })
  return connected
}

/** A server of the caller's own, for tests that kill it or need its data to survive. */
async function startTestTemporal(
  options: Partial<TemporalOptions> = {},
  context?: Context,
): Promise<TestTemporal> {
  const { namespace = declared.namespace } = options
  const server = await startTemporal({ folder: runFolder(), say: notice, ...options }).catch(
    pending(context),
  )
  atEnd(server.stop)
  await applyCluster({ address: server.address }, namespace, () => {})
  return { ...server, namespace }
}

/** Skips instead of failing when a tool is not available here; any other error fails. */
function pending(context: Context | undefined) {
  return (error: unknown): never => {
    if (context && error instanceof TemporalMissing) context.skip()
    throw error
  }
}
