import { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Context } from 'mocha'
import { notice } from '../../dev/operator/progress.ts'
import { declared } from '../../dev/operator/temporal-declared.ts'
import { TemporalMissing } from '../../dev/stack/temporal-find.ts'
import { atEnd } from './hooks.ts'
import { findTimeSkippingServer } from './time-skipping-server.ts'

const keyword = 2
const mostStarts = 8

/**
 * A server of the suite's own whose clock jumps over timers: end it by `teardown` when the suite is done. One for several
 * suites was seen to lose its connection while others ran, and with it the count of who lets time pass. Its clock is global:
 * tests on it run one by one. It has no schedules, versioning or visibility; use the dev server for those.
 * Makes the test or suite of the context pending where Java or Maven is missing.
 */
export async function timeSkipping(context: Context): Promise<TestWorkflowEnvironment> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof TemporalMissing) context.skip()
    throw error
  }
}

async function start(): Promise<TestWorkflowEnvironment> {
  const environment = await create()
  const teardown = environment.teardown.bind(environment)
  let ended: Promise<void> | undefined
  environment.teardown = () => (ended ??= teardown())
  atEnd(() => environment.teardown())
  // A start that carries an unregistered search attribute leaves half a workflow there.
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? declared.namespace,
    searchAttributes: Object.fromEntries(
      Object.keys(declared.searchAttributes).map((name) => [name, keyword]),
    ),
  })
  return environment
}

async function create(): Promise<TestWorkflowEnvironment> {
  const from = (executable: Executable) =>
    TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
  let path: string
  try {
    path = await findTimeSkippingServer(notice)
  } catch (missing) {
    // Without Java there is still the SDK's own download, which needs none.
    return from({ type: 'cached-download' }).catch(() => {
      throw missing
    })
  }
  const start = () => from({ type: 'existing-path', path })
  // A busy machine may not have it listening within the SDK's five seconds.
  for (let tries = 1; tries < mostStarts; tries++) {
    try {
      return await start()
    } catch {}
  }
  return start()
}

type Executable = { type: 'existing-path'; path: string } | { type: 'cached-download' }
