import { equal } from 'node:assert/strict'
import { runStubs } from '../../support/stub-runner.ts'

describe('a runner whose history is full', function () {
  this.timeout(60_000)

  it('goes on in a new run, without a sitting more or less', async function () {
    // The server suggests a new run at 4 MB.
    const runs = await runStubs(this, 50, 'x'.repeat(150_000))
    equal(runs.length, 2)
  })
})
