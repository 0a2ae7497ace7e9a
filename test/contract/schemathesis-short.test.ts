import { equal, ok } from 'node:assert/strict'
import { answersEvents } from '../../api/http/event-stream.ts'
import { routes } from '../../api/routes/index.ts'
import { nameOf } from '../support/samples.ts'
import { isWell, withSchemathesis } from '../support/schemathesis.ts'

// A tenth of schemathesis.test.ts.

describe('Schemathesis, shortly, against the running service', () => {
  const examine = withSchemathesis()

  it('finds no answer outside the document in a few requests to every address', async function () {
    this.timeout(300_000)
    const found = await examine(['--phases', 'fuzzing', '--max-examples', '4'])
    isWell(found, 400)
    const { asked, answered } = found
    const never = routes.filter(
      (route) => !answersEvents(route) && !asked.has(`${route.method} ${route.path}`),
    )
    equal(never.map(nameOf).join('\n'), '')
    ok(answered.size > routes.length / 2, `only ${answered.size} addresses have carried a call out`)
  })
})
