import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { erasePage } from '../../../db/erasure/erasures.ts'
import { givenTraces, searchAll, traces } from '../../support/erased-person.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('an erasure', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A database that breaks off before its statement of this number. */
  function breakingOff(most: number) {
    let statements = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (++statements > most) throw new Error('broken off')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    return service.db.withPlugin(plugin)
  }

  it('may be broken off at every statement of every page, and is carried out once', async () => {
    const { call, person, id } = await givenTraces(service)
    const key = randomUUID()
    equal((await call('DELETE', `/people/${person}`, undefined, { key })).status, 200)
    const operation = `${id}:${key}`
    let pages = 0
    let cuts = 0
    for (let most = 1; ; ) {
      const page = await erasePage(breakingOff(most), operation, service.clock.now()).catch(
        (error: Error) => {
          if (error.message !== 'broken off') throw error
        },
      )
      if (page === undefined) {
        cuts++
        most++
        continue
      }
      equal((await call('GET', `/people/${person}`)).status, 404)
      if (page.is === 'ended') break
      equal(page.is, 'going', `${page.done} of ${page.total}`)
      pages++
      most = 1
    }
    ok(pages > 15 && cuts > 60, `${pages} pages, ${cuts} cuts`)
    deepEqual(await searchAll(service.db, traces), [])
    equal((await call('GET', `/operations/${key}`)).body.state, 'done')
    // An attempt that comes too late.
    equal((await erasePage(service.db, operation, service.clock.now())).is, 'ended')
  })
})
