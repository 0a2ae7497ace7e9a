import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FileResult } from './child.ts'
import { deal } from './deal.ts'
import { alone, lanesOf, slow, waiting } from './lanes.ts'

describe('a run of tests', () => {
  const sample = (name: string) => join(import.meta.dirname, 'samples', `${name}.ts`)
  let results: Map<string, FileResult>

  before(async function () {
    this.timeout(60_000)
    results = new Map()
    await deal(['mixed', 'dies', 'broken'].map(sample), {
      ...{ processes: 1, timeout: 5_000, forbidOnly: true, bail: false, env: {} },
      onResult: (result) => results.set(result.file, result),
    })
  })
  const testsOf = (name: string) => results.get(sample(name))?.tests ?? []

  it('has the result of every test', () => {
    deepEqual(
      testsOf('mixed').map(({ state, title }) => [state, title]),
      [
        ['passed', 'a file has a test that passes'],
        ['failed', 'a file has one that fails'],
        ['passed', 'a file has one that sleeps'],
        ['pending', 'a file has one that is pending'],
        [
          'failed',
          'a file with a hook that fails "before all" hook for "has a test that cannot run"',
        ],
      ],
    )
    match(testsOf('mixed')[1]?.error ?? '', /1 !== 2[\s\S]*mixed\.ts/)
  })

  it('knows how long a file slept', () => {
    equal(results.get(sample('mixed'))?.waits.sleeps, 310)
  })

  it('fails with a file that cannot be read, and with one whose process dies, and goes on', () => {
    const [broken] = testsOf('broken')
    equal(broken?.state, 'failed')
    match(broken?.error ?? '', /This file cannot be read/)
    const [died] = testsOf('dies')
    equal(died?.state, 'failed')
    match(died?.error ?? '', /exit code 3[\s\S]*the last words/)
  })

  it('deals no further file after a failure where that is asked', async () => {
    const done: string[] = []
    await deal(['mixed', 'broken'].map(sample), {
      ...{ processes: 1, timeout: 5_000, forbidOnly: true, bail: true, env: {} },
      onResult: ({ file }) => done.push(file),
    })
    deepEqual(done, [sample('mixed')])
  })

  it('of a place has its files', () => {
    const { shared } = lanesOf({ all: false, places: ['test/runner', './test/rules/pace.test.ts'] })
    ok(shared.includes('test/runner/runner.test.ts') && shared.includes('test/rules/pace.test.ts'))
    ok(shared.every((file) => /^test\/(runner|rules\/pace)/.test(file)))
  })

  it('has every file in a lane, and nothing in a table that is not there', () => {
    const everything = lanesOf({ all: true })
    const fast = lanesOf({ all: false })
    for (const file of [...Object.keys(slow), ...Object.keys(alone), ...waiting])
      ok(existsSync(file), file)
    const both = Object.values(everything).flat()
    deepEqual(both.filter((file) => !(file in slow)).sort(), Object.values(fast).flat().sort())
  })
})
