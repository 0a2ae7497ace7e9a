import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { notice } from '../../dev/operator/progress.ts'
import { reap } from '../../dev/stack/processes.ts'
import { mochaGlobalSetup } from '../support/hooks.ts'
import type { FileResult } from './child.ts'
import { type DealOptions, deal, hasFailed } from './deal.ts'
import { lanesOf } from './lanes.ts'
import { countOf, states } from './reporter.ts'
import { startServers } from './servers.ts'
import { keepTimes, longestFirst } from './times.ts'

// npm test                            the fast lane
// npm run test:all                    everything
// npm test -- test/rules test/api     what is in these folders and files
// npm test -- FILE | -g 'words' | …   one file, or what mocha's options say, with mocha's own report in one process
// --bail                              no further file once a test has failed
// --again                             up to ten files that failed once more, each alone, and names them as unsteady
//
// A run starts its servers once, deals its files to several processes, those that wait for minutes to some of their own, and then
// runs one by one what needs the machine for itself.

// While one process of a core waits, another works: four on two cores take a tenth less time than three.
const processes = Number(process.env['TEST_PROCESSES'] ?? Math.min(8, 2 * availableParallelism()))
// Two take no longer for all that waits than the others for the rest.
const processesThatWait = 2
const timeout = 30_000
const mostAgain = 10

const args = process.argv.slice(2)
const missing = args.filter((arg) => arg.endsWith('.ts') && !arg.includes('*') && !existsSync(arg))
if (missing.length > 0) {
  notice(`There is no ${missing.join(' and no ')}.`)
  process.exit(1)
}
const asked = read(args)
process.exitCode = asked ? await runLanes(asked) : await runMocha(args)

type Asked = { all: boolean; bail: boolean; again: boolean; places: string[] }

/** What is asked of a run; nothing where it is mocha that is asked. */
function read(given: string[]): Asked | undefined {
  try {
    const options = {
      all: { type: 'boolean', default: false },
      bail: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
    } as const
    const { values, positionals: places } = parseArgs({
      args: given,
      options,
      allowPositionals: true,
    })
    const isOneFile = places.length === 1 && places[0]?.endsWith('.ts')
    return isOneFile ? undefined : { ...values, places }
  } catch {
    return undefined
  }
}

/** Mocha as it is, with its own report; without a file, all files are looked through. */
function runMocha(given: string[]): Promise<number> {
  const files = given.some((one) => existsSync(one)) ? [] : ['test/**/*.test.ts']
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...given, ...files], {
    stdio: 'inherit',
  })
  reap(child)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function runLanes({ all, bail, again, places }: Asked): Promise<number> {
  const from = Date.now()
  const lanes = lanesOf({ all, places })
  const count = Object.values(lanes).flat().length
  await mochaGlobalSetup()
  const { servers, stop } = await startServers()
  const env = { TEST_SERVERS: JSON.stringify(servers) }
  const results: FileResult[] = []
  function onResult(result: FileResult) {
    results.push(result)
    console.log(lineOf(result, `${results.length}/${count}`))
    for (const { title, state, error } of result.tests)
      if (state === 'failed')
        console.log(`\n  ${title}\n    ${error?.replaceAll('\n', '\n    ')}\n`)
  }
  const options = { timeout, forbidOnly: true, env, bail, onResult }
  try {
    await Promise.all([
      deal(longestFirst(lanes.shared), { ...options, processes }),
      deal(longestFirst(lanes.waiting), { ...options, processes: processesThatWait }),
    ])
    if (!(bail && results.some(hasFailed))) await deal(lanes.alone, { ...options, processes: 1 })
    if (again) await runAgain(results, options)
  } finally {
    await stop()
  }
  return conclude(results, Math.round((Date.now() - from) / 1000))
}

/** What passes only now is counted as passed, and named, because it is to be mended all the same. */
async function runAgain(results: FileResult[], options: Omit<DealOptions, 'processes'>) {
  const failed = results.filter(hasFailed)
  if (failed.length > mostAgain) return
  for (const first of failed)
    await deal([first.file], {
      ...options,
      processes: 1,
      onResult(second) {
        if (hasFailed(second)) return
        results[results.indexOf(first)] = second
        console.log(`UNSTEADY: ${first.file} failed at first, and passed when it was run again`)
      },
    })
}

function lineOf({ tests, file, ms }: FileResult, at: string): string {
  const counts = states
    .map((state) => [countOf(tests, state), state] as const)
    .filter(([n]) => n > 0)
    .map(([n, state]) => `${n} ${state}`)
  const mark = hasFailed({ tests }) ? '✖' : '✔'
  return `${at.padStart(7)} ${mark} ${file}  ${counts.join(', ') || 'no test'}  ${(ms / 1000).toFixed(1)} s`
}

/** Says what failed once more, together, and how many there were. The last line is the one that machines read. */
function conclude(results: FileResult[], seconds: number): number {
  const tests = results.flatMap(({ file, tests }) => tests.map((test) => ({ file, ...test })))
  const of = (state: string) => tests.filter((test) => test.state === state)
  const [passed, failed, pending] = [of('passed'), of('failed'), of('pending')]
  const listed = (what: string, some: typeof tests) => {
    if (some.length > 0) console.log(`\n${what}:`)
    for (const { file, title } of some) console.log(`  ${file}: ${title}`)
  }
  listed('Pending', pending)
  listed(
    'Passed only when they were tried again',
    tests.filter(({ state, retried }) => state === 'passed' && retried > 0),
  )
  listed('Failed', failed)
  console.log(`\nThe files and their times are in ${keepTimes(results)}.`)
  console.log(`${Math.floor(seconds / 60)} min ${seconds % 60} s`)
  const failsByPending = pending.length > 0 && Boolean(process.env['CI'])
  if (failsByPending) notice('Pending tests fail a run of CI.')
  const skipped = pending.length > 0 ? `, ${pending.length} skipped` : ''
  console.log(`${passed.length} passed, ${failed.length} failed${skipped}`)
  return failed.length > 0 || passed.length === 0 || failsByPending ? 1 : 0
}
