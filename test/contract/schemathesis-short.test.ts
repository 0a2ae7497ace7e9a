import { equal, ok } from 'node:assert/strict'
import { routes } from '../../api/routes/index.ts'
import { nameOf } from '../support/samples.ts'
import { startSchemathesis } from '../support/schemathesis.ts'

// A tenth of schemathesis.test.ts.

describe('Schemathesis, shortly, against the running service', () => {
  let schemathesis: Awaited<ReturnType<typeof startSchemathesis>>
  before(async function () {
    this.timeout(600_000)
    schemathesis = await startSchemathesis(this)
  })
  after(() => schemathesis?.stop())

  it('finds no answer outside the document in a few requests to every address', async function () {
    this.timeout(300_000)
    const { requests, failures, asked, answered, late } = await schemathesis.examine([
      ...['--phases', 'fuzzing', '--max-examples', '4'],
    ])
    equal(failures.join('\n'), '')
    ok(requests >= 400, `${requests} requests`)
    ok(late.length < requests / 100 && late.every((code) => code === 'still_running'), `${late}`)
    const never = routes.filter(({ method, path }) => !asked.has(`${method} ${path}`))
    equal(never.map(nameOf).join('\n'), '')
    ok(answered.size > routes.length / 2, `only ${answered.size} addresses have carried a call out`)
  })
})
