import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import Mocha from 'mocha'
import { endFile, mochaGlobalTeardown, mochaHooks } from '../support/hooks.ts'
import { Keeping, type TestResult } from './reporter.ts'
import { countSleeps, takeWaits, type Waits } from './waits.ts'

// One process of a run: it runs the files that it is dealt, one after another, and answers with the result of each.

export type Order = { file: string; options: Options } | 'end'
export type Options = { timeout: number; forbidOnly: boolean }
export type FileResult = {
  file: string
  tests: TestResult[]
  ms: number
  /** Of this process: workers and everything else that runs within it. */
  cpuMs: number
  waits: Waits
}

countSleeps()
// As the children that take mail apart have it, which would otherwise wait for the tests on a machine with much to do.
setPriority(constants.priority.PRIORITY_LOW)

process.on('message', (order: Order) => {
  if (order === 'end') void end()
  else void run(order.file, order.options).then((result) => process.send?.(result))
})
// Nobody reads the results any more.
process.on('disconnect', () => process.exit(1))

async function run(file: string, options: Options): Promise<FileResult> {
  const from = performance.now()
  const cpu = process.cpuUsage()
  takeWaits()
  const { promise, resolve: take } = Promise.withResolvers<TestResult[]>()
  const mocha = new Mocha({ ...options, reporter: Keeping, reporterOptions: { take } })
  mocha.rootHooks(mochaHooks)
  mocha.addFile(resolve(file))
  await mocha.loadFilesAsync().then(
    () => mocha.run(),
    (error: Error) =>
      take([{ title: file, state: 'failed', ms: 0, retried: 0, error: error.stack ?? '' }]),
  )
  const tests = await promise
  await endFile()
  const { user, system } = process.cpuUsage(cpu)
  const ms = Math.round(performance.now() - from)
  return { file, tests, ms, cpuMs: Math.round((user + system) / 1000), waits: takeWaits() }
}

async function end() {
  await mochaGlobalTeardown()
  process.exit(0)
}
