import { Client, Connection } from '@temporalio/client'
import type { Context } from 'mocha'
import { TemporalMissing } from '../../dev/stack/temporal.ts'
import { given, startTestTemporal } from '../runner/servers.ts'
import { waited } from '../runner/waits.ts'
import { atExit, runFolder } from './hooks.ts'

export type TestTemporal = { address: string; namespace: string }

let shared: Promise<TestTemporal> | undefined

/**
 * The run's dev server, in memory. Each caller uses its own task queue.
 * Given the test's or the hook's context, it makes the suite pending where no server can be had.
 */
export async function testTemporal(context?: Context): Promise<TestTemporal> {
  shared ??= findTestTemporal()
  return shared.catch((error: unknown) => {
    if (context && error instanceof TemporalMissing) context.skip()
    throw error
  })
}

let connected: Client | undefined

/** A client of the run's dev server, as an operator has one. */
export async function testClient(context?: Context): Promise<Client> {
  const { address, namespace } = await testTemporal(context)
  connected ??= new Client({ connection: Connection.lazy({ address }), namespace })
  return connected
}

async function findTestTemporal(): Promise<TestTemporal> {
  if (given?.temporal) return given.temporal
  if (given) throw new TemporalMissing('This run has no Temporal dev server.')
  const server = await waited('servers', startTestTemporal(runFolder()))
  atExit(server.stop)
  return server
}
